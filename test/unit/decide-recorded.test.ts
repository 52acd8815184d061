import { expect, test } from 'vitest';
import { decide } from '../../shared/domain/decide.ts';
import { apply } from '../../shared/domain/evolve.ts';
import { type Handoff, STATES } from '../../shared/domain/handoff.ts';
import { commandId } from '../../shared/domain/ids.ts';
import { measure } from '../../shared/domain/measures.ts';
import { aHandoff, anOffer, aPolicy, later, NOW, ROSA } from '../support/builders.ts';

const ownership = { owner: ROSA, offer: 1, acceptedAt: NOW, nextAction: 'call', dueAt: later(NOW, 3600), late: false, channel: 'email' } as const;
const owned = (more: Partial<Handoff> = {}) => aHandoff({ state: 'accepted', custodian: ROSA, ownership, offers: [anOffer({ status: 'accepted', endedAt: NOW })], ...more });
const says = (handoff: Handoff, result = 'won') => decide(handoff, { kind: 'record-outcome', commandId: commandId('o'), system: 'crm', result }, aPolicy(), NOW);
const told = (handoff: Handoff, result = 'won') => {
  const decision = says(handoff, result);
  if (decision.kind !== 'decided') throw new Error(decision.kind);
  const stamp = { at: later(NOW, 60), commandId: commandId('o'), actor: { kind: 'system', component: 'crm' } as const, packetVersion: 1, contractVersion: 'c1' };
  return apply(handoff, decision.facts, stamp).handoff;
};

test('X-02 X-05: what the CRM says of the end is recorded in its name; owner, promise and state stay as they are', () => {
  const before = owned();
  const { version: _, changedAt: __, lastReceipt: ___, movedAt: ____, recorded, ...after } = told(before);
  expect(recorded).toEqual({ system: 'crm', result: 'won', at: later(NOW, 60) });
  expect(before).toMatchObject(after);
});

test('X-02 L-04: a stage moved before anybody said yes is an observation, and makes nobody an owner', () => {
  for (const state of STATES) {
    const after = told(aHandoff({ state }));
    expect(after).toMatchObject({ state, custodian: 'ina', recorded: { result: 'won' } });
    expect(after.ownership).toBeUndefined();
    expect(measure([after], NOW, later(NOW, 100)).funnel.accepted).toBe(0);
  }
});

test('X-05: the same word again is no news, another one replaces it, and also a closed handoff hears of its outcome', () => {
  const won = told(owned());
  expect(says(won)).toEqual({ kind: 'already-done' });
  expect(told(won, 'lost').recorded?.result).toBe('lost');
  const closed = owned({ state: 'closed', outcome: { kind: 'completed', at: NOW, by: ROSA } });
  expect(told(closed)).toMatchObject({ state: 'closed', recorded: { result: 'won' } });
});

test('X-05 M-06: an outcome from the authoritative system is no longer unknown, and is counted apart', () => {
  const { funnel, rates } = measure([told(owned()), owned()], NOW, later(NOW, 100));
  expect(funnel).toMatchObject({ accepted: 2, outcomeFromSystem: 1, outcomeUnknown: 1, closed: 0 });
  expect(rates.outcomesRecorded).toBe(0.5);
});
