import { describe, expect, test } from 'vitest';
import { requestAcceptance } from '../../functions/request-acceptance/request-acceptance.ts';
import { resolveCandidates } from '../../functions/resolve-candidates/resolve-candidates.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { anAccept, anExceptionRule, aPerson, aPolicy, DANA, ID, later, NOW, OMAR, ROSA, SAM, says } from '../support/builders.ts';
import { aWorkflowWorld } from '../support/workflow-world.ts';

const WAIT_OVER = { source: 'baton.workflow', detailType: 'wait.over', detail: { schemaVersion: '1', handoffId: ID } };

describe('resolve-candidates', () => {
  test('R-01: names candidates once and answers with the offer and its window', async () => {
    const world = await aWorkflowWorld();
    expect(await world.resolve()).toEqual({ handoffId: ID, next: 'request-acceptance', waitSeconds: 301 });
    expect(await world.kinds()).toEqual(['handoff.opened', 'candidates.resolved']);
  });

  test('SF-12: a repeated execution changes nothing and gets the same answer', async () => {
    const world = await aWorkflowWorld();
    const first = await world.resolve();
    expect(await world.resolve()).toEqual(first);
    expect(await world.kinds()).toHaveLength(2);
  });

  test('L-06: a handoff that lacks a required fact is sent to its exception owner', async () => {
    const world = await aWorkflowWorld({ missing: ['contact.phone'] });
    expect(await world.resolve()).toEqual({ handoffId: ID, next: 'raise-exception', waitSeconds: 1801 });
    expect(await world.kinds()).toEqual(['handoff.opened']);
  });

  test('E-01: nobody eligible is an exception, not an empty offer', async () => {
    const world = await aWorkflowWorld({ policy: aPolicy({ people: [aPerson('omar', { roles: ['operations'] })] }) });
    expect((await world.resolve()).next).toBe('raise-exception');
  });

  test('SF-22: a replaced execution that comes after a deadline is sent to advance the clock first', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    world.time.forward(300);
    expect((await world.resolve()).next).toBe('advance-clock');
  });

  test('an id that no row has is a fault, not an answer', async () => {
    const world = await aWorkflowWorld();
    await expect(resolveCandidates(world.deps, handoffId('h-ffffffffffffffffffffffffffffffff'))).rejects.toThrow('does not exist');
  });
});

describe('request-acceptance', () => {
  test('SF-20: offer, token and links are one transaction, and nothing is sent', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    expect(await world.request('t1')).toEqual({ kind: 'begun' });
    expect((await world.row()).offers).toMatchObject([{ number: 1, to: ROSA, deadlineAt: later(NOW, 300) }]);
    expect(await world.deps.waits.find(ID)).toMatchObject({ token: 't1', wait: 'offer:1' });
    expect([...world.table.links.values()]).toMatchObject([{ purpose: 'offer', number: 1, person: ROSA, channel: 'email' }]);
    expect(world.bus.published).toEqual([]);
  });

  test('SF-04: a second attempt replaces the token and asks nobody again', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    world.time.forward(1);
    expect(await world.request('t2')).toEqual({ kind: 'joined' });
    expect(await world.deps.waits.find(ID)).toMatchObject({ token: 't2', wait: 'offer:1' });
    expect((await world.row()).offers).toHaveLength(1);
    expect(world.table.links.size).toBe(1);
  });

  test('SF-21: accepted before the token was stored, so the token is kept and the workflow told to look', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    await world.answer(anAccept(ROSA, 1));
    expect(await world.request('t2')).toEqual({ kind: 'over' });
    expect(await world.deps.waits.find(ID)).toMatchObject({ token: 't2', wait: 'offer:0' });
    expect(world.bus.published).toEqual([WAIT_OVER]);
  });

  test('SF-23: redriven after the deadline, it offers nothing and sends the workflow on', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    world.time.forward(400);
    expect(await world.request('t2')).toEqual({ kind: 'over' });
    expect((await world.row()).offers).toHaveLength(1);
  });

  test('DB-03: an acceptance between read and write is read back, never overwritten', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    world.interference.beforeAppend = async () => void (await world.request('other'));
    expect(await world.request('t1')).toEqual({ kind: 'joined' });
    expect((await world.row()).offers).toHaveLength(1);
    expect(await world.deps.waits.find(ID)).toMatchObject({ wait: 'offer:1' });
  });

  test('a row that changes under every attempt is a fault after five of them', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    const deps = { ...world.deps, store: { ...world.deps.store, append: async () => ({ kind: 'stale' as const }) } };
    await expect(requestAcceptance(deps, ID, 't')).rejects.toThrow('5 attempts');
  });
});

