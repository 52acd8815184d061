// Facts that come later and tell of danger: by which rule, and what becomes of whoever holds the request (E-04).

import { describe, expect, test } from 'vitest';
import { answeredPacket, correctedPacket } from '../../shared/domain/corrected-packet.ts';
import type { PersonAnswer } from '../../shared/domain/decide-person.ts';
import { firstPacket } from '../../shared/domain/first-packet.ts';
import { followUp } from '../../shared/domain/follow-up.ts';
import { commandId } from '../../shared/domain/ids.ts';
import { linkedPacket } from '../../shared/domain/linked-packet.ts';
import { nextStep } from '../../shared/domain/next-step.ts';
import { newlyUrgent, safetyOf } from '../../shared/domain/safety.ts';
import { anAccept, aPolicy, aSignal, INA, later, NOW, OMAR, ROSA, SAM, says } from '../support/builders.ts';
import { aLife, backup, kinds, type Life, offered, resolve, silent, workflow } from '../support/lives.ts';

const rules = { safety: { categories: ['roof-collapse'], words: ['smell of gas', 'live wire'] } };
const packet = firstPacket(aSignal({ request: { words: 'The roof leaks.', category: 'roof-inspection' } }));
const replied = (words: string, before = packet) =>
  linkedPacket(before, firstPacket(followUp({ ...aSignal(), kind: 'customer.replied', request: { words }, more: {}, eventId: words, occurredAt: later(NOW, 60) }, before))).packet;
const told = (answer: string) => answeredPacket(packet, { question: 'Is there a smell of gas?', answer, by: INA, at: NOW });

describe('a new version of the packet', () => {
  test('E-04: is urgent by the customer’s later words, by the answer to a question, by a second source and by a corrected category', () => {
    expect(safetyOf(packet, rules)).toBeUndefined();
    expect(newlyUrgent(packet, replied('There is a SMELL of gas!'), rules)).toBe('the words name “smell of gas”, which is a matter of safety');
    expect(newlyUrgent(packet, told('They say a live wire hangs down.'), rules)).toBe('the words name “live wire”, which is a matter of safety');
    const again = linkedPacket(packet, firstPacket(aSignal({ request: { words: 'It came down', category: 'roof-collapse', safety: 'yes' }, eventId: 'again' }))).packet;
    expect(newlyUrgent(packet, again, rules)).toBe('the source states that it is a matter of safety');
    expect(newlyUrgent(packet, correctedPacket(packet, { 'request.category': 'roof-collapse' }, { eventId: 'c', occurredAt: NOW }), rules)).toBe(
      'roof-collapse is a matter of safety',
    );
  });

  test('E-04: is not urgent by what nobody said: a question, a generator’s text, a field that nobody mapped, a word inside another', () => {
    expect(newlyUrgent(packet, told('No, nothing of that kind.'), rules)).toBeUndefined();
    expect(newlyUrgent(packet, { ...packet, generated: { generator: 'g', generatorVersion: '1', at: NOW, summary: 'smell of gas' } }, rules)).toBeUndefined();
    expect(newlyUrgent(packet, { ...packet, more: { 'Services offered': 'live wire' } }, rules)).toBeUndefined();
    expect(newlyUrgent(packet, replied('The smell of gasoline is from the lawnmower.'), rules)).toBeUndefined();
    expect(newlyUrgent(packet, replied(''), { safety: { words: [] } })).toBeUndefined();
    expect(newlyUrgent(packet, replied('smell of gas'), {})).toBeUndefined();
  });

  test('E-04: is urgent once by each rule: what was looked at is no news when the customer says it again, or a correction takes it back', () => {
    const first = replied('A smell of gas.');
    expect(newlyUrgent(first, replied('The smell of gas is gone.', first), rules)).toBeUndefined();
    expect(newlyUrgent(first, replied('Now a live wire and a smell of gas.', first), rules)).toBe('the words name “live wire”, which is a matter of safety');
    const collapsed = correctedPacket(packet, { 'request.category': 'roof-collapse' }, { eventId: 'c', occurredAt: NOW });
    expect(newlyUrgent(collapsed, correctedPacket(collapsed, { 'request.category': 'roof-inspection' }, { eventId: 'd', occurredAt: NOW }), rules)).toBeUndefined();
  });
});

const joins = (safety?: string, added: string[] = []) =>
  ({
    kind: 'link-signal',
    commandId: commandId(`link:${safety}`),
    source: 'twilio',
    sourceEventId: 'm2',
    occurredAt: NOW,
    evidence: ['same-thread'],
    added,
    conflicting: [],
    ...(safety !== undefined && { safety }),
  }) as const;
