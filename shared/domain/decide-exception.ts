// Exceptions: raised to a named owner, accepted with a receipt, escalated as a transfer, resolved by a person (E-02, E-03).

import type { AcceptException, EscalateException, RaiseException, ResolveException } from './command.ts';
import { mayCorrect } from './corrected-packet.ts';
import { capacityOf, checkPromise } from './decide-answer.ts';
import { safetyFirst } from './decide-safety.ts';
import { type Decision, decided, illegal, refused } from './decision.ts';
import { firstOwner, ruleFor, successor } from './escalation.ts';
import { type Handoff, openException, type RaisedException } from './handoff.ts';
import type { PersonId } from './ids.ts';
import { isSafety } from './joined-facts.ts';
import { nextStep } from './next-step.ts';
import { readingFor } from './ownership-clock.ts';
import type { Policy } from './policy.ts';
import { deadlineAfter, windowCalendars } from './window.ts';

/** An accepted handoff becomes an exception only when its promise failed: a fault of ours never takes a customer from the person who said yes. Nor does one go before a matter of safety. */
export function decideRaise(handoff: Handoff, command: RaiseException, policy: Policy, now: string): Decision {
  if (openException(handoff) !== undefined) return { kind: 'already-done' };
  const wrongState = illegal(handoff, 'exception.raised');
  if (wrongState !== undefined) return wrongState;
  const demanded =
    command.class === undefined || handoff.state === 'accepted' || isSafety(handoff.toRaise)
      ? nextStep(handoff, policy, now)
      : { kind: 'raise-exception' as const, class: command.class, because: command.because ?? command.class };
  if (demanded.kind !== 'raise-exception') return { kind: 'not-in-this-state', state: handoff.state };
  const rule = ruleFor(policy, demanded.class);
  return decided({
    kind: 'exception.raised',
    exception: handoff.exceptions.length + 1,
    class: demanded.class,
    owner: firstOwner(rule, { policy, now }),
    backup: rule.backup,
    respondBy: deadlineAfter(now, rule.respond, windowCalendars(policy)),
    because: demanded.because,
  });
}

export function decideAcceptException(handoff: Handoff, command: AcceptException, policy: Policy, now: string): Decision {
  const exception = theirs(handoff, command);
  if ('kind' in exception) return exception;
  if (exception.acceptedAt !== undefined) return { kind: 'already-yours', since: exception.acceptedAt };
  const reviewAt = deadlineAfter(now, ruleFor(policy, exception.class).review, windowCalendars(policy));
  return decided({ kind: 'exception.accepted', exception: exception.number, by: command.by, reviewAt, channel: command.channel });
}

/** Silence of an exception owner moves the ownership, with its history, to the next named person (E-02). */
export function decideEscalate(handoff: Handoff, _command: EscalateException, policy: Policy, now: string): Decision {
  const exception = openException(handoff);
  if (exception === undefined) return illegal(handoff, 'exception.escalated') ?? { kind: 'already-done' };
  const due = exception.acceptedAt === undefined ? exception.respondBy : (exception.reviewAt ?? exception.respondBy);
  if (now < due) return { kind: 'not-yet', until: due };
  const rule = ruleFor(policy, exception.class);
  const to = successor(exception, rule, { policy, now });
  if (to === undefined) return refused('nobody-left');
  return decided({
    kind: 'exception.escalated',
    exception: exception.number,
    from: exception.owner,
    to,
    respondBy: deadlineAfter(now, rule.respond, windowCalendars(policy)),
    because: exception.acceptedAt === undefined ? 'no-response' : 'review-passed',
  });
}

export function decideResolve(handoff: Handoff, command: ResolveException, policy: Policy, now: string): Decision {
  const exception = theirs(handoff, command);
  if ('kind' in exception) return exception;
  if (exception.acceptedAt === undefined) return refused('not-accepted-yet');
  const { by, how } = command;
  const resolved = { kind: 'exception.resolved', exception: exception.number, by } as const;
  switch (how.resolution) {
    case 'assign':
      if (!policy.roster.people.some((person) => person.id === how.to)) return refused('unknown-person');
      return decided({ ...resolved, resolution: 'assigned', to: how.to });
    case 'correct':
      return corrected(handoff, exception, how, { policy, now });
    case 'close':
      return decided({ ...resolved, resolution: 'closed' }, { kind: 'handoff.closed', outcome: how.outcome, by });
    case 'take': {
      const promise = checkPromise(how, policy, now);
      if (promise !== undefined) return promise;
      const proposedOwner = handoff.offers[0]?.to ?? by;
      const offer = handoff.offers.length + 1;
      return decided(
        { ...resolved, resolution: 'taken' },
        {
          kind: 'offer.accepted',
          offer,
          by,
          proposedOwner,
          nextAction: how.nextAction,
          dueAt: new Date(how.dueAt).toISOString(),
          late: false,
          channel: command.channel,
          ...readingFor(handoff, policy, now),
          ...capacityOf(policy, by),
        },
      );
    }
  }
}

type Correct = Extract<ResolveException['how'], { resolution: 'correct' }>;

/** Where sources contradict each other, confirming what stands is an answer too; everywhere else something has to change. */
function corrected(handoff: Handoff, exception: RaisedException, { paths, seenPacketVersion, safety }: Correct, at: { policy: Policy; now: string }): Decision {
  if (!mayCorrect(exception) || handoff.possibleDuplicate !== undefined) return { kind: 'not-in-this-state', state: handoff.state };
  if (seenPacketVersion !== handoff.packetVersion) return refused('packet-changed');
  if (paths.length === 0 && exception.class !== 'conflicting-facts') return refused('nothing-corrected');
  const { said, then } = safetyFirst(handoff, safety, at, true);
  return decided({ kind: 'exception.cleared', exception: exception.number, because: 'corrected', paths, ...said }, ...then);
}

/** The exception, if the person who answers is the one who answers for it. */
export function theirs(handoff: Handoff, command: { exception: number; by: PersonId }): RaisedException | Exclude<Decision, { kind: 'decided' }> {
  const exception = handoff.exceptions.find((one) => one.number === command.exception);
  if (exception === undefined) return { kind: 'not-in-this-state', state: handoff.state };
  if (exception.resolvedAt !== undefined) return { kind: 'no-longer-open', because: handoff.state === 'closed' ? 'closed' : 'resolved' };
  if (exception.owner === command.by) return exception;
  if (exception.earlierOwners.includes(command.by)) return { kind: 'no-longer-open', because: 'escalated' };
  return { kind: 'refused', because: 'not-the-person-asked' };
}