describe('advance-clock', () => {
  test('SF-03: silence times the offer out and asks the next one', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    world.time.forward(301);
    expect(await world.advance()).toEqual({ handoffId: ID, next: 'request-acceptance', waitSeconds: 301 });
    expect((await world.kinds()).at(-1)).toBe('offer.timed-out');
  });

  test('SF-03: an acceptance that came first wins, and the machine follows it', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    await world.answer(anAccept(ROSA, 1));
    world.time.forward(301);
    expect(await world.advance()).toEqual({ handoffId: ID, next: 'await-next-step', waitSeconds: 3600 - 301 });
    expect(await world.kinds()).not.toContain('offer.timed-out');
  });

  test('SF-03: an acceptance between its read and its write wins, and the time-out is dropped', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    world.time.forward(301);
    world.interference.beforeAppend = async () => void (await world.answer(anAccept(ROSA, 1)));
    expect((await world.advance()).next).toBe('await-next-step');
    expect(await world.kinds()).not.toContain('offer.timed-out');
  });

  test('OP-05: while the table is away nobody is timed out, passed over or asked, however long the window is over; a yes after the outage that comes first wins', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    const { load } = world.deps.store;
    const before = await world.kinds();
    world.deps.store.load = () => Promise.reject(new Error('connect ECONNREFUSED'));
    world.time.forward(3600);
    await expect(world.advance()).rejects.toThrow('ECONNREFUSED');
    await expect(world.request('t2')).rejects.toThrow('ECONNREFUSED');
    world.deps.store.load = load;
    expect(await world.kinds()).toEqual(before);
    expect(world.bus.published).toEqual([]);
    expect(await world.answer(anAccept(ROSA, 1, world.time.now()))).toBe('transition');
    expect((await world.advance()).next).toBe('await-next-step');
    expect((await world.row()).offers).toHaveLength(1);
  });

  test('SF-03: a time-out that came first leaves the late yes to the contract', async () => {
    const world = await aWorkflowWorld({ policy: aPolicy({ contract: { lateAcceptance: 'deny' } }) });
    await world.resolve();
    await world.request('t1');
    world.time.forward(301);
    await world.advance();
    expect(await world.answer(anAccept(ROSA, 1, world.time.now()))).toBe('no-longer-open');
  });

  test('SC-01: a look one second too early changes nothing and waits for the rest', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    world.time.forward(299);
    expect(await world.advance()).toEqual({ handoffId: ID, next: 'request-acceptance', waitSeconds: 1 });
    expect(await world.kinds()).not.toContain('offer.timed-out');
  });

  test('E-02: an exception owner who stays silent hands over, and the successor gets a link', async () => {
    const world = await aWorkflowWorld({ missing: ['contact.phone'] });
    await world.resolve();
    await world.raise('t1');
    world.time.forward(1801);
    expect(await world.advance()).toEqual({ handoffId: ID, next: 'raise-exception', waitSeconds: 1800 });
    expect((await world.row()).custodian).toBe(DANA);
    expect([...world.table.links.values()].filter(({ person }) => person === DANA)).toMatchObject([{ purpose: 'exception', number: 1 }]);
  });

  test('L-07: a promise that passed is overdue once, then an exception', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    await world.answer(anAccept(ROSA, 1));
    world.time.forward(3601);
    expect(await world.advance()).toMatchObject({ next: 'await-next-step', waitSeconds: 7200 });
    expect(await world.advance()).toMatchObject({ next: 'await-next-step' });
    expect((await world.kinds()).filter((kind) => kind === 'next-step.overdue')).toHaveLength(1);
    world.time.forward(7201);
    expect((await world.advance()).next).toBe('raise-exception');
  });

  test('SF-16: everyone silent ends in bounded steps at the exception owner', async () => {
    const world = await aWorkflowWorld();
    let answer = await world.resolve();
    const states = [answer.next];
    for (let wait = 1; answer.next === 'request-acceptance'; wait++) {
      await world.request(`t${wait}`);
      world.time.forward(answer.waitSeconds);
      answer = await world.advance();
      states.push(answer.next);
    }
    expect(states).toEqual(['request-acceptance', 'request-acceptance', 'raise-exception']);
    expect((await world.row()).offers.map(({ status }) => status)).toEqual(['timed-out', 'timed-out']);
  });

  test('a fault is carried on while the wait keeps failing, and forgotten when it works', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    expect(await world.advance({ fault: 'Lambda.Unknown', faults: 2 })).toMatchObject({ next: 'request-acceptance', faults: 2 });
    expect(await world.advance()).not.toHaveProperty('faults');
  });

  test('E-01: five faults in a row before anybody was asked are put to a person as system-fault', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    expect((await world.advance({ fault: 'TableBusy', faults: 5 })).next).toBe('raise-exception');
    expect((await world.row()).exceptions).toMatchObject([{ class: 'system-fault', because: 'the workflow failed 5 times in a row: TableBusy' }]);
    expect((await world.advance({ fault: 'TableBusy', faults: 6 })).next).toBe('raise-exception');
    expect((await world.row()).exceptions).toHaveLength(1);
  });

  test('L-05: faults of the machine never take away ownership', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    await world.answer(anAccept(ROSA, 1));
    expect((await world.advance({ fault: 'TableBusy', faults: 9 })).next).toBe('await-next-step');
    expect((await world.row()).custodian).toBe(ROSA);
  });
});

