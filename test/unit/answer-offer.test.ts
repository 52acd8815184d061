// What answers do to the row: decisions through the real pages, on the store in memory.

import { describe, expect, test } from 'vitest';
import { verifyAcceptance } from '../../shared/adapters/jose-acceptance.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { anOfferedWorld, aWorld, get, hidden, post, seal, send, textOf, type World } from '../support/answering.ts';
import { aPerson, aPolicy, DANA, INA, NOW, OMAR, ROSA, SAM } from '../support/builders.ts';

const english = () =>
  aPolicy({
    people: ['rosa', 'sam', 'ina', 'omar', 'dana'].map((id) =>
      aPerson(id, { name: id.toUpperCase(), languages: ['en', 'es'], roles: id === 'rosa' || id === 'sam' ? ['seller'] : ['staff'] }),
    ),
  });
const YES = { action: 'accept', nextAction: 'call', due: '2026-03-02T15:00' };

const kinds = async (world: World) => (await world.store.receipts(world.id)).map((receipt) => receipt.kind);

describe('accept', () => {
  test('O-01: a yes with a next action and a due time, read in the zone of the person, is written with one receipt', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA, { channel: 'sms' });
    const reply = await post(world, link, YES);
    expect(reply).toMatchObject({ status: 303, headers: { location: `/a/${link}` } });
    expect((await world.row()).ownership).toMatchObject({ owner: ROSA, nextAction: 'call', dueAt: '2026-03-02T23:00:00.000Z', channel: 'sms', late: false });
    expect(await kinds(world)).toEqual(['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'offer.accepted']);
  });

  test('O-05: the acceptance receipt is signed with the write, for its owner to fetch, and verifies offline', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    await post(world, link, YES);
    const receipt = await world.request({ rawPath: `/a/${link}/receipt` });
    expect(receipt).toMatchObject({ status: 200, headers: { 'content-type': 'application/jose', 'content-disposition': expect.stringMatching(/^attachment/) } });
    const keys = await world.request({ rawPath: '/.well-known/baton-keys.json' });
    const verdict = await verifyAcceptance(receipt.body, JSON.parse(keys.body));
    expect(verdict).toMatchObject({
      kind: 'valid',
      payload: {
        handoffId: world.id,
        seq: 4,
        proposedOwner: 'rosa',
        acceptedOwner: 'rosa',
        acceptedAt: NOW,
        nextAction: 'call',
        packetVersion: 1,
        contractVersion: 'c1',
        channel: 'email',
        source: { system: 'website' },
      },
    });
    expect(receipt.body).not.toContain('example.com');
  });

  test('O-05: nobody else gets the receipt, nor the owner before the yes', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    expect((await world.request({ rawPath: `/a/${link}/receipt` })).status).toBe(404);
    world.time.forward(301);
    await world.wish('time-out');
    await world.wish('request-acceptance');
    await post(world, await world.linkOf(SAM, { number: 2 }), YES);
    expect((await world.request({ rawPath: `/a/${link}/receipt` })).status).toBe(404);
    expect((await world.request({ rawPath: `/a/${await world.linkOf(SAM, { number: 2 })}/receipt` })).status).toBe(200);
  });

  test('LK-15, LK-23: the same yes again, also a day later, changes nothing and shows what stands', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const link = await world.linkOf(ROSA);
    const page = await get(world, link);
    const fields = { page: hidden(page.body, 'page'), seen: '1', ...YES };
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(world, link, fields)));
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(303));
    world.time.forward(86_400);
    expect((await post(world, link, YES)).status).toBe(303);
    expect((await kinds(world)).filter((kind) => kind === 'offer.accepted')).toHaveLength(1);
    expect(textOf((await get(world, link)).body)).toContain('You accepted it Mon, Mar 2, 8:00 AM');
  });

  test('LK-24: whichever of yes and no comes first is final', async () => {
    for (const [first, second] of [
      [YES, { action: 'reject', reason: 'no-capacity' }],
      [{ action: 'reject', reason: 'no-capacity' }, YES],
    ] as const) {
      const world = await anOfferedWorld();
      const link = await world.linkOf(ROSA);
      const [page, other] = [await get(world, link), await get(world, await world.linkOf(ROSA, { channel: 'sms' }))];
      await send(world, link, { page: hidden(page.body, 'page'), seen: '1', ...first });
      const late = await send(world, await world.linkOf(ROSA, { channel: 'sms' }), { page: hidden(other.body, 'page'), seen: '1', ...second });
      expect(late.status).toBe(303);
      expect((await kinds(world)).slice(3)).toEqual([first.action === 'accept' ? 'offer.accepted' : 'offer.rejected']);
    }
  });

  test('CC-01, CC-02: of two people in the same instant one owns it, and the other is told who', async () => {
    const world = await anOfferedWorld({ policy: english() });
    world.time.forward(301);
    await world.wish('time-out');
    await world.wish('request-acceptance');
    const [rosa, sam] = [await world.linkOf(ROSA), await world.linkOf(SAM, { number: 2 })];
    const replies = await Promise.all([post(world, rosa, YES), post(world, sam, YES)]);
    expect(replies.map((reply) => reply.status)).toEqual([303, 303]);
    const owner = (await world.row()).ownership?.owner;
    expect((await kinds(world)).filter((kind) => kind === 'offer.accepted')).toHaveLength(1);
    const loser = owner === ROSA ? sam : rosa;
    expect(textOf((await get(world, loser)).body)).toContain(`${owner?.toUpperCase()} owns this request`);
  });

  test('a row that changed between read and write is read again and decided again, five times at most', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    let stale = 4;
    let reads = 0;
    const { append, load } = world.store;
    world.store.append = async (...given) => (stale-- > 0 ? { kind: 'stale' } : append(...given));
    world.store.load = async (id) => {
      reads += 1;
      return load(id);
    };
    const page = await get(world, link);
    reads = 0;
    expect((await send(world, link, { page: hidden(page.body, 'page'), seen: '1', ...YES })).status).toBe(303);
    expect(reads).toBe(5);
    expect((await world.row()).ownership?.owner).toBe(ROSA);
    stale = 5;
    const other = await anOfferedWorld();
    other.store.append = async () => ({ kind: 'stale' });
    const again = await get(other, await other.linkOf(ROSA));
    await expect(send(other, await other.linkOf(ROSA), { page: hidden(again.body, 'page'), seen: '1', ...YES })).rejects.toThrow('kept changing');
  });

  test('a winning yes costs one read of the link, one of all that it is decided on, and one write', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    const page = await get(world, link);
    const calls: string[] = [];
    const counted = <T extends object>(name: string, target: T): T =>
      new Proxy(target, {
        get: (object, key) => {
          calls.push(`${name}.${String(key)}`);
          return Reflect.get(object, key);
        },
      });
    Object.assign(world.deps, { store: counted('store', world.store), links: counted('links', world.links), cases: counted('cases', world.deps.cases) });
    await send(world, link, { page: hidden(page.body, 'page'), seen: '1', ...YES });
    expect(calls).toEqual(['links.find', 'cases.open', 'store.append']);
  });

  test('DB-01: our own write whose answer got lost is a success', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    const { append } = world.store;
    world.store.append = async (...given) => {
      await append(...given);
      return append(...given);
    };
    expect((await post(world, link, YES)).status).toBe(303);
    expect((await kinds(world)).filter((kind) => kind === 'offer.accepted')).toHaveLength(1);
  });

  test('LK-28: facts that changed after the page was shown are shown first, and a second yes counts', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    const page = await get(world, link);
    const row = world.table.handoffs.get(world.id);
    if (row === undefined) throw new Error('no row');
    row.packets.set(2, { ...(row.packets.get(1) as never as object), version: 2, request: { words: 'Two roofs leak.' } } as never);
    row.head = { ...row.head, packetVersion: 2 };
    const refused = await send(world, link, { page: hidden(page.body, 'page'), seen: hidden(page.body, 'seen'), ...YES });
    expect(refused.status).toBe(409);
    expect(refused.body).toContain('Two roofs leak.');
    expect(refused.body).toMatch(/value="call" checked/);
    expect(await kinds(world)).not.toContain('offer.accepted');
    expect((await send(world, link, { page: hidden(refused.body, 'page'), seen: hidden(refused.body, 'seen'), ...YES })).status).toBe(303);
    expect((await world.row()).ownership?.owner).toBe(ROSA);
  });

  test('a form that does not say which facts it showed counts as an old one', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    for (const seen of ['', '0', '-1', 'x', '1e3', '999999999']) expect((await post(world, link, { ...YES, seen })).status).toBe(409);
    expect(await kinds(world)).not.toContain('offer.accepted');
  });

  test('LK-12: the last millisecond before the deadline is in time, the deadline itself is not', async () => {
    const strict = english();
    const policy = { ...strict, contract: { ...strict.contract, lateAcceptance: 'deny' as const } };
    const early = await anOfferedWorld({ policy });
    const page = await get(early, await early.linkOf(ROSA));
    early.time.forward(299.999);
    await send(early, await early.linkOf(ROSA), { page: hidden(page.body, 'page'), seen: '1', ...YES });
    expect((await early.row()).ownership?.owner).toBe(ROSA);
    const late = await anOfferedWorld({ policy });
    const other = await get(late, await late.linkOf(ROSA));
    late.time.forward(300);
    expect((await send(late, await late.linkOf(ROSA), { page: hidden(other.body, 'page'), seen: '1', ...YES })).status).toBe(303);
    expect((await late.row()).ownership).toBeUndefined();
    expect(textOf((await get(late, await late.linkOf(ROSA))).body)).toContain('The time to answer is over');
  });

  test('CC-08, L-09: a late yes wins while nobody else said yes, and the other offer is superseded', async () => {
    const world = await anOfferedWorld({ policy: english() });
    world.time.forward(301);
    await world.wish('time-out');
    await world.wish('request-acceptance');
    const rosa = await world.linkOf(ROSA);
    expect(textOf((await get(world, rosa)).body)).toMatch(/Nobody else has taken it, so you still can/);
    await post(world, rosa, YES);
    expect((await world.row()).ownership).toMatchObject({ owner: ROSA, late: true });
    expect((await kinds(world)).slice(-2)).toEqual(['offer.accepted', 'offer.superseded']);
    expect(textOf((await get(world, await world.linkOf(SAM, { number: 2 }))).body)).toContain('ROSA owns this request');
  });
});

