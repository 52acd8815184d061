import { describe, expect, test } from 'vitest';
import { nextStep } from '../../shared/domain/next-step.ts';
import { ownershipClock } from '../../shared/domain/ownership-clock.ts';
import type { Contract } from '../../shared/domain/policy.ts';
import { anAccept, aPolicy, INA, later, NOW, OMAR, ROSA, SAM, says } from '../support/builders.ts';
import { kinds, type Life, offered, workflow } from '../support/lives.ts';

const policy = (more: Partial<Contract> = {}) => aPolicy({ contract: { clarification: { answeredBy: 'intake', limit: 1, expires: { seconds: 1800 } }, ...more } });
const ask = (offer = 1) => says('ask-clarification', { by: ROSA, offer });
const answer = (by = INA) => says('answer-clarification', { by, offer: 1 });

function asked(more: Partial<Contract> = {}): Life {
  const life = offered(policy(more));
  life.tell(ask(), later(NOW, 200));
  return life;
}

describe('a question before a yes or no', () => {
  test('O-06: is a state of the offer, with a clock of its own, owed by a named person', () => {
    const life = asked();
    expect(life.handoff).toMatchObject({
      state: 'acceptance-requested',
      custodian: INA,
      offers: [{ status: 'clarifying', questions: 1, clarification: { askedAt: later(NOW, 200), owedBy: INA, expiresAt: later(NOW, 2000) } }],
    });
    expect(nextStep(life.handoff, policy(), later(NOW, 300))).toEqual({ kind: 'await', wait: 'offer:1:question:1', until: later(NOW, 2000) });
    expect(life.tell(workflow('time-out'), later(NOW, 300))).toEqual({ kind: 'not-yet', until: later(NOW, 2000) });
    expect(life.tell(workflow('remind'), later(NOW, 300))).toEqual({ kind: 'already-done' });
  });

  test('O-06: the ownership clock runs on', () => {
    expect(ownershipClock(asked().handoff, undefined, later(NOW, 900))).toEqual({ wallSeconds: 900, running: true });
  });

  test('P-03: the answer makes a new packet version for the same offer, whose window begins again', () => {
    const life = asked({ ask: [{ role: 'seller', order: 'fixed', window: { seconds: 300 }, warnAt: { seconds: 180 } }] });
    expect(life.tell(answer(), later(NOW, 1000)).kind).toBe('decided');
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'clarification.answered', packetVersion: 2, to: ROSA, deadlineAt: later(NOW, 1300), warnAt: later(NOW, 1180) });
    expect(life.handoff).toMatchObject({ packetVersion: 2, offers: [{ number: 1, status: 'pending', packetVersion: 2, deadlineAt: later(NOW, 1300) }] });
    expect(life.handoff.offers).toHaveLength(1);
    expect(nextStep(life.handoff, policy(), later(NOW, 1001))).toEqual({ kind: 'await', wait: 'offer:1:again:1:warn', until: later(NOW, 1180) });
    expect(life.tell({ ...anAccept(ROSA, 1, later(NOW, 1010)), seenPacketVersion: 1 }, later(NOW, 1010))).toEqual({ kind: 'refused', because: 'packet-changed' });
    expect(life.tell({ ...anAccept(ROSA, 1, later(NOW, 1010)), seenPacketVersion: 2 }, later(NOW, 1010)).kind).toBe('decided');
  });

  test('O-06: whoever asked may still say yes or no, and the question is then no longer open', () => {
    const yes = asked();
    expect(yes.tell(anAccept(ROSA, 1, later(NOW, 900)), later(NOW, 900)).kind).toBe('decided');
    expect(yes.handoff.ownership?.late).toBe(false);
    expect(yes.tell(answer(), later(NOW, 901))).toEqual({ kind: 'no-longer-open', because: 'answered' });
    const no = asked();
    expect(no.tell(says('reject', { by: ROSA, offer: 1, reason: 'no-capacity', explained: false }), later(NOW, 900)).kind).toBe('decided');
  });

  test('O-06: only so many questions as the contract allows, and only by the person who was asked', () => {
    const life = asked();
    expect(life.tell(ask(), later(NOW, 201))).toEqual({ kind: 'already-done' });
    life.tell(answer(), later(NOW, 300));
    expect(life.tell(ask(), later(NOW, 310))).toEqual({ kind: 'refused', because: 'question-limit' });
    expect(life.tell(says('ask-clarification', { by: SAM, offer: 1 }), later(NOW, 310))).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
    const two = asked({ clarification: { answeredBy: 'intake', limit: 2, expires: { seconds: 60 } } });
    two.tell(answer(), later(NOW, 210));
    expect(two.tell(ask(), later(NOW, 220)).kind).toBe('decided');
    expect(two.handoff.offers[0]?.questions).toBe(2);
  });

  test('O-06: only whoever owes the answer can give it, in time', () => {
    const life = asked();
    expect(life.tell(answer(SAM), later(NOW, 300))).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
    expect(life.tell(says('answer-clarification', { by: INA, offer: 9 }), later(NOW, 300))).toEqual({ kind: 'refused', because: 'unknown-offer' });
    expect(life.tell(answer(), later(NOW, 2000))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
    const named = asked({ clarification: { answeredBy: OMAR, limit: 1, expires: { seconds: 60 } } });
    expect(named.handoff.offers[0]?.clarification?.owedBy).toBe(OMAR);
    expect(named.handoff.custodian).toBe(INA);
  });

  test('O-06 E-01: unanswered, it goes to a person as an exception of its own class; nobody is blamed for a no', () => {
    const life = asked();
    expect(life.tell(workflow('expire-clarification'), later(NOW, 1999))).toEqual({ kind: 'not-yet', until: later(NOW, 2000) });
    life.tell(workflow('expire-clarification'), later(NOW, 2000));
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', offers: [{ status: 'withdrawn' }], toRaise: { class: 'clarification-expired' } });
    expect(life.tell({ ...anAccept(ROSA, 1, later(NOW, 2001)) }, later(NOW, 2001))).toEqual({ kind: 'no-longer-open', because: 'withdrawn' });
    life.tell(workflow('raise-exception'), later(NOW, 2001));
    expect(life.handoff.exceptions).toMatchObject([{ class: 'clarification-expired', owner: OMAR }]);
    expect(kinds(life).slice(-3)).toEqual(['clarification.asked', 'clarification.expired', 'exception.raised']);
    expect(offered(policy()).tell(workflow('expire-clarification'), NOW)).toEqual({ kind: 'already-done' });
  });
});
