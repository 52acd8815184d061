// What another source of the same request changes besides the packet: what was missing may be there now, and what was known may be contradicted.

import type { Handoff } from './handoff.ts';
import { meetingAfter } from './meeting.ts';
import type { ReceiptOf } from './receipt.ts';

/** Facts that decide who may be asked. Two sources that differ on one of them leave nobody to guess which holds (L-06). */
const ROUTING_FACTS = ['location.', 'request.category', 'request.product', 'request.purpose', 'request.regulated', 'contact.language', 'account.'] as const;

/** The requirements of a list, each one path or several joined with "or", that these facts do not meet. */
export const stillLacking = (lacking: readonly string[], added: readonly string[]): string[] =>
  lacking.filter((requirement) => !requirement.split(' or ').some((path) => added.includes(path)));

const contradicted = (paths: readonly string[]): string[] => paths.filter((path) => ROUTING_FACTS.some((fact) => path.startsWith(fact)));

/** What a person is asked when sources differ on where a request belongs. */
export const contradiction = (paths: readonly string[]) => ({ class: 'conflicting-facts' as const, because: `sources differ on: ${paths.join(', ')}` });

/** Whether this is an exception of safety, raised or demanded. */
export const isSafety = (exception: { class: string } | undefined): boolean => exception?.class === 'safety-urgent';

/**
 * The row after another source joined. Whoever is being asked may still answer, with both values before their eyes; nobody
 * else is asked before a person has said which of them holds. What somebody owns stays theirs: they ask the customer.
 */
export function joined(base: Handoff, { added, conflicting, merged, meeting }: ReceiptOf<'signal.linked'>): Handoff {
  const { lacking: before = [], contradictions: known = [], toRaise: demanded, meeting: stood, ...rest } = base;
  const lacking = stillLacking(before, added);
  const contradictions = base.ownership === undefined ? [...new Set([...known, ...contradicted(conflicting)])] : [];
  const open = demanded?.class === 'missing-context' && lacking.length === 0 ? undefined : demanded;
  const toRaise = open ?? (contradictions.length > 0 && base.state !== 'exception' && base.ownership === undefined ? contradiction(contradictions) : undefined);
  return {
    ...rest,
    ...meetingAfter(meeting, stood),
    ...(lacking.length > 0 && { lacking }),
    ...(contradictions.length > 0 && { contradictions }),
    ...(toRaise !== undefined && { toRaise }),
    ...(merged !== undefined && { absorbed: [...(base.absorbed ?? []), merged] }),
  };
}