describe('the other answers', () => {
  test('O-02: a no with its reason; the explanation is kept beside the receipt, not in it', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const link = await world.linkOf(ROSA);
    await post(world, link, { action: 'reject', reason: 'other', explanation: 'She is my sister,\r\nso no.\u0000' });
    expect((await world.store.receipts(world.id)).at(-1)).toMatchObject({ kind: 'offer.rejected', reason: 'other', actor: { kind: 'person', person: 'rosa', channel: 'email' } });
    expect(await world.store.notes(world.id)).toEqual([{ seq: 4, kind: 'explanation', text: 'She is my sister,\nso no.' }]);
    expect(JSON.stringify(await world.store.receipts(world.id))).not.toContain('sister');
    expect(textOf((await get(world, link)).body)).toContain('You said no');
  });

  test('O-06 P-03: whoever owes the answer gives it on a page of their own, and it stands in the next version of the facts', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const link = await world.linkOf(ROSA);
    await post(world, link, { action: 'ask-clarification', question: 'Flat roof?' });
    const ina = await world.linkOf(INA, { purpose: 'clarification' });
    const asked = textOf((await get(world, ina)).body);
    expect(asked).toContain('A question for you');
    expect(asked).toContain('Flat roof?');
    expect((await post(world, ina, { action: 'answer-question', answer: ' ' })).status).toBe(422);
    expect((await post(world, ina, YES)).status).toBe(303);
    expect((await world.row()).ownership).toBeUndefined();

    expect((await post(world, ina, { action: 'answer-question', answer: 'Yes, call ada@example.com about it.' })).status).toBe(303);
    const loaded = await world.store.load(world.id);
    expect(loaded?.packet).toMatchObject({ version: 2, answers: [{ question: 'Flat roof?', answer: 'Yes, call ada@example.com about it.', by: INA }] });
    expect(loaded?.handoff.offers).toMatchObject([{ status: 'pending', packetVersion: 2 }]);
    expect(JSON.stringify(await world.store.receipts(world.id))).not.toContain('about it');
    expect(textOf((await get(world, ina)).body)).toContain('Nothing is open here');
    const seller = textOf((await get(world, link)).body);
    expect(seller).toContain('about it');
    expect(seller).not.toContain('ada@example.com');
    expect((await post(world, link, YES)).status).toBe(303);
    expect((await world.row()).ownership?.owner).toBe(ROSA);
  });

  test('O-06: the link of a question answers nothing else, and the link of an offer no question', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const link = await world.linkOf(ROSA);
    await post(world, link, { action: 'ask-clarification', question: 'Flat roof?' });
    await post(world, link, { action: 'answer-question', answer: 'I say so.' });
    expect((await world.row()).offers[0]?.status).toBe('clarifying');
  });

  test('O-06: a question leaves the offer open, and is asked once', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const link = await world.linkOf(ROSA);
    await post(world, link, { action: 'ask-clarification', question: 'Flat roof?' });
    expect((await world.row()).state).toBe('acceptance-requested');
    expect(await world.store.notes(world.id)).toEqual([{ seq: 4, kind: 'question', text: 'Flat roof?' }]);
    const page = await get(world, link);
    expect(textOf(page.body)).toContain('Your question was sent today, 8:00 AM');
    expect(page.body).not.toContain('value="ask-clarification"');
    expect((await post(world, link, { action: 'ask-clarification', question: 'And?' })).status).toBe(303);
    expect((await post(world, link, YES)).status).toBe(303);
    expect((await world.row()).ownership?.owner).toBe(ROSA);
  });

  test('D-01: a duplicate must name another request that exists', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    const other = `h-${'c'.repeat(32)}`;
    for (const duplicateOf of ['', 'h-1', other, world.id]) expect((await post(world, link, { action: 'mark-duplicate', duplicateOf })).status).toBe(422);
    const row = world.table.handoffs.get(world.id);
    if (row !== undefined) world.table.handoffs.set(handoffId(other), { ...row, head: { ...row.head, id: handoffId(other) } });
    expect((await post(world, link, { action: 'mark-duplicate', duplicateOf: ` ${other.toUpperCase()} ` })).status).toBe(303);
    expect((await world.store.receipts(world.id)).at(-1)).toMatchObject({ kind: 'duplicate.marked', of: other, raise: 'possible-duplicate' });
  });

  test('L-07: the owner confirms the next step with evidence, then closes with a result', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const link = await world.linkOf(ROSA);
    await post(world, link, YES);
    await post(world, link, { action: 'confirm-next-step', evidence: 'call', evidenceNote: 'Ten minutes.' });
    expect((await world.row()).nextStep).toMatchObject({ evidence: 'call' });
    expect((await post(world, link, { action: 'close', outcome: 'completed', result: ' ' })).status).toBe(422);
    await post(world, link, { action: 'close', outcome: 'completed', result: 'Signed.' });
    expect((await world.row()).outcome).toMatchObject({ kind: 'completed', by: ROSA });
    expect((await world.store.notes(world.id)).map(({ kind, text }) => [kind, text])).toEqual([
      ['evidence', 'Ten minutes.'],
      ['result', 'Signed.'],
    ]);
    expect(textOf((await get(world, link)).body)).toContain('ROSA closed it today, 8:00 AM. Outcome Done, with a result Signed receipt');
  });

  test('only the owner can close: somebody else’s link is told whose it is', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const rosa = await world.linkOf(ROSA);
    const page = hidden((await get(world, rosa)).body, 'page');
    world.time.forward(301);
    await world.wish('time-out');
    await world.wish('request-acceptance');
    await post(world, await world.linkOf(SAM, { number: 2 }), YES);
    expect((await send(world, rosa, { page, action: 'close', outcome: 'withdrawn' })).status).toBe(303);
    expect((await send(world, rosa, { page, action: 'confirm-next-step', evidence: 'call' })).status).toBe(303);
    expect((await world.row()).state).toBe('accepted');
  });
});

