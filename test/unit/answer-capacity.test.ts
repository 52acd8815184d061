// A yes beyond capacity: refused by the write, told on the page, and nothing else changes.

import { describe, expect, test } from 'vitest';
import { anOfferedWorld, get, post, textOf } from '../support/answering.ts';
import { aPerson, aPolicy, OMAR, ROSA } from '../support/builders.ts';

const YES = { action: 'accept', nextAction: 'call', due: '2026-03-02T15:00' };
const staff = (speaks: 'en' | 'es') => [
  aPerson('rosa', { name: 'Rosa', capacity: 2, speaks }),
  aPerson('sam'),
  ...['ina', 'omar', 'dana'].map((id) => aPerson(id, { roles: ['staff'], ...(id === 'omar' && { capacity: 1 }) })),
];

describe('capacity', () => {
  test.each([
    ['en', 'You hold as many requests as you can. Close one first, or say no'],
    ['es', 'Ya tiene todas las solicitudes que puede llevar. Cierre una antes, o diga que no'],
  ] as const)('R-05: a yes beyond capacity is refused and told on the page (%s), and the offer stands', async (speaks, sentence) => {
    const world = await anOfferedWorld({ policy: aPolicy({ people: staff(speaks) }) });
    const link = await world.linkOf(ROSA);
    world.table.loads.set(ROSA, { held: 2, turns: 0 });
    const reply = await post(world, link, YES);
    expect(reply.status).toBe(422);
    expect(textOf(reply.body)).toContain(sentence);
    expect((await world.row()).offers).toMatchObject([{ to: ROSA, status: 'pending' }]);
    expect(await world.store.receipts(world.id)).toHaveLength(3);
    expect(world.table.loads.get(ROSA)).toEqual({ held: 2, turns: 0 });

    world.table.loads.set(ROSA, { held: 1, turns: 0 });
    expect((await post(world, link, YES)).status).toBe(303);
    expect((await world.row()).ownership?.owner).toBe(ROSA);
    expect(world.table.loads.get(ROSA)).toEqual({ held: 2, turns: 0 });
    expect((await world.store.receipts(world.id)).at(-1)).toMatchObject({ kind: 'offer.accepted', capacity: 2 });
  });

  test('R-05: whoever owns it closes it, and has room again', async () => {
    const world = await anOfferedWorld({ policy: aPolicy({ people: staff('en') }) });
    const link = await world.linkOf(ROSA);
    await post(world, link, YES);
    expect(world.table.loads.get(ROSA)?.held).toBe(1);
    await post(world, link, { action: 'close', outcome: 'completed', result: 'sold' });
    expect(world.table.loads.get(ROSA)?.held).toBe(0);
  });

  test('R-05: an exception owner who takes it is bound by their own capacity too', async () => {
    const world = await anOfferedWorld({ policy: aPolicy({ people: staff('en') }) });
    world.time.forward(301);
    await world.wish('time-out');
    await world.wish('request-acceptance');
    world.time.forward(301);
    await world.wish('time-out');
    await world.wish('raise-exception');
    const link = await world.linkOf(OMAR, { purpose: 'exception' });
    await post(world, link, { action: 'accept-exception', confirm: 'yes' });
    world.table.loads.set(OMAR, { held: 1, turns: 0 });
    const take = { action: 'take', nextAction: 'call', due: '2026-03-02T15:00' };
    expect(await post(world, link, take)).toMatchObject({ status: 422, body: expect.stringContaining('as many requests as you can') });
    expect((await world.row()).state).toBe('exception');
    expect((await get(world, link)).status).toBe(200);
  });
});
