import { describe, expect, test } from 'vitest';
import type { Command } from '../../shared/domain/command.ts';
import { commandId, type PersonId } from '../../shared/domain/ids.ts';
import { nextStep } from '../../shared/domain/next-step.ts';
import type { Contract } from '../../shared/domain/policy.ts';
import { anAccept, aPerson, aPolicy, DANA, INA, later, NOW, OMAR, ROSA, SAM, says } from '../support/builders.ts';
import { aLife, backup, kinds, offered, resolve, silent, workflow } from '../support/lives.ts';

const policy = aPolicy();
const release = (person: PersonId): Command => ({ kind: 'release', commandId: commandId(`release-${person}`), person });
const undelivered = (channel: 'email' | 'sms', offer = 1): Command => ({ kind: 'note-undelivered', commandId: commandId(`failed-${channel}`), offer, channel, reason: 'bounced' });
const owned = () => {
  const life = offered();
  life.tell(anAccept(ROSA, 1), later(NOW, 60));
  return life;
};

describe('a person drops out', () => {
  test('L-08: what they were asked is withdrawn at once, their link is dead, and the next person is asked', () => {
    const life = offered();
    expect(life.tell(release(ROSA), later(NOW, 30)).kind).toBe('decided');
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', custodian: INA, offers: [{ status: 'withdrawn' }] });
    expect(life.tell(anAccept(ROSA, 1, later(NOW, 40)), later(NOW, 40))).toEqual({ kind: 'no-longer-open', because: 'withdrawn' });
    expect(nextStep(life.handoff, policy, later(NOW, 40))).toMatchObject({ kind: 'request-acceptance', to: SAM });
    expect(life.tell(release(ROSA), later(NOW, 50))).toEqual({ kind: 'already-done' });
  });

  test('L-08 L-05: what they accepted goes through acceptance again; the intake lead is accountable meanwhile', () => {
    const life = owned();
    life.tell(release(ROSA), later(NOW, 100));
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', custodian: INA, offers: [{ status: 'withdrawn' }] });
    expect(life.handoff.ownership).toBeUndefined();
    life.tell(workflow('request-acceptance'), later(NOW, 101));
    expect(life.tell({ ...anAccept(SAM, 2, later(NOW, 102)) }, later(NOW, 102)).kind).toBe('decided');
    expect(life.handoff.custodian).toBe(SAM);
    expect(kinds(life).slice(-3)).toEqual(['ownership.ended', 'backup.requested', 'offer.accepted']);
  });

  test('L-08: also when the next step was confirmed already', () => {
    const life = owned();
    life.tell(says('confirm-next-step', { by: ROSA, evidence: 'meeting' }), later(NOW, 90));
    expect(life.tell(release(ROSA), later(NOW, 100)).kind).toBe('decided');
    expect(life.handoff.nextStep).toBeUndefined();
  });

  test('E-02: an exception moves on to the next named person, and two in a row end at the third', () => {
    const life = silent();
    life.tell(release(OMAR), later(NOW, 800));
    expect(life.handoff).toMatchObject({ custodian: DANA, exceptions: [{ owner: DANA, earlierOwners: [OMAR] }] });
    life.tell(release(DANA), later(NOW, 810));
    expect(life.handoff).toMatchObject({ custodian: INA, exceptions: [{ owner: INA, earlierOwners: [OMAR, DANA] }] });
    expect(life.tell(release(INA), later(NOW, 820))).toEqual({ kind: 'refused', because: 'nobody-left' });
  });

  test('L-08 E-01: somebody who is known to be unavailable is neither asked nor made to answer for an exception', () => {
    const away = { unavailable: [{ from: NOW, until: later(NOW, 86_400) }] };
    const people = [
      aPerson('rosa'),
      aPerson('sam', away),
      aPerson('ina', { roles: ['intake'] }),
      aPerson('omar', { roles: ['operations'], ...away }),
      aPerson('dana', { roles: ['owner'], ...away }),
    ];
    const absent = aPolicy({ people });
    const life = offered(absent);
    expect(life.handoff.candidates.map((one) => one.person)).toEqual([ROSA]);
    life.tell(workflow('time-out'), later(NOW, 300));
    life.tell(workflow('raise-exception'), later(NOW, 301));
    expect(life.handoff.exceptions).toMatchObject([{ owner: INA }]);
  });
});

