// What a person can wish through a link. The page needs no more of the domain than this, so that its function stays small.

import type { Command } from './command.ts';
import { decideAccept, decideClose, decideConfirm, decideDuplicate, decideReject } from './decide-answer.ts';
import { decideClarification, decideClarificationAnswer } from './decide-clarification.ts';
import { decideMerge, decideSeparate } from './decide-duplicate.ts';
import { decideAcceptException, decideResolve } from './decide-exception.ts';
import type { Decision } from './decision.ts';
import type { Handoff } from './handoff.ts';
import type { Policy } from './policy.ts';

const ANSWERS = [
  'accept',
  'reject',
  'ask-clarification',
  'answer-clarification',
  'mark-duplicate',
  'merge-duplicate',
  'separate-duplicate',
  'accept-exception',
  'resolve-exception',
  'confirm-next-step',
  'close',
] as const;

/** A command that a link can carry. */
export type PersonAnswer = Extract<Command, { kind: (typeof ANSWERS)[number] }>;

export const isPersonAnswer = (command: Command): command is PersonAnswer => ANSWERS.some((kind) => kind === command.kind);

/** As `decide`, for what a link can carry. */
export function decidePerson(handoff: Handoff, command: PersonAnswer, policy: Policy, now: string): Decision {
  switch (command.kind) {
    case 'accept':
      return decideAccept(handoff, command, policy, now);
    case 'reject':
      return decideReject(handoff, command, policy, now);
    case 'ask-clarification':
      return decideClarification(handoff, command, policy, now);
    case 'answer-clarification':
      return decideClarificationAnswer(handoff, command, policy, now);
    case 'mark-duplicate':
      return decideDuplicate(handoff, command, policy, now);
    case 'merge-duplicate':
      return decideMerge(handoff, command);
    case 'separate-duplicate':
      return decideSeparate(handoff, command);
    case 'accept-exception':
      return decideAcceptException(handoff, command, policy, now);
    case 'resolve-exception':
      return decideResolve(handoff, command, policy, now);
    case 'confirm-next-step':
      return decideConfirm(handoff, command);
    case 'close':
      return decideClose(handoff, command);
  }
}
