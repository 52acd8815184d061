import { describe, expect, test } from 'vitest';
import { commandId } from '../../shared/domain/ids.ts';
import { meetingHeldBy, meetingNews, meetingWithoutSeller } from '../../shared/domain/meeting.ts';
import { aContract, aPolicy, later, NOW, ROSA, SAM } from '../support/builders.ts';
import { aLife, resolve, workflow } from '../support/lives.ts';

const contract = { accept: { ...aContract().accept, nextActions: ['call', 'meeting'] } };
const policy = aPolicy({ contract });
const TOMORROW = later(NOW, 86_400);

function accepted(nextAction: string, opening: Parameters<typeof aLife>[1] = {}) {
  const life = aLife(policy, opening);
  life.tell(resolve, NOW);
  life.tell(workflow('request-acceptance'), NOW);
  life.tell({ kind: 'accept', commandId: commandId('yes'), by: ROSA, channel: 'email', offer: 1, nextAction, dueAt: TOMORROW, seenPacketVersion: 1 }, later(NOW, 10));
  return life;
}
const release = { kind: 'release', commandId: commandId('away'), person: ROSA } as const;
const again = (life: ReturnType<typeof accepted>, nextAction: string) => {
  life.tell(workflow('request-acceptance'), later(NOW, 30));
  return life.tell({ kind: 'accept', commandId: commandId('yes-2'), by: SAM, channel: 'email', offer: 2, nextAction, dueAt: TOMORROW, seenPacketVersion: 1 }, later(NOW, 40));
};

describe('meetings that somebody was to hold', () => {
  test('L-08: a promised meeting of an owner who drops out stands without a seller until somebody accepts', () => {
    const life = accepted('meeting');
    expect(meetingHeldBy(ROSA, life.handoff)).toEqual({ from: 'promise', at: TOMORROW });
    expect(meetingWithoutSeller(life.handoff)).toBeUndefined();
    life.tell(release, later(NOW, 20));
    expect(meetingWithoutSeller(life.handoff)).toEqual({ from: 'promise', at: TOMORROW, heldBy: ROSA });
    expect(again(life, 'call').kind).toBe('decided');
    expect(life.handoff).not.toHaveProperty('meeting');
  });

  test('L-08 X-04: a booked meeting outlives every owner; each who drops out is named', () => {
    const life = accepted('call', { meeting: { at: TOMORROW } });
    expect(meetingHeldBy(ROSA, life.handoff)).toEqual({ from: 'booking', at: TOMORROW });
    expect(meetingHeldBy(SAM, life.handoff)).toBeUndefined();
    life.tell(release, later(NOW, 20));
    expect(meetingWithoutSeller(life.handoff)).toEqual({ from: 'booking', at: TOMORROW, heldBy: ROSA });
    again(life, 'call');
    expect(life.handoff.meeting).toBeDefined();
    expect(meetingWithoutSeller(life.handoff)).toBeUndefined();
  });

  test('L-08: a call that somebody promised is no meeting', () => {
    const life = accepted('call');
    life.tell(release, later(NOW, 20));
    expect(life.handoff).not.toHaveProperty('meeting');
  });

  test('X-04: moved by a later source, or cancelled by it', () => {
    const life = accepted('call', { meeting: { at: TOMORROW } });
    const link = { kind: 'link-signal', source: 'calendly', sourceEventId: 'e', occurredAt: NOW, evidence: ['same-email'], added: [], conflicting: [] } as const;
    life.tell({ ...link, commandId: commandId('l1'), meeting: { at: later(TOMORROW, 60) } }, later(NOW, 20));
    expect(life.handoff.meeting).toEqual({ from: 'booking', at: later(TOMORROW, 60) });
    life.tell({ ...link, commandId: commandId('l2') }, later(NOW, 21));
    expect(life.handoff.meeting).toBeDefined();
    life.tell({ ...link, commandId: commandId('l3'), meeting: { canceled: true } }, later(NOW, 22));
    expect(life.handoff).not.toHaveProperty('meeting');
  });

  test.each([
    ['booking.made', '2026-03-03T16:00:00Z America/Los_Angeles', { at: '2026-03-03T16:00:00.000Z' }],
    ['booking.moved', '2026-03-03T08:00:00-08:00', { at: '2026-03-03T16:00:00.000Z' }],
    ['booking.made', 'Tuesday', {}],
    ['booking.made', '2026-99-99T00:00', {}],
    ['booking.canceled', '2026-03-03T16:00:00Z', { canceled: true }],
    ['form.submitted', '2026-03-03T16:00:00Z', undefined],
  ] as const)('X-04: %s with %j says %j', (kind, timing, news) => {
    expect(meetingNews({ kind, request: { timing } })).toEqual(news);
  });
});
