// Transitions that happen without a person: each is a wish with a name that is the same every time, so that doing it twice is doing it once.

import type { Command } from './command.ts';
import { decide } from './decide.ts';
import type { Refusal } from './decision.ts';
import { apply } from './evolve.ts';
import { type Handoff, openException } from './handoff.ts';
import { type CommandId, commandId, type PersonId } from './ids.ts';
import { linksToIssue, type PlannedLink } from './link.ts';
import type { NextStep } from './next-step.ts';
import type { Policy } from './policy.ts';
import type { Actor, Receipt } from './receipt.ts';

/** A command of the workflow, and who answers for it in the log. */
export type Wish = { command: Command; actor: Actor };

/** Receipts to be written, the row they lead to, and the links that whoever is asked needs. */
export type Transition = { kind: 'transition'; after: Handoff; receipts: readonly Receipt[]; links: readonly PlannedLink[] };

/** The command that makes a due step happen; undefined when nothing is due, or when the step needs more than the row (naming candidates). */
export function wishFor(step: NextStep, handoff: Handoff): Wish | undefined {
  switch (step.kind) {
    case 'request-acceptance':
      return { command: { kind: 'request-acceptance', commandId: named('request-acceptance', handoff.offers.length + 1) }, actor: { kind: 'policy', rule: step.rule } };
    case 'raise-exception':
      return {
        command: { kind: 'raise-exception', commandId: named('raise-exception', handoff.exceptions.length + 1) },
        actor: { kind: 'policy', rule: `exceptions.${step.class}` },
      };
    case 'remind':
      return { command: { kind: 'remind', commandId: named('remind:offer', step.offer) }, actor: { kind: 'policy', rule: 'ask.warnAt' } };
    case 'expire-clarification':
      return {
        command: { kind: 'expire-clarification', commandId: named('expire-clarification:offer', step.offer) },
        actor: { kind: 'policy', rule: 'clarification.expires' },
      };
    case 'time-out':
      return { command: { kind: 'time-out', commandId: named('time-out:offer', step.offer) }, actor: { kind: 'policy', rule: 'ask.window' } };
    case 'escalate-exception': {
      const owner = openException(handoff)?.owner ?? '';
      return { command: { kind: 'escalate-exception', commandId: named('escalate:exception', step.exception, owner) }, actor: { kind: 'policy', rule: 'exceptions.respond' } };
    }
    case 'note-overdue':
      return { command: { kind: 'note-overdue', commandId: named('note-overdue', handoff.ownership?.dueAt ?? '') }, actor: { kind: 'policy', rule: 'accept.ifOverdue' } };
    case 'offer-again':
      return { command: { kind: 'offer-again', commandId: named('offer-again', handoff.ownership?.offer ?? 0) }, actor: { kind: 'policy', rule: 'accept.ifOverdue' } };
    case 'resolve-candidates':
    case 'await':
    case 'done':
      return undefined;
  }
}

/** Decides a wish and folds its facts; or says why it changes nothing. */
export function transition(handoff: Handoff, { command, actor }: Wish, policy: Policy, now: string): Transition | Refusal {
  const decision = decide(handoff, command, policy, now);
  if (decision.kind !== 'decided') return decision;
  const stamp = { at: now, commandId: command.commandId, actor, packetVersion: handoff.packetVersion, contractVersion: handoff.contractVersion };
  const { receipts, handoff: after } = apply(handoff, decision.facts, stamp);
  return { kind: 'transition', after, receipts, links: linksFor(after, receipts, policy) };
}

/** The links that receipts written together bring along. */
export const linksFor = (after: Handoff, receipts: readonly Receipt[], policy: Policy): PlannedLink[] => receipts.flatMap((receipt) => linksOf(after, receipt, policy));

function linksOf({ id: handoffId }: Handoff, receipt: Receipt, policy: Policy): PlannedLink[] {
  const issue = (purpose: PlannedLink['purpose'], number: number, to: PersonId, deadlineAt: string) => {
    const person = policy.roster.people.find((one) => one.id === to);
    return person === undefined ? [] : linksToIssue({ purpose, handoffId, number, person, deadlineAt });
  };
  switch (receipt.kind) {
    case 'acceptance.requested':
    case 'backup.requested':
      return issue('offer', receipt.offer, receipt.to, receipt.deadlineAt);
    case 'clarification.asked':
      return issue('clarification', receipt.offer, receipt.owedBy, receipt.expiresAt);
    case 'exception.raised':
      return issue('exception', receipt.exception, receipt.owner, receipt.respondBy);
    case 'exception.escalated':
      return issue('exception', receipt.exception, receipt.to, receipt.respondBy);
    default:
      return [];
  }
}

const named = (...parts: (string | number)[]): CommandId => commandId(parts.join(':'));