describe('raise-exception', () => {
  test('E-02: the named owner is asked with a link; token, exception and link are one transaction', async () => {
    const world = await aWorkflowWorld({ missing: ['contact.phone'] });
    await world.resolve();
    expect(await world.raise('t1')).toEqual({ kind: 'begun' });
    expect((await world.row()).exceptions).toMatchObject([{ class: 'missing-context', owner: OMAR }]);
    expect(await world.deps.waits.find(ID)).toMatchObject({ token: 't1', wait: `exception:1:${OMAR}:respond` });
    expect([...world.table.links.values()]).toMatchObject([{ purpose: 'exception', person: OMAR }]);
  });

  test('E-03: accepted, it waits for the review with the new token', async () => {
    const world = await aWorkflowWorld({ missing: ['contact.phone'] });
    await world.resolve();
    await world.raise('t1');
    await world.answer(says('accept-exception', { by: OMAR, exception: 1 }));
    expect(await world.advance()).toMatchObject({ next: 'raise-exception', waitSeconds: 14_400 });
    world.time.forward(1);
    expect(await world.raise('t2')).toEqual({ kind: 'joined' });
    expect(await world.deps.waits.find(ID)).toMatchObject({ token: 't2', wait: `exception:1:${OMAR}:review` });
  });

  test('E-03: resolved by assigning, the person named is asked, not told', async () => {
    const world = await aWorkflowWorld({ missing: ['contact.phone'] });
    await world.resolve();
    await world.raise('t1');
    await world.answer(says('accept-exception', { by: OMAR, exception: 1 }));
    await world.answer(says('resolve-exception', { by: OMAR, exception: 1, how: { resolution: 'assign', to: SAM } }));
    expect((await world.advance()).next).toBe('request-acceptance');
    await world.request('t2');
    expect((await world.row()).offers).toMatchObject([{ to: SAM, status: 'pending' }]);
  });

  test('an owner who left the roster gets no link, and the wait still ends by escalation', async () => {
    const world = await aWorkflowWorld({
      policy: aPolicy({ contract: { exceptions: { default: anExceptionRule({ owner: SAM }) } }, people: [aPerson('dana', { roles: ['owner'] })] }),
    });
    await world.resolve();
    expect(await world.raise('t1')).toEqual({ kind: 'begun' });
    expect(world.table.links.size).toBe(0);
    world.time.forward(1801);
    await world.advance();
    expect((await world.row()).custodian).toBe(DANA);
  });
});

describe('await-next-step', () => {
  test('L-07: only the token is written', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    await world.answer(anAccept(ROSA, 1));
    const before = await world.kinds();
    world.time.forward(1);
    expect(await world.await('t2')).toEqual({ kind: 'joined' });
    expect(await world.kinds()).toEqual(before);
    expect(await world.deps.waits.find(ID)).toMatchObject({ token: 't2', wait: `next-step:${later(NOW, 3600)}` });
  });

  test('SF-21: confirmed already, it is sent on', async () => {
    const world = await aWorkflowWorld();
    await world.resolve();
    await world.request('t1');
    await world.answer(anAccept(ROSA, 1));
    await world.answer(says('confirm-next-step', { by: ROSA, evidence: 'call' }));
    expect(await world.await('t2')).toEqual({ kind: 'over' });
    expect(world.bus.published).toEqual([WAIT_OVER]);
    expect(await world.advance()).toEqual({ handoffId: ID, next: 'closed', waitSeconds: 1 });
  });
});
