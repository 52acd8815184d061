// decide(handoff, command, policy, now) → facts or a refusal. No clock, no chance, no outside world.

import type { Command } from './command.ts';
import { decideClarificationExpiry } from './decide-clarification.ts';
import { decideLink } from './decide-duplicate.ts';
import { decideEscalate, decideRaise } from './decide-exception.ts';
import { decideGenerated } from './decide-generated.ts';
import { decidePerson, isPersonAnswer } from './decide-person.ts';
import { decideCandidates, decideOfferAgain, decideOverdue, decideRemind, decideRequest, decideTimeOut } from './decide-progress.ts';
import { decideRecorded } from './decide-recorded.ts';
import { decideReassign, decideRelease, decideTakeOver, decideWithdraw } from './decide-staff.ts';
import { decideUndelivered } from './decide-undelivered.ts';
import type { Decision } from './decision.ts';
import type { Handoff } from './handoff.ts';
import type { Policy } from './policy.ts';

/** Same handoff, command, policy and instant: same answer, always (C-05). */
export function decide(handoff: Handoff, command: Command, policy: Policy, now: string): Decision {
  if (isPersonAnswer(command)) return decidePerson(handoff, command, policy, now);
  switch (command.kind) {
    case 'resolve-candidates':
      return decideCandidates(handoff, command, policy, now);
    case 'request-acceptance':
      return decideRequest(handoff, command, policy, now);
    case 'time-out':
      return decideTimeOut(handoff, command, policy, now);
    case 'remind':
      return decideRemind(handoff, command, policy, now);
    case 'note-overdue':
      return decideOverdue(handoff, command, policy, now);
    case 'raise-exception':
      return decideRaise(handoff, command, policy, now);
    case 'escalate-exception':
      return decideEscalate(handoff, command, policy, now);
    case 'expire-clarification':
      return decideClarificationExpiry(handoff, command, policy, now);
    case 'release':
      return decideRelease(handoff, command, policy, now);
    case 'reassign':
      return decideReassign(handoff, command, policy);
    case 'withdraw':
      return decideWithdraw(handoff, command, policy);
    case 'take-over':
      return decideTakeOver(handoff, command, policy);
    case 'record-outcome':
      return decideRecorded(handoff, command);
    case 'offer-again':
      return decideOfferAgain(handoff, command, policy, now);
    case 'note-undelivered':
      return decideUndelivered(handoff, command, policy);
    case 'note-prepared':
    case 'refuse-generator':
      return decideGenerated(handoff, command);
    case 'link-signal':
      return decideLink(handoff, command, policy, now);
  }
}
