import { describe, expect, test } from 'vitest';
import { apply, evolve, replay } from '../../shared/domain/evolve.ts';
import { STATES, TRANSITIONS } from '../../shared/domain/handoff.ts';
import { commandId } from '../../shared/domain/ids.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { aHandoff, anAccept, anOfferedHandoff, anOpening, aPacket, aPolicy, INA, later, NOW, OMAR, ROSA, SAM } from '../support/builders.ts';
import { aLife } from '../support/lives.ts';

const stamp = { at: NOW, commandId: commandId('c'), actor: { kind: 'system', component: 'test' } as const, packetVersion: 1, contractVersion: 'c1' };

function accepted() {
  const life = aLife(aPolicy());
  life.tell({ kind: 'resolve-candidates', commandId: commandId('r'), openCounts: {}, packet: aPacket() }, NOW);
  life.tell({ kind: 'request-acceptance', commandId: commandId('q') }, NOW);
  life.tell(anAccept(ROSA, 1), NOW);
  return life;
}

describe('the fold', () => {
  test('L-05: the first receipt names the custodian', () => {
    expect(apply(undefined, [anOpening()], stamp).handoff).toMatchObject({ custodian: INA, intakeLead: INA, state: 'ready', version: 1 });
  });

  test('L-03: a log folds to the row it was written with', () => {
    const life = accepted();
    expect(replay(life.receipts)).toEqual(life.handoff);
  });

  test('L-03: a receipt that was applied already changes nothing', () => {
    const life = accepted();
    for (const receipt of life.receipts) expect(evolve(life.handoff, receipt)).toBe(life.handoff);
  });

  test('L-02: a log that was damaged is an error, never a guess', () => {
    const [opening, ...rest] = accepted().receipts as [Receipt, Receipt, Receipt, Receipt];
    expect(() => replay([])).toThrow('an empty log');
    expect(() => replay(rest)).toThrow('a log cannot begin with candidates.resolved');
    expect(() => replay([opening, rest[1]])).toThrow('receipt 3 cannot follow 1');
    expect(() => evolve(aHandoff(), { ...rest[2], seq: 2 })).toThrow('offer.accepted cannot happen in ready');
    expect(() => evolve(aHandoff(), { ...opening, seq: 2 })).toThrow('cannot be opened twice');
    expect(() => apply(undefined, [], stamp)).toThrow('nothing to apply');
  });

  test('P-03: each receipt carries the packet version it acted on into the row', () => {
    const { handoff } = apply(anOfferedHandoff(), [{ kind: 'clarification.asked', offer: 1, by: ROSA, owedBy: INA, expiresAt: later(NOW, 1800) }], { ...stamp, packetVersion: 2 });
    expect(handoff.packetVersion).toBe(2);
    expect(handoff.offers[0]?.packetVersion).toBe(1);
  });

  test('E-02: an exception takes over what a receipt demanded, and leaves nothing behind to ask', () => {
    const raised = { kind: 'exception.raised', exception: 1, class: 'system-fault', owner: OMAR, backup: SAM, respondBy: NOW, because: 'x' } as const;
    const { handoff } = apply(aHandoff({ state: 'candidates-resolved', toAsk: SAM, toRaise: { class: 'system-fault', because: 'x' } }), [raised], stamp);
    expect(handoff).not.toHaveProperty('toAsk');
    expect(handoff).not.toHaveProperty('toRaise');
  });
});

describe('the table of transitions', () => {
  test('L-02: every state can be reached (the first again, by a request that turned out to be one of its own), and only the end has no way out', () => {
    const reached = new Set(Object.values(TRANSITIONS).map(({ to }) => to));
    expect(STATES.filter((state) => !reached.has(state))).toEqual([]);
    const left = new Set(Object.values(TRANSITIONS).flatMap(({ from, to }) => (to === 'same' ? [] : from)));
    expect(STATES.filter((state) => !left.has(state))).toEqual(['closed']);
  });

  test('L-04: one kind of receipt leads to accepted', () => {
    const ways = Object.entries(TRANSITIONS).filter(([, { to }]) => to === 'accepted');
    expect(ways.map(([kind]) => kind)).toEqual(['offer.accepted']);
  });
});
