import { describe, expect, test } from 'vitest';
import type { Command } from '../../shared/domain/command.ts';
import { decide } from '../../shared/domain/decide.ts';
import { commandId, handoffId, personId } from '../../shared/domain/ids.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import { contractFor, type Signal } from '../../shared/domain/signal.ts';
import {
  aContract,
  after,
  aHandoff,
  aLife,
  anAccept,
  anException,
  anOffer,
  anOfferedHandoff,
  aPacket,
  aPerson,
  aPolicy,
  DANA,
  INA,
  type Life,
  NOW,
  OMAR,
  ROSA,
  SAM,
  says,
} from '../support/builders.ts';

const policy = aPolicy();
const workflow = (kind: 'request-acceptance' | 'time-out' | 'note-overdue' | 'escalate-exception' | 'raise-exception'): Command => ({ kind, commandId: commandId(kind) });
const resolve: Command = { kind: 'resolve-candidates', commandId: commandId('resolve'), openCounts: {}, packet: aPacket() };
const kinds = (life: Life) => life.receipts.map((receipt) => receipt.kind);

/** Opened, candidates known, Rosa asked. */
function offered(by: Policy = policy): Life {
  const life = aLife(by);
  life.tell(resolve, NOW);
  life.tell(workflow('request-acceptance'), NOW);
  return life;
}

/** Rosa stayed silent, Sam is asked. */
function backup(by: Policy = policy): Life {
  const life = offered(by);
  life.tell(workflow('time-out'), after(NOW, 300));
  life.tell(workflow('request-acceptance'), after(NOW, 301));
  return life;
}

/** Everyone stayed silent, Omar is asked to take the exception. */
function silent(by: Policy = policy): Life {
  const life = backup(by);
  life.tell(workflow('time-out'), after(NOW, 700));
  life.tell(workflow('raise-exception'), after(NOW, 701));
  return life;
}

describe('a signal', () => {
  const signal: Signal = {
    source: 'website',
    eventId: 'form-1',
    kind: 'form.submitted',
    occurredAt: NOW,
    receivedAt: NOW,
    contact: {},
    request: { category: 'gutters' },
    location: {},
    consent: {},
    more: {},
  };
  const contract = aContract({ starts: [{ on: 'form.submitted', from: ['website'], category: ['roof-inspection'] }] });

  test('L-01: a signal that meets no start rule is ignored with the reason', () => {
    expect(contractFor(signal, [contract])).toEqual({ kind: 'ignored', because: 'no contract starts on form.submitted from website' });
    expect(contractFor({ ...signal, request: {} }, [contract]).kind).toBe('ignored');
    expect(contractFor({ ...signal, kind: 'call.missed' }, [aContract()]).kind).toBe('ignored');
    expect(contractFor({ ...signal, test: true }, [aContract()])).toEqual({ kind: 'ignored', because: 'test delivery of the provider' });
  });

  test('L-01: the first contract whose start rule it meets takes it', () => {
    expect(contractFor({ ...signal, request: { category: 'roof-inspection' } }, [aContract({ name: 'other', starts: [] }), contract])).toMatchObject({
      kind: 'starts',
      contract: { name: 'roof-inspection' },
    });
  });
});

