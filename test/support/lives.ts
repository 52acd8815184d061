// Handoffs that live: commands are decided and written as the table would write them, and the log is kept.

import type { Command } from '../../shared/domain/command.ts';
import { decide } from '../../shared/domain/decide.ts';
import { apply } from '../../shared/domain/evolve.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId } from '../../shared/domain/ids.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import type { Actor, Receipt } from '../../shared/domain/receipt.ts';
import { anOpening, aPacket, aPolicy, later, NOW } from './builders.ts';

/** The row, its log, and a way to wish for something. */
export type Life = {
  readonly handoff: Handoff;
  readonly receipts: readonly Receipt[];
  /** Decides a command now; what it decides is written. Answers the decision. */
  tell(command: Command, now: string): ReturnType<typeof decide>;
};

export function aLife(policy: Policy, { packetVersion = 1, ...opening }: Parameters<typeof anOpening>[0] & { packetVersion?: number } = {}): Life {
  const stamp = (at: string, command: Command | undefined) => ({
    at,
    commandId: command?.commandId ?? commandId('open'),
    actor: actorOf(command),
    packetVersion,
    contractVersion: policy.contract.version,
  });
  let { handoff, receipts } = apply(undefined, [anOpening(opening)], stamp(NOW, undefined)) as { handoff: Handoff; receipts: readonly Receipt[] };
  return {
    get handoff() {
      return handoff;
    },
    get receipts() {
      return receipts;
    },
    tell(command, now) {
      const decision = decide(handoff, command, policy, now);
      if (decision.kind === 'decided') {
        const written = apply(handoff, decision.facts, stamp(now, command));
        handoff = written.handoff;
        receipts = [...receipts, ...written.receipts];
      }
      return decision;
    },
  };
}

const actorOf = (command: Command | undefined): Actor =>
  command !== undefined && 'by' in command ? { kind: 'person', person: command.by, channel: command.channel } : { kind: 'system', component: 'test' };

type Step = 'request-acceptance' | 'offer-again' | 'remind' | 'expire-clarification' | 'time-out' | 'note-overdue' | 'escalate-exception' | 'raise-exception';

/** What the workflow asks for. */
export const workflow = (kind: Step): Command => ({ kind, commandId: commandId(kind) });
export const resolve: Command = { kind: 'resolve-candidates', commandId: commandId('resolve'), openCounts: {}, packet: aPacket() };

export const kinds = (life: Life) => life.receipts.map((receipt) => receipt.kind);

/** Opened, candidates known, Rosa asked. */
export function offered(by: Policy = aPolicy()): Life {
  const life = aLife(by);
  life.tell(resolve, NOW);
  life.tell(workflow('request-acceptance'), NOW);
  return life;
}

/** Rosa stayed silent, Sam is asked. */
export function backup(by: Policy = aPolicy()): Life {
  const life = offered(by);
  life.tell(workflow('time-out'), later(NOW, 300));
  life.tell(workflow('request-acceptance'), later(NOW, 301));
  return life;
}

/** Everyone stayed silent, Omar is asked to take the exception. */
export function silent(by: Policy = aPolicy()): Life {
  const life = backup(by);
  life.tell(workflow('time-out'), later(NOW, 700));
  life.tell(workflow('raise-exception'), later(NOW, 701));
  return life;
}
