import { describe, expect, test } from 'vitest';
import { commandId } from '../../shared/domain/ids.ts';
import { anAccept, later, NOW, OMAR, ROSA, SAM, says } from '../support/builders.ts';
import { offered, workflow } from '../support/lives.ts';

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
    expect(life.tell(workflow('note-overdue'), later(NOW, 3599))).toEqual({ kind: 'not-yet', until: later(NOW, 3600) });
    life.tell(workflow('note-overdue'), later(NOW, 3600));
    expect(life.tell(workflow('note-overdue'), later(NOW, 3601))).toEqual({ kind: 'already-done' });
    expect(life.handoff).toMatchObject({ state: 'accepted', custodian: ROSA, overdue: { graceUntil: later(NOW, 10_800) } });
    expect(life.tell(workflow('raise-exception'), later(NOW, 10_799))).toEqual({ kind: 'not-in-this-state', state: 'accepted' });
    life.tell(workflow('raise-exception'), later(NOW, 10_800));
    expect(life.handoff).toMatchObject({
      state: 'exception',
      custodian: OMAR,
      exceptions: [{ class: 'nobody-answered', because: 'the promised next step stayed without evidence' }],
    });
    expect(life.handoff.ownership).toBeUndefined();
  });

  test('L-07: evidence within the grace ends it', () => {
    const life = accepted();
    life.tell(workflow('note-overdue'), later(NOW, 3600));
    life.tell(says('confirm-next-step', { by: ROSA, evidence: 'visit' }), later(NOW, 5000));
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