describe('asking', () => {
  test('L-03: the way to an accepted handoff is one receipt a step', () => {
    const life = offered();
    life.tell(anAccept(ROSA, 1), after(NOW, 60));
    expect(kinds(life)).toEqual(['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'offer.accepted']);
    expect(life.receipts.map((receipt) => receipt.seq)).toEqual([1, 2, 3, 4]);
  });

  test('L-02: what the table of transitions does not know is refused by name', () => {
    expect(decide(aHandoff(), workflow('request-acceptance'), policy, NOW)).toEqual({ kind: 'not-in-this-state', state: 'ready' });
    expect(decide(aHandoff({ state: 'closed' }), workflow('time-out'), policy, NOW)).toEqual({ kind: 'no-longer-open', because: 'closed' });
    expect(decide(aHandoff(), says('confirm-next-step', { by: ROSA, evidence: 'call' }), policy, NOW)).toEqual({ kind: 'not-in-this-state', state: 'ready' });
    expect(decide(aHandoff({ state: 'accepted' }), workflow('escalate-exception'), policy, NOW)).toEqual({ kind: 'not-in-this-state', state: 'accepted' });
  });

  test('R-01: candidates are named once, with the version of the roster; asking again changes nothing', () => {
    const life = aLife(policy);
    expect(life.tell(resolve, NOW)).toMatchObject({ kind: 'decided', facts: [{ rosterVersion: 'r1', candidates: [{ person: 'rosa' }, { person: 'sam' }] }] });
    expect(life.tell(resolve, NOW)).toEqual({ kind: 'already-done' });
  });

  test('R-01: a repeated look at a roster with nobody eligible is known as done too', () => {
    const life = aLife(aPolicy({ people: [] }));
    life.tell(resolve, NOW);
    expect(life.tell(resolve, NOW)).toEqual({ kind: 'already-done' });
  });

  test('O-07: one person at a time, in the order of the contract, each with their own window', () => {
    const life = offered();
    expect(life.tell(workflow('request-acceptance'), NOW)).toEqual({ kind: 'already-done' });
    expect(life.handoff.offers).toMatchObject([{ to: ROSA, deadlineAt: after(NOW, 300), status: 'pending' }]);
    life.tell(workflow('time-out'), after(NOW, 300));
    life.tell(workflow('request-acceptance'), after(NOW, 310));
    expect(life.handoff.state).toBe('backup-requested');
    expect(life.handoff.offers).toMatchObject([
      { to: ROSA, status: 'timed-out' },
      { to: SAM, status: 'pending', deadlineAt: after(NOW, 610) },
    ]);
  });

  test('O-07: nobody times out early, and a deadline is the deadline', () => {
    expect(offered().tell(workflow('time-out'), after(NOW, 299))).toEqual({ kind: 'not-yet', until: after(NOW, 300) });
    expect(offered().tell(workflow('time-out'), after(NOW, 300)).kind).toBe('decided');
    expect(decide(aHandoff({ state: 'candidates-resolved' }), workflow('time-out'), policy, NOW).kind).toBe('not-in-this-state');
  });

  test('O-07: nobody who said no or stayed silent is asked again', () => {
    const life = backup();
    life.tell(says('reject', { by: SAM, offer: 2, reason: 'no-capacity', explained: false }), after(NOW, 320));
    expect(life.tell(workflow('request-acceptance'), after(NOW, 330))).toEqual({ kind: 'not-in-this-state', state: 'candidates-resolved' });
    life.tell(workflow('raise-exception'), after(NOW, 340));
    expect(life.handoff.exceptions).toMatchObject([{ class: 'nobody-answered' }]);
  });
});

describe('a yes', () => {
  test('O-05: the receipt says who was proposed, who accepted, what they promise and how they answered', () => {
    const life = backup();
    const accept = { ...anAccept(SAM, 2, after(NOW, 400)), channel: 'sms' as const };
    expect(life.tell(accept, after(NOW, 400))).toEqual({
      kind: 'decided',
      facts: [{ kind: 'offer.accepted', offer: 2, by: SAM, proposedOwner: ROSA, nextAction: 'call', dueAt: after(NOW, 4000), late: false, channel: 'sms' }],
    });
  });

  test('L-05: whoever said yes is the custodian, and was not before', () => {
    const life = offered();
    expect(life.handoff.custodian).toBe(INA);
    life.tell(anAccept(ROSA, 1), NOW);
    expect(life.handoff.custodian).toBe(ROSA);
  });

  test('O-04: a second click says since when it is theirs; anyone else is told who owns it', () => {
    const life = backup();
    life.tell(anAccept(SAM, 2, after(NOW, 400)), after(NOW, 400));
    expect(life.tell(anAccept(SAM, 2, after(NOW, 401)), after(NOW, 401))).toEqual({ kind: 'already-yours', since: after(NOW, 400) });
    expect(life.tell(anAccept(ROSA, 1, after(NOW, 402)), after(NOW, 402))).toEqual({ kind: 'owned-by-another', owner: SAM, since: after(NOW, 400) });
    expect(life.tell(says('reject', { by: ROSA, offer: 1, reason: 'no-capacity', explained: false }), after(NOW, 403))).toMatchObject({ kind: 'owned-by-another', owner: SAM });
  });

  test('L-09: a primary who says yes after time-out wins while nobody else did, and the backup is told', () => {
    const life = backup();
    expect(life.tell(anAccept(ROSA, 1, after(NOW, 400)), after(NOW, 400))).toMatchObject({
      kind: 'decided',
      facts: [
        { kind: 'offer.accepted', late: true },
        { kind: 'offer.superseded', offer: 2 },
      ],
    });
    expect(life.handoff.offers.map((offer) => offer.status)).toEqual(['accepted', 'superseded']);
    expect(life.tell(anAccept(SAM, 2, after(NOW, 401)), after(NOW, 401))).toMatchObject({ kind: 'owned-by-another', owner: ROSA });
  });

  test('L-09: a yes at the deadline itself is late, also when nobody timed it out yet', () => {
    const strict = aPolicy({ contract: { lateAcceptance: 'deny' } });
    expect(offered(strict).tell(anAccept(ROSA, 1, after(NOW, 299)), after(NOW, 299)).kind).toBe('decided');
    expect(offered(strict).tell(anAccept(ROSA, 1, after(NOW, 300)), after(NOW, 300))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
    expect(offered().tell(anAccept(ROSA, 1, after(NOW, 300)), after(NOW, 300))).toMatchObject({ kind: 'decided', facts: [{ late: true }] });
  });

  test('L-09: a late yes ends the exception that nobody took, but not one that somebody took or that has another cause', () => {
    const untaken = silent();
    untaken.tell(anAccept(SAM, 2, after(NOW, 800)), after(NOW, 800));
    expect(untaken.handoff).toMatchObject({ state: 'accepted', custodian: SAM, exceptions: [{ resolvedAt: after(NOW, 800) }] });

    const taken = silent();
    taken.tell(says('accept-exception', { by: OMAR, exception: 1 }), after(NOW, 800));
    expect(taken.tell(anAccept(SAM, 2, after(NOW, 900)), after(NOW, 900))).toEqual({ kind: 'owned-by-another', owner: OMAR, since: after(NOW, 800) });

    const duplicate = backup();
    duplicate.tell(says('mark-duplicate', { by: SAM, offer: 2, of: handoffId('h-2') }), after(NOW, 400));
    expect(duplicate.tell(anAccept(ROSA, 1, after(NOW, 401)), after(NOW, 401))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
    duplicate.tell(workflow('raise-exception'), after(NOW, 402));
    expect(duplicate.tell(anAccept(ROSA, 1, after(NOW, 403)), after(NOW, 403))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
  });

  test('L-04: only the person who was asked can say yes, and only to an offer that exists', () => {
    expect(offered().tell(anAccept(SAM, 1), NOW)).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
    expect(offered().tell(anAccept(SAM, 2), NOW)).toEqual({ kind: 'refused', because: 'unknown-offer' });
  });

  test.each([
    ['an action the contract does not know', { nextAction: 'think about it' }, 'unknown-next-action'],
    ['no action', { nextAction: '' }, 'unknown-next-action'],
    ['a time that has passed', { dueAt: after(NOW, -1) }, 'due-time-not-ahead'],
    ['this very instant', { dueAt: NOW }, 'due-time-not-ahead'],
    ['a time beyond the limit', { dueAt: after(NOW, 172_801) }, 'due-time-too-far'],
    ['a year from now', { dueAt: after(NOW, 366 * 86_400) }, 'due-time-too-far'],
    ['a packet that changed meanwhile', { seenPacketVersion: 0 }, 'packet-changed'],
  ])('L-07, P-03: a yes to %s is refused', (_, promise, because) => {
    expect(offered().tell({ ...anAccept(ROSA, 1), ...promise }, NOW)).toEqual({ kind: 'refused', because });
  });

  test('TM-12: a due time is an instant; one without a zone is refused, one with an offset is kept as the instant it is', () => {
    for (const dueAt of ['', 'tomorrow', '2026-03-02T20:00', '2026-03-02T20:00:00', '2026-03-02', '9999'])
      expect(offered().tell({ ...anAccept(ROSA, 1), dueAt }, NOW), dueAt).toEqual({ kind: 'refused', because: 'due-time-not-ahead' });
    expect(offered().tell({ ...anAccept(ROSA, 1), dueAt: '2026-03-02T07:30:00-08:00' }, NOW)).toEqual({ kind: 'refused', because: 'due-time-not-ahead' });
    expect(offered().tell({ ...anAccept(ROSA, 1), dueAt: '2026-03-02T09:00:00-08:00' }, NOW)).toMatchObject({ facts: [{ dueAt: '2026-03-02T17:00:00.000Z' }] });
  });

  test('TM-14: the last allowed due time is the limit itself', () => {
    expect(offered().tell({ ...anAccept(ROSA, 1), dueAt: after(NOW, 172_800) }, NOW).kind).toBe('decided');
  });
});

describe('a no', () => {
  const no = (more: object) => ({ ...says('reject', { by: ROSA, offer: 1, reason: 'no-capacity', explained: false }), ...more });

  test('O-02: the reason leads where the contract says: the next candidate, and the rule flagged', () => {
    const life = offered();
    expect(life.tell(no({ reason: 'wrong-territory' }), NOW)).toEqual({
      kind: 'decided',
      facts: [{ kind: 'offer.rejected', offer: 1, by: ROSA, reason: 'wrong-territory', flagRule: true }],
    });
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', custodian: INA, offers: [{ status: 'rejected', reason: 'wrong-territory' }] });
  });

  test('O-02: or an exception, which then comes before the next candidate', () => {
    const life = offered();
    life.tell(no({ reason: 'regulated-owner-required' }), NOW);
    life.tell(workflow('raise-exception'), after(NOW, 1));
    expect(life.handoff).toMatchObject({ state: 'exception', exceptions: [{ class: 'regulated-request', because: 'rejected: regulated-owner-required' }] });
  });

  test('O-02: "other" without an explanation and a missing field without its name are refused', () => {
    expect(offered().tell(no({ reason: 'other' }), NOW)).toEqual({ kind: 'refused', because: 'explanation-missing' });
    expect(offered().tell(no({ reason: 'missing-required-field' }), NOW)).toEqual({ kind: 'refused', because: 'field-missing' });
    expect(offered().tell(no({ reason: 'other', explained: true }), NOW).kind).toBe('decided');
    expect(offered().tell(no({ reason: 'missing-required-field', field: 'contact.phone' }), NOW)).toMatchObject({ facts: [{ field: 'contact.phone' }] });
  });

  test('O-02: a missing field is named by its path; free text would put personal data into the log', () => {
    for (const field of ['', 'Ada Marchetti lives at 12 Elm St', '<b>x</b>', `contact.${'x'.repeat(80)}`])
      expect(offered().tell(no({ reason: 'missing-required-field', field }), NOW), field).toEqual({ kind: 'refused', because: 'field-missing' });
  });

  test('O-02: the named field is written only where the reason is a missing field', () => {
    expect(offered().tell(no({ field: 'contact.phone' }), NOW)).toEqual({
      kind: 'decided',
      facts: [{ kind: 'offer.rejected', offer: 1, by: ROSA, reason: 'no-capacity', flagRule: false }],
    });
  });

  test('O-04: a second no says what the first one was, and a no after the deadline comes too late', () => {
    const life = offered();
    life.tell(no({}), NOW);
    expect(life.tell(no({}), NOW)).toEqual({ kind: 'no-longer-open', because: 'rejected' });
    expect(life.tell(anAccept(ROSA, 1), NOW)).toEqual({ kind: 'no-longer-open', because: 'rejected' });
    expect(offered().tell(no({}), after(NOW, 300))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
    expect(offered().tell(no({ by: SAM }), NOW)).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
  });

  test('E-01: when everyone said no, the class says so', () => {
    const life = offered();
    life.tell(no({}), NOW);
    life.tell(workflow('request-acceptance'), NOW);
    life.tell(no({ by: SAM, offer: 2 }), NOW);
    life.tell(workflow('raise-exception'), NOW);
    expect(life.handoff.exceptions).toMatchObject([{ class: 'all-declined', owner: OMAR }]);
  });
});

describe('the other answers', () => {
  test('O-06: a question leaves the offer open and its clock running, and is asked once', () => {
    const life = offered();
    expect(life.tell(says('ask-clarification', { by: ROSA, offer: 1 }), after(NOW, 60)).kind).toBe('decided');
    expect(life.handoff).toMatchObject({ state: 'acceptance-requested', offers: [{ status: 'pending', deadlineAt: after(NOW, 300), clarificationAskedAt: after(NOW, 60) }] });
    expect(life.tell(says('ask-clarification', { by: ROSA, offer: 1 }), after(NOW, 61))).toEqual({ kind: 'already-done' });
    expect(life.tell(anAccept(ROSA, 1, after(NOW, 62)), after(NOW, 62)).kind).toBe('decided');
  });

  test('O-01: a duplicate names the other handoff and goes to a person, nothing is merged', () => {
    const life = offered();
    expect(life.tell(says('mark-duplicate', { by: ROSA, offer: 1, of: life.handoff.id }), NOW)).toEqual({ kind: 'refused', because: 'same-handoff' });
    life.tell(says('mark-duplicate', { by: ROSA, offer: 1, of: handoffId('h-2') }), NOW);
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', toRaise: { class: 'possible-duplicate', because: 'marked as a duplicate of h-2' } });
  });

  test('O-03: nothing but a command decides; there is no command for opening a link', () => {
    const known: Record<Command['kind'], true> = {
      'resolve-candidates': true,
      'request-acceptance': true,
      'time-out': true,
      'note-overdue': true,
      'raise-exception': true,
      'escalate-exception': true,
      accept: true,
      reject: true,
      'ask-clarification': true,
      'mark-duplicate': true,
      'accept-exception': true,
      'resolve-exception': true,
      'confirm-next-step': true,
      close: true,
    };
    expect(Object.keys(known).filter((kind) => /open|view|click|deliver/.test(kind))).toEqual([]);
  });
});

describe('the promise', () => {
  const accepted = () => {
    const life = offered();
    life.tell(anAccept(ROSA, 1), NOW);
    return life;
  };

  test('L-07: the owner confirms with evidence, once; nobody else can', () => {
    const life = accepted();
    expect(life.tell(says('confirm-next-step', { by: SAM, evidence: 'call' }), NOW)).toMatchObject({ kind: 'owned-by-another', owner: ROSA });
    expect(life.tell(says('confirm-next-step', { by: ROSA, evidence: 'call' }), NOW).kind).toBe('decided');
    expect(life.handoff).toMatchObject({ state: 'next-step-confirmed', custodian: ROSA, nextStep: { evidence: 'call' } });
    expect(life.tell(says('confirm-next-step', { by: ROSA, evidence: 'call' }), NOW)).toEqual({ kind: 'already-done' });
  });

  test('L-07: the due time passes: noted once, then an exception after the grace, and the owner is one no more', () => {
    const life = accepted();
    expect(life.tell(workflow('note-overdue'), after(NOW, 3599))).toEqual({ kind: 'not-yet', until: after(NOW, 3600) });
    life.tell(workflow('note-overdue'), after(NOW, 3600));
    expect(life.tell(workflow('note-overdue'), after(NOW, 3601))).toEqual({ kind: 'already-done' });
    expect(life.handoff).toMatchObject({ state: 'accepted', custodian: ROSA, overdue: { graceUntil: after(NOW, 10_800) } });
    expect(life.tell(workflow('raise-exception'), after(NOW, 10_799))).toEqual({ kind: 'not-in-this-state', state: 'accepted' });
    life.tell(workflow('raise-exception'), after(NOW, 10_800));
    expect(life.handoff).toMatchObject({
      state: 'exception',
      custodian: OMAR,
      exceptions: [{ class: 'nobody-answered', because: 'the promised next step stayed without evidence' }],
    });
    expect(life.handoff.ownership).toBeUndefined();
  });

  test('L-07: evidence within the grace ends it', () => {
    const life = accepted();
    life.tell(workflow('note-overdue'), after(NOW, 3600));
    life.tell(says('confirm-next-step', { by: ROSA, evidence: 'visit' }), after(NOW, 5000));
    expect(life.handoff.state).toBe('next-step-confirmed');
    expect(life.handoff.overdue).toBeUndefined();
  });

  test('L-05: a fault of the machinery never takes a customer from the person who said yes', () => {
    const life = accepted();
    expect(life.tell({ kind: 'raise-exception', commandId: commandId('fault'), class: 'system-fault', because: 'the workflow failed' }, NOW)).toEqual({
      kind: 'not-in-this-state',
      state: 'accepted',
    });
    expect(life.handoff.ownership?.owner).toBe(ROSA);
  });

  test('L-02: the custodian states the outcome, once, and nobody else', () => {
    const life = accepted();
    expect(life.tell(says('close', { by: SAM, outcome: 'completed' }), NOW)).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
    expect(life.tell(says('close', { by: ROSA, outcome: 'completed' }), NOW).kind).toBe('decided');
    expect(life.tell(says('close', { by: ROSA, outcome: 'completed' }), NOW)).toEqual({ kind: 'already-done' });
    expect(life.tell(says('close', { by: ROSA, outcome: 'not-a-fit' }), NOW)).toEqual({ kind: 'no-longer-open', because: 'closed' });
    expect(life.tell(anAccept(SAM, 2), NOW)).toMatchObject({ kind: 'owned-by-another', owner: ROSA });
  });
});

describe('exceptions', () => {
  test('R-04, E-01: nobody eligible is an exception at once, with a named owner and a time to respond', () => {
    const life = aLife(aPolicy({ people: [aPerson('ina', { roles: ['intake'] })] }));
    life.tell(resolve, NOW);
    life.tell(workflow('raise-exception'), NOW);
    expect(life.handoff).toMatchObject({ state: 'exception', custodian: OMAR, exceptions: [{ class: 'no-eligible-owner', owner: OMAR, respondBy: after(NOW, 1800) }] });
    expect(life.tell(workflow('raise-exception'), NOW)).toEqual({ kind: 'already-done' });
  });

  test('E-01: missing facts go to a person before anybody is asked', () => {
    const life = aLife(policy, { missing: ['location.postalCode'] });
    life.tell(workflow('raise-exception'), NOW);
    expect(life.handoff.exceptions).toMatchObject([{ class: 'missing-context', because: 'missing: location.postalCode' }]);
  });

  test('E-01: a class the contract does not list falls to its default rule, never to nobody', () => {
    const life = aLife(aPolicy({ contract: { exceptions: { default: { ...policy.contract.exceptions.default, owner: DANA } } } }));
    life.tell({ kind: 'raise-exception', commandId: commandId('x'), class: 'safety-urgent' }, NOW);
    expect(life.handoff).toMatchObject({ custodian: DANA, exceptions: [{ class: 'safety-urgent', because: 'safety-urgent' }] });
  });

  test('E-02: the exception owner takes it with a receipt and a time to look again', () => {
    const life = silent();
    expect(life.tell(says('accept-exception', { by: DANA, exception: 1 }), after(NOW, 800))).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
    life.tell(says('accept-exception', { by: OMAR, exception: 1 }), after(NOW, 800));
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'exception.accepted', by: OMAR, reviewAt: after(NOW, 800 + 14_400) });
    expect(life.tell(says('accept-exception', { by: OMAR, exception: 1 }), after(NOW, 801))).toEqual({ kind: 'already-yours', since: after(NOW, 800) });
    expect(life.tell(says('accept-exception', { by: OMAR, exception: 2 }), after(NOW, 801)).kind).toBe('not-in-this-state');
  });

  test('E-02: silence moves the ownership to the next named person, and no further than there are people', () => {
    const life = silent();
    const raisedAt = 701;
    expect(life.tell(workflow('escalate-exception'), after(NOW, raisedAt + 1799))).toEqual({ kind: 'not-yet', until: after(NOW, raisedAt + 1800) });
    life.tell(workflow('escalate-exception'), after(NOW, raisedAt + 1800));
    expect(life.handoff).toMatchObject({ custodian: DANA, exceptions: [{ owner: DANA, earlierOwners: [OMAR], respondBy: after(NOW, raisedAt + 3600) }] });
    expect(life.tell(says('accept-exception', { by: OMAR, exception: 1 }), after(NOW, raisedAt + 1801))).toEqual({ kind: 'no-longer-open', because: 'escalated' });
    life.tell(workflow('escalate-exception'), after(NOW, raisedAt + 3600));
    expect(life.handoff.custodian).toBe(INA);
    expect(life.tell(workflow('escalate-exception'), after(NOW, raisedAt + 9999))).toEqual({ kind: 'refused', because: 'nobody-left' });
    expect(life.handoff.exceptions).toMatchObject([{ owner: INA, earlierOwners: [OMAR, DANA] }]);
  });

  test('E-02: a taken exception that nobody came back to moves on too', () => {
    const life = silent();
    life.tell(says('accept-exception', { by: OMAR, exception: 1 }), after(NOW, 800));
    life.tell(workflow('escalate-exception'), after(NOW, 800 + 14_400));
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'exception.escalated', from: OMAR, to: DANA, because: 'review-passed' });
    expect(life.handoff.exceptions[0]?.acceptedAt).toBeUndefined();
  });

  const taken = () => {
    const life = silent();
    life.tell(says('accept-exception', { by: OMAR, exception: 1 }), after(NOW, 800));
    return life;
  };
  const settle = (how: Parameters<typeof says<'resolve-exception'>>[1]['how'], by = OMAR) => says('resolve-exception', { by, exception: 1, how });

  test('E-03: an exception is resolved only by whoever took it', () => {
    expect(silent().tell(settle({ resolution: 'close', outcome: 'not-a-fit' }), after(NOW, 900))).toEqual({ kind: 'refused', because: 'not-accepted-yet' });
    expect(taken().tell(settle({ resolution: 'close', outcome: 'not-a-fit' }, DANA), after(NOW, 900))).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
  });

  test('E-03: assigning names a person who is asked, not told, even one who stayed silent before', () => {
    const life = taken();
    expect(life.tell(settle({ resolution: 'assign', to: personId('nobody') }), after(NOW, 900))).toEqual({ kind: 'refused', because: 'unknown-person' });
    life.tell(settle({ resolution: 'assign', to: ROSA }), after(NOW, 900));
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', custodian: INA, toAsk: ROSA });
    life.tell(workflow('request-acceptance'), after(NOW, 901));
    expect(life.handoff.offers.at(-1)).toMatchObject({ number: 3, to: ROSA, rule: 'named by the exception owner', status: 'pending' });
    expect(life.handoff.toAsk).toBeUndefined();
  });

  test('E-03: taking it is a yes with a promise of its own', () => {
    const life = taken();
    expect(life.tell(settle({ resolution: 'take', nextAction: 'dance', dueAt: after(NOW, 2000) }), after(NOW, 900))).toEqual({ kind: 'refused', because: 'unknown-next-action' });
    life.tell(settle({ resolution: 'take', nextAction: 'call', dueAt: after(NOW, 2000) }), after(NOW, 900));
    expect(kinds(life).slice(-2)).toEqual(['exception.resolved', 'offer.accepted']);
    expect(life.handoff).toMatchObject({ state: 'accepted', custodian: OMAR, ownership: { owner: OMAR, offer: 3 }, offers: [{}, {}, { to: OMAR, status: 'accepted' }] });
  });

  test('E-03: closing states the outcome, and a second resolution is told so', () => {
    const life = taken();
    life.tell(settle({ resolution: 'close', outcome: 'not-a-fit' }), after(NOW, 900));
    expect(life.handoff).toMatchObject({ state: 'closed', outcome: { kind: 'not-a-fit', by: OMAR } });
    expect(life.tell(settle({ resolution: 'close', outcome: 'not-a-fit' }), after(NOW, 901))).toEqual({ kind: 'no-longer-open', because: 'closed' });
  });

  test('E-03: nobody closes around an open exception', () => {
    expect(decide(aHandoff({ state: 'exception', custodian: OMAR, exceptions: [anException()] }), says('close', { by: OMAR, outcome: 'not-a-fit' }), policy, NOW)).toEqual({
      kind: 'not-in-this-state',
      state: 'exception',
    });
  });
});

test('C-05: the same handoff, command, policy and instant give the same answer, and change neither', () => {
  const handoff = anOfferedHandoff({ offers: [anOffer()] });
  const before = JSON.stringify([handoff, policy]);
  const answers = [1, 2].map(() => JSON.stringify(decide(handoff, anAccept(ROSA, 1), policy, NOW)));
  expect(answers[0]).toBe(answers[1]);
  expect(JSON.stringify([handoff, policy])).toBe(before);
});
