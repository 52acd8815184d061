import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replay } from '../../shared/domain/evolve.ts';
import { personId } from '../../shared/domain/ids.ts';
import { acceptance, aLink, ana, aPacket, aSignal, at, ben, chen, commit, givenAnOffer, idOf, opening, raising, request, step } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

describe.each(storeKinds('handoff-store'))('a handoff store $name', ({ start }) => {
  let stores: Stores;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await start();
    stop = started.stop;
    stores = await started.fresh();
  });
  afterAll(() => stop());

  it('L-01: gives back exactly what was opened, and nothing for an unknown handoff', async () => {
    const { handoffs } = stores;
    const opened = step(undefined, 'open', 0, opening(idOf('opened')));
    expect(await handoffs.load(idOf('opened'))).toBeUndefined();
    expect(await handoffs.append(undefined, opened.after, opened.receipts, { packet: aPacket() })).toEqual({ kind: 'written' });
    expect(await handoffs.load(idOf('opened'))).toEqual({ handoff: opened.after, packet: aPacket() });
    expect(await handoffs.receipts(idOf('opened'))).toEqual(opened.receipts);
    expect(await handoffs.receipts(idOf('unknown'))).toEqual([]);
  });

  it('L-03: the row is the fold of its log after every step', async () => {
    const { handoffs } = stores;
    const id = idOf('fold');
    const offered = await givenAnOffer(handoffs, id);
    const moved = await commit(handoffs, step(offered, 'silence', 31, { kind: 'offer.timed-out', offer: 1, to: ana, deadlineAt: at(30) }));
    await commit(handoffs, step(moved, 'raise', 32, raising(1)));
    const loaded = await handoffs.load(id);
    expect(loaded?.handoff).toEqual(replay(await handoffs.receipts(id)));
  });

  it('DB-05: several receipts of one command are written together, in order', async () => {
    const { handoffs } = stores;
    const offered = await givenAnOffer(handoffs, idOf('together'));
    const silent = await commit(handoffs, step(offered, 'silence', 31, { kind: 'offer.timed-out', offer: 1, to: ana, deadlineAt: at(30) }, request(2, ben, 60)));
    const late = await commit(handoffs, step(silent, 'late', 32, acceptance(1, ana, 120), { kind: 'offer.superseded', offer: 2, by: ana }));
    expect(late.version).toBe(7);
    expect((await handoffs.receipts(late.id)).map((receipt) => receipt.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('DB-01: the same command again is answered as applied, whatever happened since', async () => {
    const { handoffs } = stores;
    const offered = await givenAnOffer(handoffs, idOf('again'));
    const yes = step(offered, 'yes', 5, acceptance(1, ana, 120));
    const accepted = await commit(handoffs, yes);
    const repeated = step(offered, 'yes', 6, acceptance(1, ana, 120));
    expect(await handoffs.append(offered, repeated.after, repeated.receipts)).toEqual({ kind: 'already-applied', handoff: accepted });
    const closed = await commit(handoffs, step(accepted, 'close', 7, { kind: 'handoff.closed', outcome: 'withdrawn', by: ana }));
    expect(await handoffs.append(offered, repeated.after, repeated.receipts)).toEqual({ kind: 'already-applied', handoff: closed });
    expect(await handoffs.receipts(accepted.id)).toHaveLength(5);
  });

  it('DB-02: repeated with another time it changes nothing, and the first time stands', async () => {
    const { handoffs } = stores;
    const offered = await givenAnOffer(handoffs, idOf('frozen'));
    await commit(handoffs, step(offered, 'yes', 5, acceptance(1, ana, 120)));
    const later = step(offered, 'yes', 16, acceptance(1, ana, 120));
    expect(await handoffs.append(offered, later.after, later.receipts)).toMatchObject({ kind: 'already-applied' });
    expect((await handoffs.load(offered.id))?.handoff.ownership?.acceptedAt).toBe(at(5));
  });

  it('CC-02: another command at the same place is stale, and leaves no trace of what came with it', async () => {
    const { handoffs, links, waits } = stores;
    const offered = await givenAnOffer(handoffs, idOf('stale'));
    await commit(handoffs, step(offered, 'yes', 5, acceptance(1, ana, 120)), { acceptance: { seq: 4, jws: 'a.b.c' } });
    const silence = step(offered, 'silence', 31, { kind: 'offer.timed-out', offer: 1, to: ana, deadlineAt: at(30) });
    const alongside = {
      links: [aLink('L-STALE')],
      wait: { wait: 'offer:1', token: 't-stale', storedAt: at(31) } as const,
      notes: [{ seq: 4, kind: 'question', text: 'lost' } as const],
    };
    expect(await handoffs.append(offered, silence.after, silence.receipts, alongside)).toEqual({ kind: 'stale' });
    expect(await links.find('L-STALE')).toBeUndefined();
    expect(await waits.find(offered.id)).toBeUndefined();
    expect(await handoffs.notes(offered.id)).toEqual([]);
    expect(await handoffs.acceptances(offered.id)).toEqual([{ seq: 4, jws: 'a.b.c' }]);
  });

  it('L-01: opening twice opens once, and settles the signal with it', async () => {
    const { handoffs, signals } = stores;
    const signal = aSignal('open-twice');
    await signals.record(signal, 'hash', at(0));
    const first = step(undefined, 'open', 0, opening(idOf('open-twice')));
    const settles = { packet: aPacket(), signal };
    expect(await handoffs.append(undefined, first.after, first.receipts, settles)).toEqual({ kind: 'written' });
    const second = step(undefined, 'open', 1, opening(idOf('open-twice')));
    expect(await handoffs.append(undefined, second.after, second.receipts, settles)).toMatchObject({ kind: 'already-applied' });
    expect(await signals.record(signal, 'hash', at(2))).toEqual({ kind: 'known', standing: { kind: 'opened', handoffId: first.after.id } });
  });

  it('L-01: a signal that was ignored or never recorded opens nothing: a fault, not a race', async () => {
    const { handoffs, signals } = stores;
    const opened = step(undefined, 'open', 0, opening(idOf('no-signal')));
    await expect(handoffs.append(undefined, opened.after, opened.receipts, { packet: aPacket(), signal: aSignal('never') })).rejects.toThrow(/signal/);
    await signals.record(aSignal('ignored'), 'hash', at(0));
    await signals.ignore(aSignal('ignored'), 'no contract', at(0));
    await expect(handoffs.append(undefined, opened.after, opened.receipts, { packet: aPacket(), signal: aSignal('ignored') })).rejects.toThrow(/signal/);
    expect(await handoffs.load(opened.after.id)).toBeUndefined();
  });

  it('L-03: receipts that do not lead from the row before to the row after are refused before anything is written', async () => {
    const { handoffs } = stores;
    const offered = await givenAnOffer(handoffs, idOf('gap'));
    const yes = step(offered, 'yes', 5, acceptance(1, ana, 120));
    await expect(handoffs.append(undefined, yes.after, yes.receipts)).rejects.toThrow();
    await expect(handoffs.append(offered, yes.after, [])).rejects.toThrow();
    expect(await handoffs.receipts(offered.id)).toHaveLength(3);
  });

  it('P-02: free text stays beside the log, under the number of its receipt', async () => {
    const { handoffs } = stores;
    const offered = await givenAnOffer(handoffs, idOf('notes'));
    const asked = await commit(handoffs, step(offered, 'ask', 5, { kind: 'clarification.asked', offer: 1, by: ana, owedBy: ana, expiresAt: '2026-03-02T17:00:00.000Z' }), {
      notes: [{ seq: 4, kind: 'question', text: 'Is the slate original?' }],
    });
    await commit(handoffs, step(asked, 'no', 6, { kind: 'offer.rejected', offer: 1, by: ana, reason: 'other', flagRule: false }), {
      notes: [{ seq: 5, kind: 'explanation', text: '' }],
    });
    expect(await handoffs.notes(offered.id)).toEqual([
      { seq: 4, kind: 'question', text: 'Is the slate original?' },
      { seq: 5, kind: 'explanation', text: '' },
    ]);
  });

  it('R-03: counts the open handoffs of each person: asked or owning, until closed', async () => {
    const { handoffs } = stores;
    const people = [personId('dora'), personId('emil'), personId('nobody')];
    const [dora, emil] = people as [typeof ana, typeof ana, typeof ana];
    const one = await givenAnOffer(handoffs, idOf('count-1'), dora);
    await givenAnOffer(handoffs, idOf('count-2'), dora);
    const three = await givenAnOffer(handoffs, idOf('count-3'), emil);
    expect(await handoffs.openCounts([...people, dora])).toEqual({ dora: 2, emil: 1, nobody: 0 });
    const silent = step(one, 'silence', 31, { kind: 'offer.timed-out', offer: 1, to: dora, deadlineAt: at(30) });
    await commit(handoffs, silent);
    const owned = await commit(handoffs, step(three, 'yes', 5, acceptance(1, emil, 120)));
    expect(await handoffs.openCounts(people)).toEqual({ dora: 1, emil: 1, nobody: 0 });
    await commit(handoffs, step(owned, 'close', 6, { kind: 'handoff.closed', outcome: 'completed', by: emil }));
    expect(await handoffs.openCounts(people)).toEqual({ dora: 1, emil: 0, nobody: 0 });
    expect(await handoffs.openCounts([])).toEqual({});
  });

  it('DB-12: the row stays small however long its log gets, and a yes still works', async () => {
    const { handoffs } = stores;
    let handoff = await givenAnOffer(handoffs, idOf('long'));
    const size = JSON.stringify(handoff).length;
    for (let batch = 0; batch < 25; batch += 1) {
      const questions = Array.from({ length: 8 }, () => ({ kind: 'clarification.asked', offer: 1, by: ana, owedBy: ana, expiresAt: '2026-03-02T17:00:00.000Z' }) as const);
      handoff = await commit(handoffs, step(handoff, `ask-${batch}`, 5, ...questions));
    }
    const loaded = await handoffs.load(handoff.id);
    expect(JSON.stringify(loaded?.handoff).length - size).toBeLessThan(200);
    const accepted = await commit(handoffs, step(handoff, 'yes', 6, acceptance(1, ana, 120)));
    expect(await handoffs.receipts(accepted.id)).toHaveLength(204);
  });

  it('CC-01: two people say yes at once, two hundred times: exactly one wins each time', async () => {
    const { handoffs } = stores;
    const round = async (number: number) => {
      const offered = await givenAnOffer(handoffs, idOf(`race-${number}`));
      const one = step(offered, 'yes-ana', 5, acceptance(1, ana, 120));
      const other = step(offered, 'yes-ben', 5, acceptance(1, ben, 120));
      const answers = await Promise.all([one, other].map(({ before, after, receipts }) => handoffs.append(before, after, receipts)));
      const log = await handoffs.receipts(offered.id);
      return { kinds: answers.map((answer) => answer.kind).sort(), yes: log.filter((receipt) => receipt.kind === 'offer.accepted').length };
    };
    for (let start = 0; start < 200; start += 20) {
      const rounds = await Promise.all(Array.from({ length: 20 }, (_, index) => round(start + index)));
      expect(rounds).toEqual(rounds.map(() => ({ kinds: ['stale', 'written'], yes: 1 })));
    }
  }, 60_000);

  it('LK-23: twenty parallel clicks of one person write one receipt, and every click is answered as applied', async () => {
    const { handoffs } = stores;
    const offered = await givenAnOffer(handoffs, idOf('clicks'));
    const clicks = Array.from({ length: 20 }, (_, index) => step(offered, 'yes', 5 + index, acceptance(1, ana, 120)));
    const answers = await Promise.all(clicks.map(({ before, after, receipts }) => handoffs.append(before, after, receipts)));
    expect(answers.filter((answer) => answer.kind === 'written')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'already-applied')).toHaveLength(19);
    expect(await handoffs.receipts(offered.id)).toHaveLength(4);
  });

  it('SF-03: a yes and a time-out in the same instant leave one of them, and one row that agrees', async () => {
    const { handoffs } = stores;
    for (let number = 0; number < 20; number += 1) {
      const offered = await givenAnOffer(handoffs, idOf(`instant-${number}`));
      const yes = step(offered, 'yes', 30, acceptance(1, ana, 120));
      const silence = step(offered, 'silence', 30, { kind: 'offer.timed-out', offer: 1, to: ana, deadlineAt: at(30) });
      const both = number % 2 === 0 ? [yes, silence] : [silence, yes];
      await Promise.all(both.map(({ before, after, receipts }) => handoffs.append(before, after, receipts)));
      const loaded = await handoffs.load(offered.id);
      expect(loaded?.handoff).toEqual(replay(await handoffs.receipts(offered.id)));
      expect(loaded?.handoff.version).toBe(4);
    }
  });

  it('L-03: every kind of fact survives the table unchanged', async () => {
    const { handoffs } = stores;
    const id = idOf('every-kind');
    let handoff = await givenAnOffer(handoffs, id);
    const go = async (command: string, ...facts: Parameters<typeof step>[3][]) => {
      handoff = await commit(handoffs, step(handoff, command, handoff.version * 10, ...facts));
    };
    await go('ask', { kind: 'clarification.asked', offer: 1, by: ana, owedBy: ana, expiresAt: '2026-03-02T17:00:00.000Z' });
    await go('no', { kind: 'offer.rejected', offer: 1, by: ana, reason: 'missing-required-field', field: 'contact.phone', flagRule: true });
    await go('backup', request(2, ben, 90));
    await go('same', { kind: 'duplicate.marked', offer: 2, by: ben, of: idOf('other'), raise: 'possible-duplicate' });
    await go('raise', raising(1));
    await go('mine', { kind: 'exception.accepted', exception: 1, by: chen, reviewAt: at(500), channel: 'sms' });
    await go('escalate', { kind: 'exception.escalated', exception: 1, from: chen, to: ben, respondBy: at(700), because: 'review-passed' });
    await go('assign', { kind: 'exception.resolved', exception: 1, by: ben, resolution: 'assigned', to: ana });
    await go('third', request(3, ana, 800));
    await go('yes', acceptance(3, ana, 900));
    await go('overdue', { kind: 'next-step.overdue', owner: ana, dueAt: at(900), graceUntil: at(960), raise: 'write-unreconciled' });
    await go('real', { kind: 'next-step.confirmed', by: ana, evidence: 'visit' });
    await go('end', { kind: 'handoff.closed', outcome: 'completed', by: ana });
    expect((await handoffs.load(id))?.handoff).toEqual(handoff);
    expect(replay(await handoffs.receipts(id))).toEqual(handoff);
  });
});