describe('staff move a handoff', () => {
  test('CC-07: reassigned while links are live: every earlier one is dead at once, and the named person is asked, not told', () => {
    const life = backup();
    expect(life.tell(says('reassign', { by: OMAR, to: DANA }), later(NOW, 310)).kind).toBe('decided');
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', toAsk: DANA, offers: [{ status: 'withdrawn' }, { status: 'withdrawn' }] });
    for (const [person, offer] of [
      [ROSA, 1],
      [SAM, 2],
    ] as const)
      expect(life.tell(anAccept(person, offer, later(NOW, 311)), later(NOW, 311))).toEqual({ kind: 'no-longer-open', because: 'withdrawn' });
    life.tell(workflow('request-acceptance'), later(NOW, 312));
    expect(life.handoff.offers.at(-1)).toMatchObject({ to: DANA, rule: 'reassigned', status: 'pending' });
    expect(life.handoff.ownership).toBeUndefined();
  });

  test('L-08: an accepted handoff goes through acceptance again', () => {
    const life = owned();
    life.tell(says('reassign', { by: ROSA, to: SAM }), later(NOW, 100));
    expect(kinds(life).slice(-2)).toEqual(['ownership.ended', 'handoff.reassigned']);
    expect(life.handoff).toMatchObject({ custodian: INA, toAsk: SAM });
  });

  test('C-02: only those whom the contract names may do it, and only to somebody who exists', () => {
    expect(offered().tell(says('reassign', { by: SAM, to: ROSA }), NOW)).toEqual({ kind: 'refused', because: 'no-authority' });
    expect(offered().tell(says('reassign', { by: INA, to: 'nobody' as PersonId }), NOW)).toEqual({ kind: 'refused', because: 'unknown-person' });
    expect(offered().tell(says('reassign', { by: INA, to: ROSA }), NOW)).toEqual({ kind: 'already-done' });
    expect(silent().tell(says('reassign', { by: INA, to: ROSA }), later(NOW, 800))).toEqual({ kind: 'not-in-this-state', state: 'exception' });
  });

  test('L-08: withdrawing ends it for everybody, whatever stands', () => {
    for (const life of [offered(), owned(), silent()]) {
      expect(life.tell(says('withdraw', { by: INA }), later(NOW, 900)).kind).toBe('decided');
      expect(life.handoff).toMatchObject({ state: 'closed', outcome: { kind: 'withdrawn', by: INA } });
      expect(life.tell(says('withdraw', { by: INA }), later(NOW, 901))).toEqual({ kind: 'already-done' });
    }
    expect(offered().tell(says('withdraw', { by: SAM }), NOW)).toEqual({ kind: 'refused', because: 'no-authority' });
  });

  test('L-10 L-04: a human takeover needs nobody’s approval, sets a flag, and is no acceptance', () => {
    const life = offered();
    expect(life.tell(says('take-over', { by: SAM }), later(NOW, 10)).kind).toBe('decided');
    expect(life.handoff).toMatchObject({ state: 'acceptance-requested', custodian: INA, takenOver: { person: SAM, at: later(NOW, 10) } });
    expect(life.tell(says('take-over', { by: SAM }), later(NOW, 11))).toEqual({ kind: 'already-done' });
    expect(life.tell(anAccept(ROSA, 1, later(NOW, 12)), later(NOW, 12)).kind).toBe('decided');
  });
});

describe('a message that does not get through', () => {
  const both = aPolicy({ people: [aPerson('rosa', { sms: '+15035550101' }), aPerson('sam'), ...policy.roster.people.slice(2)] });

  test('O-08 MS-01: one channel is a fact beside the offer; with the last one the offer ends, and the next person is asked at once', () => {
    const life = offered(both);
    life.tell(undelivered('email'), later(NOW, 5));
    expect(life.handoff).toMatchObject({ state: 'acceptance-requested', offers: [{ status: 'pending', undelivered: ['email'] }] });
    expect(life.tell(undelivered('email'), later(NOW, 6))).toEqual({ kind: 'already-done' });
    life.tell(undelivered('sms'), later(NOW, 7));
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', offers: [{ status: 'undeliverable' }] });
    expect(nextStep(life.handoff, both, later(NOW, 7))).toMatchObject({ kind: 'request-acceptance', to: SAM });
    expect(kinds(life).slice(-3)).toEqual(['delivery.failed', 'delivery.failed', 'offer.undeliverable']);
  });

  test('CC-04 MS-06: a report that comes after the answer changes no decision', () => {
    const life = owned();
    const before = life.handoff;
    life.tell(undelivered('email'), later(NOW, 70));
    expect(life.handoff).toMatchObject({ state: 'accepted', custodian: ROSA, ownership: before.ownership, offers: [{ status: 'accepted', undelivered: ['email'] }] });
    expect(life.tell(undelivered('email', 9), later(NOW, 70))).toEqual({ kind: 'refused', because: 'unknown-offer' });
  });

  test('E-01: when nobody could be reached, the class says so', () => {
    const life = offered();
    life.tell(undelivered('email'), later(NOW, 5));
    life.tell(workflow('request-acceptance'), later(NOW, 6));
    life.tell({ ...undelivered('email', 2), commandId: commandId('again') } as Command, later(NOW, 7));
    expect(nextStep(life.handoff, policy, later(NOW, 8))).toMatchObject({ kind: 'raise-exception', class: 'undeliverable' });
  });
});

