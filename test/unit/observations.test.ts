import { expect, test } from 'vitest';
import type { Command } from '../../shared/domain/command.ts';
import { decide } from '../../shared/domain/decide.ts';
import { apply } from '../../shared/domain/evolve.ts';
import { type Handoff, lastMovedAt } from '../../shared/domain/handoff.ts';
import { commandId } from '../../shared/domain/ids.ts';
import { attentionAt } from '../../shared/domain/next-step.ts';
import { classify } from '../../shared/domain/report.ts';
import { aHandoff, aPolicy, later, NOW } from '../support/builders.ts';

const OBSERVED: Command[] = [
  { kind: 'note-prepared', commandId: commandId('1'), generator: 'draft-bot', generatorVersion: '3', parts: ['draft'] },
  { kind: 'refuse-generator', commandId: commandId('2'), generator: 'draft-bot', wanted: 'offer.accept' },
  { kind: 'record-outcome', commandId: commandId('3'), system: 'crm', result: 'won' },
];

function told(handoff: Handoff, command: Command, at: string): Handoff {
  const decision = decide(handoff, command, aPolicy(), at);
  if (decision.kind !== 'decided') throw new Error(decision.kind);
  const stamp = { at, commandId: command.commandId, actor: { kind: 'system', component: 'x' } as const, packetVersion: 1, contractVersion: 'c1' };
  return apply(handoff, decision.facts, stamp).handoff;
}

test.each(OBSERVED)('A-01 M-02: $kind, however late, never makes a handoff that nobody looks after look busy', (command) => {
  const late = later(NOW, 3600);
  const after = told(aHandoff({ state: 'ready', changedAt: NOW }), command, late);
  expect(after).toMatchObject({ changedAt: late, lastReceipt: expect.any(String) });
  expect(lastMovedAt(after)).toBe(NOW);
  expect(attentionAt(after)).toBe(NOW);
  expect(classify(after, later(late, 1), 300)).toBe('nobody-asked');
});

test('L-03: what moves a handoff counts from then on, whatever was observed before', () => {
  const observed = OBSERVED.reduce((handoff, command, at) => told(handoff, command, later(NOW, 60 * (at + 1))), aHandoff({ state: 'ready', changedAt: NOW }));
  expect(lastMovedAt(observed)).toBe(NOW);
  const taken = told(observed, { kind: 'take-over', commandId: commandId('4'), by: aPolicy().roster.people[0]?.id ?? aHandoff().custodian, channel: 'api' }, later(NOW, 900));
  expect(taken).not.toHaveProperty('movedAt');
  expect(lastMovedAt(taken)).toBe(later(NOW, 900));
});
