import { describe, expect, test } from 'vitest';
import type { Command } from '../../shared/domain/command.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { anAccept, aPolicy, INA, later, NOW, OMAR, ROSA, SAM, says } from '../support/builders.ts';
import { backup, offered, silent, workflow } from '../support/lives.ts';

describe('a yes', () => {
  test('O-05: the receipt says who was proposed, who accepted, what they promise and how they answered', () => {
    const life = backup();
    const accept = { ...anAccept(SAM, 2, later(NOW, 400)), channel: 'sms' as const };
    expect(life.tell(accept, later(NOW, 400))).toEqual({
      kind: 'decided',
      facts: [{ kind: 'offer.accepted', offer: 2, by: SAM, proposedOwner: ROSA, nextAction: 'call', dueAt: later(NOW, 4000), late: false, channel: 'sms' }],
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
    life.tell(anAccept(SAM, 2, later(NOW, 400)), later(NOW, 400));
    expect(life.tell(anAccept(SAM, 2, later(NOW, 401)), later(NOW, 401))).toEqual({ kind: 'already-yours', since: later(NOW, 400) });
    expect(life.tell(anAccept(ROSA, 1, later(NOW, 402)), later(NOW, 402))).toEqual({ kind: 'owned-by-another', owner: SAM, since: later(NOW, 400) });
    expect(life.tell(says('reject', { by: ROSA, offer: 1, reason: 'no-capacity', explained: false }), later(NOW, 403))).toMatchObject({ kind: 'owned-by-another', owner: SAM });
  });

  test('L-09: a primary who says yes after time-out wins while nobody else did, and the backup is told', () => {
    const life = backup();
    expect(life.tell(anAccept(ROSA, 1, later(NOW, 400)), later(NOW, 400))).toMatchObject({
      kind: 'decided',
      facts: [
        { kind: 'offer.accepted', late: true },
        { kind: 'offer.superseded', offer: 2 },
      ],
    });
    expect(life.handoff.offers.map((offer) => offer.status)).toEqual(['accepted', 'superseded']);
    expect(life.tell(anAccept(SAM, 2, later(NOW, 401)), later(NOW, 401))).toMatchObject({ kind: 'owned-by-another', owner: ROSA });
  });

  test('L-09: a yes at the deadline itself is late, also when nobody timed it out yet', () => {
    const strict = aPolicy({ contract: { lateAcceptance: 'deny' } });
    expect(offered(strict).tell(anAccept(ROSA, 1, later(NOW, 299)), later(NOW, 299)).kind).toBe('decided');
    expect(offered(strict).tell(anAccept(ROSA, 1, later(NOW, 300)), later(NOW, 300))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
    expect(offered().tell(anAccept(ROSA, 1, later(NOW, 300)), later(NOW, 300))).toMatchObject({ kind: 'decided', facts: [{ late: true }] });
  });

  test('L-09: a late yes ends the exception that nobody took, but not one that somebody took or that has another cause', () => {
    const untaken = silent();
    untaken.tell(anAccept(SAM, 2, later(NOW, 800)), later(NOW, 800));
    expect(untaken.handoff).toMatchObject({ state: 'accepted', custodian: SAM, exceptions: [{ resolvedAt: later(NOW, 800) }] });

    const taken = silent();
    taken.tell(says('accept-exception', { by: OMAR, exception: 1 }), later(NOW, 800));
    expect(taken.tell(anAccept(SAM, 2, later(NOW, 900)), later(NOW, 900))).toEqual({ kind: 'owned-by-another', owner: OMAR, since: later(NOW, 800) });

    const duplicate = backup();
    duplicate.tell(says('mark-duplicate', { by: SAM, offer: 2, of: handoffId('h-2') }), later(NOW, 400));
    expect(duplicate.tell(anAccept(ROSA, 1, later(NOW, 401)), later(NOW, 401))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
    duplicate.tell(workflow('raise-exception'), later(NOW, 402));
    expect(duplicate.tell(anAccept(ROSA, 1, later(NOW, 403)), later(NOW, 403))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
  });

  test('L-04: only the person who was asked can say yes, and only to an offer that exists', () => {
    expect(offered().tell(anAccept(SAM, 1), NOW)).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
    expect(offered().tell(anAccept(SAM, 2), NOW)).toEqual({ kind: 'refused', because: 'unknown-offer' });
  });

  test.each([
    ['an action the contract does not know', { nextAction: 'think about it' }, 'unknown-next-action'],
    ['no action', { nextAction: '' }, 'unknown-next-action'],
    ['a time that has passed', { dueAt: later(NOW, -1) }, 'due-time-not-ahead'],
    ['this very instant', { dueAt: NOW }, 'due-time-not-ahead'],
    ['a time beyond the limit', { dueAt: later(NOW, 172_801) }, 'due-time-too-far'],
    ['a year from now', { dueAt: later(NOW, 366 * 86_400) }, 'due-time-too-far'],
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
    expect(offered().tell({ ...anAccept(ROSA, 1), dueAt: later(NOW, 172_800) }, NOW).kind).toBe('decided');
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
    life.tell(workflow('raise-exception'), later(NOW, 1));
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
    expect(offered().tell(no({}), later(NOW, 300))).toEqual({ kind: 'no-longer-open', because: 'timed-out' });
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
      remind: true,
      release: true,
      reassign: true,
      withdraw: true,
      'take-over': true,
      'record-outcome': true,
      'offer-again': true,
      'note-undelivered': true,
      'note-prepared': true,
      'refuse-generator': true,
      'time-out': true,
      'note-overdue': true,
      'raise-exception': true,
      'escalate-exception': true,
      accept: true,
      reject: true,
      'ask-clarification': true,
      'answer-clarification': true,
      'expire-clarification': true,
      'mark-duplicate': true,
      'link-signal': true,
      'merge-duplicate': true,
      'separate-duplicate': true,
      'accept-exception': true,
      'resolve-exception': true,
      'confirm-next-step': true,
      close: true,
    };
    expect(Object.keys(known).filter((kind) => /open|view|click|^deliver/.test(kind))).toEqual([]);
  });
});
