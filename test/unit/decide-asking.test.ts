import { describe, expect, test } from 'vitest';
import { decide } from '../../shared/domain/decide.ts';
import { aHandoff, anAccept, anOffer, anOfferedHandoff, aPolicy, later, NOW, ROSA, SAM, says } from '../support/builders.ts';
import { aLife, backup, kinds, offered, resolve, workflow } from '../support/lives.ts';

const policy = aPolicy();

describe('asking', () => {
  test('L-03: the way to an accepted handoff is one receipt a step', () => {
    const life = offered();
    life.tell(anAccept(ROSA, 1), later(NOW, 60));
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
    expect(life.handoff.offers).toMatchObject([{ to: ROSA, deadlineAt: later(NOW, 300), status: 'pending' }]);
    life.tell(workflow('time-out'), later(NOW, 300));
    life.tell(workflow('request-acceptance'), later(NOW, 310));
    expect(life.handoff.state).toBe('backup-requested');
    expect(life.handoff.offers).toMatchObject([
      { to: ROSA, status: 'timed-out' },
      { to: SAM, status: 'pending', deadlineAt: later(NOW, 610) },
    ]);
  });

  test('O-07: nobody times out early, and a deadline is the deadline', () => {
    expect(offered().tell(workflow('time-out'), later(NOW, 299))).toEqual({ kind: 'not-yet', until: later(NOW, 300) });
    expect(offered().tell(workflow('time-out'), later(NOW, 300)).kind).toBe('decided');
    expect(decide(aHandoff({ state: 'candidates-resolved' }), workflow('time-out'), policy, NOW).kind).toBe('not-in-this-state');
  });

  test('O-07: whoever was asked is reminded once, at the threshold of the contract and not after the end', () => {
    const warned = aPolicy({ contract: { ask: [{ role: 'seller', order: 'fixed', window: { seconds: 300 }, warnAt: { seconds: 180 } }] } });
    const life = offered(warned);
    expect(life.tell(workflow('remind'), later(NOW, 179))).toEqual({ kind: 'not-yet', until: later(NOW, 180) });
    expect(life.tell(workflow('remind'), later(NOW, 180))).toMatchObject({ kind: 'decided', facts: [{ kind: 'offer.reminded', offer: 1, to: ROSA, deadlineAt: later(NOW, 300) }] });
    expect(life.tell(workflow('remind'), later(NOW, 181))).toEqual({ kind: 'already-done' });
    expect(offered(warned).tell(workflow('remind'), later(NOW, 300))).toEqual({ kind: 'already-done' });
    expect(offered().tell(workflow('remind'), later(NOW, 200))).toEqual({ kind: 'already-done' });
    expect(decide(aHandoff(), workflow('remind'), policy, NOW)).toEqual({ kind: 'not-in-this-state', state: 'ready' });
    expect(life.tell(anAccept(ROSA, 1, later(NOW, 200)), later(NOW, 200)).kind).toBe('decided');
  });

  test('O-07: nobody who said no or stayed silent is asked again', () => {
    const life = backup();
    life.tell(says('reject', { by: SAM, offer: 2, reason: 'no-capacity', explained: false }), later(NOW, 320));
    expect(life.tell(workflow('request-acceptance'), later(NOW, 330))).toEqual({ kind: 'not-in-this-state', state: 'candidates-resolved' });
    life.tell(workflow('raise-exception'), later(NOW, 340));
    expect(life.handoff.exceptions).toMatchObject([{ class: 'nobody-answered' }]);
  });
});

test('C-05: the same handoff, command, policy and instant give the same answer, and change neither', () => {
  const handoff = anOfferedHandoff({ offers: [anOffer()] });
  const before = JSON.stringify([handoff, policy]);
  const answers = [1, 2].map(() => JSON.stringify(decide(handoff, anAccept(ROSA, 1), policy, NOW)));
  expect(answers[0]).toBe(answers[1]);
  expect(JSON.stringify([handoff, policy])).toBe(before);
});
