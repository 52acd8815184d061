import { describe, expect, test } from 'vitest';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { attentionAt, nextStep } from '../../shared/domain/next-step.ts';
import { aHandoff, anException, anOffer, anOfferedHandoff, aPolicy, DANA, INA, later, NOW, OMAR, ROSA, SAM } from '../support/builders.ts';

const policy = aPolicy();
const next = (handoff: Handoff, seconds = 0) => nextStep(handoff, policy, later(NOW, seconds));
const candidates = [
  { person: ROSA, step: 0, rule: 'a' },
  { person: SAM, step: 1, rule: 'b' },
];
const owned = (more: Partial<Handoff> = {}) =>
  anOfferedHandoff({
    state: 'accepted',
    custodian: ROSA,
    offers: [anOffer({ status: 'accepted' })],
    ownership: { owner: ROSA, offer: 1, acceptedAt: NOW, nextAction: 'call', dueAt: later(NOW, 3600), late: false, channel: 'email' },
    ...more,
  });

describe('what a handoff needs next', () => {
  test('a new handoff needs candidates, unless a fact is missing', () => {
    expect(next(aHandoff())).toEqual({ kind: 'resolve-candidates' });
    expect(next(aHandoff({ toRaise: { class: 'missing-context', because: 'missing: request.words' } }))).toEqual({
      kind: 'raise-exception',
      class: 'missing-context',
      because: 'missing: request.words',
    });
  });

  test('O-07: candidates are asked in order, each once', () => {
    expect(next(aHandoff({ state: 'candidates-resolved', candidates }))).toEqual({ kind: 'request-acceptance', to: ROSA, step: 0, rule: 'a' });
    expect(next(aHandoff({ state: 'candidates-resolved', candidates, offers: [anOffer({ status: 'timed-out' })] }))).toEqual({
      kind: 'request-acceptance',
      to: SAM,
      step: 1,
      rule: 'b',
    });
  });

  test('E-01: the class says why nobody is left', () => {
    const over = (offers: Handoff['offers']) => next(aHandoff({ state: 'candidates-resolved', offers }));
    expect(over([])).toMatchObject({ class: 'no-eligible-owner' });
    expect(over([anOffer({ status: 'rejected' })])).toMatchObject({ class: 'all-declined' });
    expect(over([anOffer({ status: 'rejected' }), anOffer({ number: 2, status: 'timed-out' })])).toMatchObject({ class: 'nobody-answered' });
  });

  test('E-03: a person named by the exception owner comes first, what a receipt demands before that', () => {
    const named = aHandoff({ state: 'candidates-resolved', candidates, toAsk: SAM });
    expect(next(named)).toMatchObject({ kind: 'request-acceptance', to: SAM });
    expect(next({ ...named, toRaise: { class: 'possible-duplicate', because: 'x' } })).toMatchObject({ kind: 'raise-exception', class: 'possible-duplicate' });
  });

  test('an offer is waited for until its deadline and not a second longer', () => {
    expect(next(anOfferedHandoff(), 299)).toEqual({ kind: 'await', wait: 'offer:1', until: later(NOW, 300) });
    expect(next(anOfferedHandoff(), 300)).toEqual({ kind: 'time-out', offer: 1 });
  });

  test('O-07: the reminder is a wait of its own within the same offer', () => {
    const warned = anOfferedHandoff({ offers: [anOffer({ warnAt: later(NOW, 180) })] });
    expect(next(warned)).toEqual({ kind: 'await', wait: 'offer:1:warn', until: later(NOW, 180) });
    expect(next(warned, 180)).toEqual({ kind: 'remind', offer: 1 });
    expect(next(warned, 300)).toEqual({ kind: 'time-out', offer: 1 });
    const reminded = anOfferedHandoff({ offers: [anOffer({ warnAt: later(NOW, 180), remindedAt: later(NOW, 180) })] });
    expect(next(reminded, 180)).toEqual({ kind: 'await', wait: 'offer:1', until: later(NOW, 300) });
  });

  test('E-02: an exception is waited for, escalated, and in the end stands with the last named person', () => {
    const raised = (more: object) => aHandoff({ state: 'exception', exceptions: [anException(more)] });
    expect(next(raised({}))).toEqual({ kind: 'await', wait: 'exception:1:omar:respond', until: later(NOW, 1800) });
    expect(next(raised({}), 1800)).toEqual({ kind: 'escalate-exception', exception: 1 });
    expect(next(raised({ acceptedAt: NOW, reviewAt: later(NOW, 5000) }), 1800)).toEqual({ kind: 'await', wait: 'exception:1:omar:review', until: later(NOW, 5000) });
    const last = raised({ owner: INA, earlierOwners: [OMAR, DANA] });
    expect(next(last, 1800)).toMatchObject({ kind: 'await', wait: 'exception:1:ina:respond' });
  });

  test('L-07: a promise is waited for, noted as overdue, and raised after the grace', () => {
    expect(next(owned())).toEqual({ kind: 'await', wait: `next-step:${later(NOW, 3600)}`, until: later(NOW, 3600) });
    expect(next(owned(), 3600)).toEqual({ kind: 'note-overdue' });
    const overdue = owned({ overdue: { at: later(NOW, 3600), graceUntil: later(NOW, 7200), raise: 'nobody-answered' } });
    expect(next(overdue, 3600)).toMatchObject({ kind: 'await', until: later(NOW, 7200) });
    expect(next(overdue, 7200)).toMatchObject({ kind: 'raise-exception', class: 'nobody-answered' });
  });

  test('nothing is left to wait for after confirmation or closure', () => {
    expect(next(aHandoff({ state: 'next-step-confirmed' }))).toEqual({ kind: 'done' });
    expect(next(aHandoff({ state: 'closed' }))).toEqual({ kind: 'done' });
  });

  test('a row that contradicts itself is an error, not a guess', () => {
    expect(() => next(aHandoff({ state: 'acceptance-requested' }))).toThrow('without a pending offer');
    expect(() => next(aHandoff({ state: 'exception' }))).toThrow('without an open one');
    expect(() => next(aHandoff({ state: 'accepted' }))).toThrow('without an owner');
  });
});

test('M-02: attention falls due when somebody should look', () => {
  expect(attentionAt(aHandoff())).toBe(NOW);
  expect(attentionAt(anOfferedHandoff())).toBe(later(NOW, 300));
  expect(attentionAt(aHandoff({ state: 'exception', exceptions: [anException({ raisedAt: later(NOW, 9) })] }))).toBe(later(NOW, 9));
  expect(attentionAt(aHandoff({ state: 'exception', exceptions: [anException({ acceptedAt: NOW, reviewAt: later(NOW, 5000) })] }))).toBe(later(NOW, 5000));
  expect(attentionAt(owned())).toBe(later(NOW, 3600));
  expect(attentionAt(aHandoff({ state: 'next-step-confirmed' }))).toBeUndefined();
  expect(attentionAt(aHandoff({ state: 'closed' }))).toBeUndefined();
});