/** Whoever held it let go, and the owner of safety has it, all in the transaction that wrote the facts. */
const raised = (life: Life, before: string[], number = 1) => {
  expect(kinds(life).slice(-before.length - 1)).toEqual([...before, 'exception.raised']);
  expect(life.handoff).toMatchObject({ state: 'exception', custodian: OMAR });
  expect(life.handoff).not.toHaveProperty('ownership');
  expect(life.handoff).not.toHaveProperty('toRaise');
  expect(life.handoff.exceptions.at(-1)).toMatchObject({ class: 'safety-urgent', because: 'gas', owner: OMAR, number });
};

describe('whoever holds the request when facts tell of danger', () => {
  test('E-04 O-06: an offer whose question is answered by it is withdrawn, and its exception comes next', () => {
    const life = offered();
    life.tell(says('ask-clarification', { by: ROSA, offer: 1 }), later(NOW, 10));
    const answer: PersonAnswer = { ...says('answer-clarification', { by: INA, offer: 1 }), safety: 'gas' };
    life.tell(answer, later(NOW, 20));
    raised(life, ['clarification.answered', 'offer.withdrawn']);
    expect(life.receipts.at(-2)).toMatchObject({ because: 'safety', to: ROSA, packetVersion: 2 });
    expect(life.tell(anAccept(ROSA, 1, later(NOW, 21)), later(NOW, 21))).toEqual({ kind: 'no-longer-open', because: 'withdrawn' });
    expect(life.tell(answer, later(NOW, 22))).toEqual({ kind: 'no-longer-open', because: 'answered' });
  });

  test('E-04: an owner lets go: a promise for tomorrow holds up nothing that is urgent now', () => {
    const life = offered();
    life.tell(anAccept(ROSA, 1, NOW), NOW);
    life.tell(joins('gas'), later(NOW, 60));
    raised(life, ['signal.linked', 'ownership.ended']);
    const confirmed = offered();
    confirmed.tell(anAccept(ROSA, 1, NOW), NOW);
    confirmed.tell(says('confirm-next-step', { by: ROSA, evidence: 'visit' }), later(NOW, 30));
    confirmed.tell(joins('gas'), later(NOW, 60));
    raised(confirmed, ['signal.linked', 'ownership.ended']);
  });

  test('E-04: an exception of another class is over, also one that the same facts would have ended, and nobody late takes it out', () => {
    const life = silent();
    life.tell(joins('gas'), later(NOW, 800));
    raised(life, ['signal.linked', 'exception.cleared'], 2);
    expect(life.receipts.at(-2)).toMatchObject({ because: 'safety' });
    expect(life.tell(anAccept(SAM, 2, later(NOW, 803)), later(NOW, 803))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
    const lacking = aLife(aPolicy(), { missing: ['request.words'] });
    lacking.tell(workflow('raise-exception'), NOW);
    lacking.tell(joins('gas', ['request.words']), later(NOW, 5));
    raised(lacking, ['signal.linked', 'exception.cleared'], 2);
    expect(lacking.receipts.at(-2)).toMatchObject({ because: 'facts-arrived' });
  });

  test('E-04 E-03: a category put right by the owner of an exception is judged like a stated one', () => {
    const life = aLife(aPolicy(), { missing: ['request.words'] });
    life.tell(workflow('raise-exception'), NOW);
    life.tell(says('accept-exception', { by: OMAR, exception: 1 }), later(NOW, 5));
    life.tell(
      says('resolve-exception', { by: OMAR, exception: 1, how: { resolution: 'correct', paths: ['request.category'], seenPacketVersion: 1, safety: 'gas' } }),
      later(NOW, 6),
    );
    raised(life, ['exception.cleared'], 2);
    expect(life.receipts.at(-2)).toMatchObject({ because: 'corrected', safety: 'gas', packetVersion: 2 });
  });

  test('E-04: while its owner looks at it, more of it changes nothing but the packet', () => {
    const life = backup();
    life.tell(joins('gas'), later(NOW, 400));
    raised(life, ['signal.linked', 'offer.withdrawn']);
    life.tell(joins('smoke'), later(NOW, 403));
    expect(life.receipts.at(-1)).not.toHaveProperty('safety');
    expect(life.handoff.exceptions).toHaveLength(1);
  });

  test('E-04: naming candidates late, a fault of the workflow and staff who name another person do not go before it', () => {
    const fresh = aLife(aPolicy(), { safety: 'gas' });
    fresh.tell(resolve, later(NOW, 1));
    fresh.tell(says('reassign', { by: INA, to: SAM }), later(NOW, 2));
    expect(fresh.tell(joins('fire'), later(NOW, 3)).kind).toBe('decided');
    expect(nextStep(fresh.handoff, aPolicy(), later(NOW, 4))).toMatchObject({ kind: 'raise-exception', class: 'safety-urgent', because: 'gas' });
    fresh.tell({ ...workflow('raise-exception'), class: 'system-fault' } as Parameters<Life['tell']>[0], later(NOW, 5));
    expect(fresh.handoff.exceptions.map((one) => one.class)).toEqual(['safety-urgent']);
  });
});