describe('exceptions', () => {
  const declined = async () => {
    const world = await anOfferedWorld({ policy: english() });
    await post(world, await world.linkOf(ROSA), { action: 'reject', reason: 'no-capacity' });
    await world.wish('request-acceptance');
    await post(world, await world.linkOf(SAM, { number: 2 }), { action: 'reject', reason: 'no-capacity' });
    await world.wish('raise-exception');
    return world;
  };

  test('E-02: the exception owner accepts with a receipt, and only with the box ticked', async () => {
    const world = await declined();
    const link = await world.linkOf(OMAR, { purpose: 'exception' });
    expect((await post(world, link, { action: 'accept-exception' })).status).toBe(422);
    expect((await world.row()).exceptions[0]?.acceptedAt).toBeUndefined();
    await post(world, link, { action: 'accept-exception', confirm: 'yes' });
    expect((await world.store.receipts(world.id)).at(-1)).toMatchObject({ kind: 'exception.accepted', by: 'omar', channel: 'email' });
    expect(textOf((await get(world, link)).body)).toMatch(
      /You answer for this request.*Everyone who was asked said no.*Before you ROSA: said no: “I have no time for it”; SAM: said no/,
    );
  });

  test('E-03: nothing is resolved before it was accepted', async () => {
    const world = await declined();
    const link = await world.linkOf(OMAR, { purpose: 'exception' });
    for (const fields of [
      { action: 'assign', assignTo: 'dana' },
      { ...YES, action: 'take' },
      { action: 'close', outcome: 'withdrawn' },
    ])
      expect((await post(world, link, fields)).status).toBe(303);
    expect((await world.row()).exceptions[0]?.resolvedAt).toBeUndefined();
  });

  test('E-03 LK-28: its owner puts the facts right on the page, on the version that they saw, and the request begins anew', async () => {
    const world = await declined();
    const link = await world.linkOf(OMAR, { purpose: 'exception' });
    await post(world, link, { action: 'accept-exception', confirm: 'yes' });
    const page = textOf((await get(world, link)).body);
    expect(page).toContain('Put the facts right');
    expect((await post(world, link, { action: 'correct', seen: '1' })).status).toBe(422);
    expect((await post(world, link, { action: 'correct', seen: '1', country: 'Oregon', product: 'tile' })).status).toBe(422);
    expect((await post(world, link, { action: 'correct', seen: '7', product: 'tile' })).status).toBe(409);
    expect((await world.row()).state).toBe('exception');

    await post(world, link, { action: 'correct', seen: '1', product: 'tile' });
    expect(await world.row()).toMatchObject({ state: 'ready', packetVersion: 2 });
    expect((await world.store.load(world.id))?.packet).toMatchObject({ version: 2, request: { product: 'tile' } });
    expect((await world.store.receipts(world.id)).at(-1)).toMatchObject({ kind: 'exception.cleared', paths: ['request.product'] });
    expect(textOf((await get(world, link)).body)).toContain('This is settled');
  });

  test('E-03: it is resolved by asking a named person, by taking it, or by closing it', async () => {
    const accepted = async () => {
      const world = await declined();
      const link = await world.linkOf(OMAR, { purpose: 'exception' });
      await post(world, link, { action: 'accept-exception', confirm: 'yes' });
      return { world, link };
    };
    const assigned = await accepted();
    expect((await post(assigned.world, assigned.link, { action: 'assign', assignTo: 'nobody' })).status).toBe(422);
    await post(assigned.world, assigned.link, { action: 'assign', assignTo: 'dana' });
    expect(await assigned.world.row()).toMatchObject({ state: 'candidates-resolved', toAsk: DANA });
    expect(textOf((await get(assigned.world, assigned.link)).body)).toContain('This is settled');

    const taken = await accepted();
    await post(taken.world, taken.link, { ...YES, action: 'take' });
    expect((await taken.world.row()).ownership?.owner).toBe(OMAR);
    expect((await taken.world.request({ rawPath: `/a/${taken.link}/receipt` })).status).toBe(200);
    await post(taken.world, taken.link, { action: 'confirm-next-step', evidence: 'visit' });
    expect((await taken.world.row()).state).toBe('next-step-confirmed');

    const closed = await accepted();
    await post(closed.world, closed.link, { action: 'close', outcome: 'withdrawn' });
    expect((await closed.world.row()).outcome).toMatchObject({ kind: 'withdrawn', by: OMAR });
  });

  test('E-02: after an escalation the earlier owner is told who answers now', async () => {
    const world = await declined();
    const link = await world.linkOf(OMAR, { purpose: 'exception' });
    const page = hidden((await get(world, link)).body, 'page');
    world.time.forward(1801);
    await world.wish('escalate-exception');
    expect((await send(world, link, { page, action: 'accept-exception', confirm: 'yes' })).status).toBe(303);
    expect(textOf((await get(world, link)).body)).toContain('DANA answers for this request now');
    expect((await world.row()).exceptions[0]?.acceptedAt).toBeUndefined();
  });

  test('LK-14: an offer’s link answers no exception, and an exception’s link no offer', async () => {
    const world = await declined();
    const offer = await world.linkOf(ROSA);
    const exception = await world.linkOf(OMAR, { purpose: 'exception' });
    await post(world, offer, { action: 'accept-exception', confirm: 'yes' });
    await post(world, exception, YES);
    expect(await world.row()).toMatchObject({ state: 'exception' });
    expect((await world.row()).exceptions[0]?.acceptedAt).toBeUndefined();
    expect((await world.row()).ownership).toBeUndefined();
  });
});

describe('people', () => {
  test('whoever left the roster still sees what became of their offer', async () => {
    const world = await anOfferedWorld({ policy: english() });
    const link = await world.linkOf(ROSA);
    const { active } = world.table.policy;
    if (active !== undefined) world.table.policy.active = { ...active, roster: { ...active.roster, people: active.roster.people.filter((person) => person.id !== ROSA) } };
    expect((await get(world, link)).status).toBe(200);
  });

  test('a link whose ninety days are over opens nothing', async () => {
    const world = await anOfferedWorld();
    const link = await world.linkOf(ROSA);
    world.time.forward(90 * 86_400 + 300);
    expect((await get(world, link)).status).toBe(404);
  });

  test('a handoff that was never opened has no pages', async () => {
    const world = await aWorld();
    const id = await seal.mint({ purpose: 'offer', handoffId: world.id, number: 1, person: ROSA });
    expect((await get(world, id)).status).toBe(404);
  });
});
