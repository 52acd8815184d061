// One request or two: sources that join a handoff, and what a reviewer says of two that may be one (D-01). Nothing is discarded either way.

import type { LinkSignal, MergeDuplicate, SeparateDuplicate } from './command.ts';
import { theirs } from './decide-exception.ts';
import { safetyFirst } from './decide-safety.ts';
import { type Decision, decided, illegal, refused } from './decision.ts';
import { type Handoff, openException } from './handoff.ts';
import type { HandoffId } from './ids.ts';
import { stillLacking } from './joined-facts.ts';
import type { Policy } from './policy.ts';
import type { Fact } from './receipt.ts';

/** Another source joins; whoever holds the handoff keeps it. An exception that only waited for facts ends with them. */
export function decideLink(handoff: Handoff, command: LinkSignal, policy: Policy, now: string): Decision {
  const { source, sourceEventId, occurredAt, evidence, added, conflicting, merged, meeting } = command;
  if (merged === handoff.id) return refused('same-handoff');
  const ended = cleared(handoff, added, merged);
  const { said, then } = safetyFirst(handoff, command.safety, { policy, now }, ended !== undefined);
  const fact = {
    kind: 'signal.linked',
    source,
    sourceEventId,
    occurredAt,
    evidence,
    added,
    conflicting,
    ...(merged !== undefined && { merged }),
    ...(meeting !== undefined && { meeting }),
    ...said,
  } as const;
  return illegal(handoff, 'signal.linked') ?? decided(fact, ...(ended === undefined ? [] : [ended]), ...then);
}

function cleared(handoff: Handoff, added: readonly string[], merged: HandoffId | undefined): Fact | undefined {
  const exception = openException(handoff);
  const { lacking = [], possibleDuplicate, id } = handoff;
  if (exception === undefined) return undefined;
  const end = (because: 'facts-arrived' | 'merged'): Fact => ({ kind: 'exception.cleared', exception: exception.number, because });
  if (exception.class === 'missing-context' && lacking.length > 0 && stillLacking(lacking, added).length === 0) return end('facts-arrived');
  if (exception.class === 'possible-duplicate' && merged !== undefined && merged === possibleDuplicate?.of && id < merged) return end('merged');
  return undefined;
}

/** This handoff ends as a duplicate; its sources go on in the other one. */
export function decideMerge(handoff: Handoff, command: MergeDuplicate): Decision {
  const exception = theirs(handoff, command);
  if ('kind' in exception) return exception;
  if (exception.acceptedAt === undefined) return refused('not-accepted-yet');
  if (handoff.possibleDuplicate === undefined) return refused('no-other-handoff');
  const into = handoff.possibleDuplicate.of;
  if (survives(handoff, into)) return refused('no-other-handoff');
  const { by } = command;
  const { number } = exception;
  return decided(
    { kind: 'duplicate.merged', exception: number, by, into },
    { kind: 'exception.resolved', exception: number, by, resolution: 'closed' },
    { kind: 'handoff.closed', outcome: 'duplicate', by },
  );
}

/** Two reviewers may merge two handoffs into each other at once. Both then hold all sources; the one with the lower id goes on, so that never both end. */
const survives = ({ id, absorbed = [] }: Handoff, other: Handoff['id']): boolean => absorbed.includes(other) && id < other;

/** Two requests: this one begins anew. */
export function decideSeparate(handoff: Handoff, command: SeparateDuplicate): Decision {
  const exception = theirs(handoff, command);
  if ('kind' in exception) return exception;
  if (exception.acceptedAt === undefined) return refused('not-accepted-yet');
  if (handoff.possibleDuplicate === undefined) return refused('no-other-handoff');
  return decided({ kind: 'duplicate.separated', exception: exception.number, by: command.by, from: handoff.possibleDuplicate.of });
}