describe('a promise without evidence', () => {
  const steps = (...order: NonNullable<Contract['accept']['ifOverdue']['steps']>) =>
    aPolicy({ contract: { accept: { ...policy.contract.accept, ifOverdue: { grace: { seconds: 7200 }, class: 'nobody-answered', steps: order } } } });
  const overdue = (by: typeof policy) => {
    const life = offered(by);
    life.tell(anAccept(ROSA, 1), later(NOW, 60));
    life.tell(workflow('note-overdue'), later(NOW, 3700));
    return life;
  };

  test('L-07: reminded, offered to the next person, and in the end an exception: the steps of the contract in their order', () => {
    const by = steps('remind', 'offer-again', 'exception');
    const life = overdue(by);
    expect(nextStep(life.handoff, by, later(NOW, 3701))).toMatchObject({ kind: 'await' });
    expect(nextStep(life.handoff, by, later(NOW, 10_900))).toEqual({ kind: 'offer-again' });
    expect(life.tell(workflow('offer-again'), later(NOW, 3701))).toMatchObject({ kind: 'not-in-this-state' });
    life.tell(workflow('offer-again'), later(NOW, 10_900));
    life.tell(workflow('request-acceptance'), later(NOW, 10_901));
    expect(life.handoff.offers.at(-1)).toMatchObject({ to: SAM, status: 'pending' });
    life.tell(anAccept(SAM, 2, later(NOW, 10_910)), later(NOW, 10_910));
    life.tell(workflow('note-overdue'), later(NOW, 14_600));
    expect(nextStep(life.handoff, by, later(NOW, 21_900))).toMatchObject({ kind: 'raise-exception', class: 'nobody-answered' });
  });

  test('L-07: without a reminder the next step is due at once', () => {
    const by = steps('exception');
    expect(nextStep(overdue(by).handoff, by, later(NOW, 3700))).toMatchObject({ kind: 'raise-exception' });
  });
});

describe('a generator', () => {
  const prepared: Command = { kind: 'note-prepared', commandId: commandId('p'), generator: 'draft-bot', generatorVersion: '3', parts: ['summary'] };

  test('A-01: leaves a text beside the facts, on the same packet version, and moves nothing', () => {
    const life = offered();
    const before = life.handoff;
    life.tell(prepared, later(NOW, 10));
    expect(life.handoff).toEqual({
      ...before,
      version: 4,
      changedAt: later(NOW, 10),
      movedAt: before.changedAt,
      lastReceipt: 'packet.prepared',
      generated: { seq: 4, generator: 'draft-bot', generatorVersion: '3', packetVersion: 1, firstAt: later(NOW, 10) },
    });
    life.tell({ ...prepared, commandId: commandId('p2') }, later(NOW, 15));
    expect(life.handoff.generated).toMatchObject({ seq: 5, firstAt: later(NOW, 10) });
    expect(life.tell(anAccept(ROSA, 1, later(NOW, 20)), later(NOW, 20)).kind).toBe('decided');
  });

  test('A-03: asks for more, and is refused with a receipt that changes nothing else', () => {
    const life = offered();
    life.tell({ kind: 'refuse-generator', commandId: commandId('r'), generator: 'draft-bot', wanted: 'offer.accept' }, later(NOW, 10));
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'ai.refused', wanted: 'offer.accept' });
    expect(life.handoff).toMatchObject({ state: 'acceptance-requested', custodian: INA });
    expect(aLife(policy).tell(resolve, NOW).kind).toBe('decided');
  });
});
