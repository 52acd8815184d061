// One request or two: sources that join a handoff, and what a reviewer says of two that may be one (D-01). Nothing is discarded either way.

import type { LinkSignal, MergeDuplicate, SeparateDuplicate } from './command.ts';
import { theirs } from './decide-exception.ts';
import { type Decision, decided, illegal, refused } from './decision.ts';
import type { Handoff } from './handoff.ts';

/** Another source joins; whoever holds the handoff keeps it. */
export function decideLink(handoff: Handoff, { source, sourceEventId, occurredAt, evidence, added, conflicting, merged }: LinkSignal): Decision {
  if (merged === handoff.id) return refused('same-handoff');
  const fact = { kind: 'signal.linked', source, sourceEventId, occurredAt, evidence, added, conflicting } as const;
  return illegal(handoff, 'signal.linked') ?? decided(merged === undefined ? fact : { ...fact, merged });
}

/** This handoff ends as a duplicate; its sources go on in the other one. */
export function decideMerge(handoff: Handoff, command: MergeDuplicate): Decision {
  const exception = theirs(handoff, command);
  if ('kind' in exception) return exception;
  if (exception.acceptedAt === undefined) return refused('not-accepted-yet');
  if (handoff.possibleDuplicate === undefined) return refused('no-other-handoff');
  const { by } = command;
  const { number } = exception;
  return decided(
    { kind: 'duplicate.merged', exception: number, by, into: handoff.possibleDuplicate.of },
    { kind: 'exception.resolved', exception: number, by, resolution: 'closed' },
    { kind: 'handoff.closed', outcome: 'duplicate', by },
  );
}

/** Two requests: this one begins anew. */
export function decideSeparate(handoff: Handoff, command: SeparateDuplicate): Decision {
  const exception = theirs(handoff, command);
  if ('kind' in exception) return exception;
  if (exception.acceptedAt === undefined) return refused('not-accepted-yet');
  if (handoff.possibleDuplicate === undefined) return refused('no-other-handoff');
  return decided({ kind: 'duplicate.separated', exception: exception.number, by: command.by, from: handoff.possibleDuplicate.of });
}
