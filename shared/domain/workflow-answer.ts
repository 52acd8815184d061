// How a next step is told to the state machine: the name of its next state and the length of the wait there.

import { askedBy } from './answer-window.ts';
import { ruleFor } from './escalation.ts';
import type { Handoff } from './handoff.ts';
import type { HandoffId } from './ids.ts';
import { type NextStep, nextStep, type Wait } from './next-step.ts';
import { askStep } from './offer-window.ts';
import type { Policy, Window } from './policy.ts';
import { acceptanceStartsAt, deadlineAfter, windowCalendars } from './window.ts';

/** Names of the machine's waits. */
export type WorkflowWait = 'request-acceptance' | 'raise-exception' | 'await-next-step';

/** What a step answers to the machine. `waitSeconds` is at least 1 and also given where nothing is waited for. */
export type WorkflowAnswer = { handoffId: HandoffId; next: WorkflowWait | 'resolve-candidates' | 'advance-clock' | 'closed'; waitSeconds: number };

/** The machine starts its time-out before the offer gets its deadline; without this second it would wake too early and wait again. */
const HEAD_START_SECONDS = 1;

/** What the machine should do now. `advance-clock` says that something is due which has to happen first. */
export function workflowAnswer(handoff: Handoff, policy: Policy, now: string): WorkflowAnswer {
  const step = nextStep(handoff, policy, now);
  const answer = (next: WorkflowAnswer['next'], waitSeconds = 1): WorkflowAnswer => ({ handoffId: handoff.id, next, waitSeconds: Math.max(1, Math.ceil(waitSeconds)) });
  const lengthOf = (window: Window, startsAt = now) => secondsBetween(now, deadlineAfter(startsAt, window, windowCalendars(policy))) + HEAD_START_SECONDS;
  switch (step.kind) {
    case 'resolve-candidates':
      return answer('resolve-candidates');
    case 'await':
      return answer(waitOf(step.wait), secondsBetween(now, step.until));
    case 'request-acceptance':
      return answer('request-acceptance', lengthOf(askWindow(step, askedBy(handoff, policy)), acceptanceStartsAt(policy, now)));
    case 'raise-exception':
      return answer('raise-exception', lengthOf(ruleFor(policy, step.class).respond));
    case 'remind':
    case 'expire-clarification':
    case 'time-out':
    case 'escalate-exception':
    case 'note-overdue':
    case 'offer-again':
      return answer('advance-clock');
    case 'done':
      return answer('closed');
  }
}

/** Which of the machine's waits this is. */
export function waitOf(wait: Wait): WorkflowWait {
  if (wait.startsWith('offer:')) return 'request-acceptance';
  return wait.startsWith('exception:') ? 'raise-exception' : 'await-next-step';
}

/** The first wait of an offer: until the reminder, if there is one. */
function askWindow(step: NextStep & { kind: 'request-acceptance' }, policy: Policy): Window {
  const { warnAt, window } = askStep(policy, step.step);
  return warnAt ?? window;
}

const secondsBetween = (from: string, until: string) => (Date.parse(until) - Date.parse(from)) / 1000;
