// Which automatic message a customer gets, over which channel, and whether it still fits. None of them says that anybody took the request.

import { stepsAside } from './automation.ts';
import { ruleFor } from './escalation.ts';
import { type Handoff, openException, pendingOffer } from './handoff.ts';
import type { Packet } from './packet.ts';
import type { Policy } from './policy.ts';
import type { Receipt } from './receipt.ts';

/** The messages that a contract may name. Their words are in wording/customer.ts. */
export const CUSTOMER_MESSAGES = ['we-answer-when-we-open', 'we-look-for-the-right-person', 'we-need-a-little-longer'] as const;
export type CustomerMessage = (typeof CUSTOMER_MESSAGES)[number];

/** A message that a contract asks for; `opensAt` is known for closed hours alone. */
export type CustomerNews = { message: string; opensAt?: string };

/** What the contract wants the customer to hear of this receipt, if anything (C-08, R-04). */
export function newsFor(receipt: Receipt, { contract, ...rest }: Policy): CustomerNews | undefined {
  switch (receipt.kind) {
    case 'handoff.opened':
      return receipt.closed && { message: receipt.closed.tellCustomer, opensAt: receipt.closed.opensAt };
    case 'exception.raised':
      return named(ruleFor({ contract, ...rest }, receipt.class).tellCustomer);
    case 'clarification.asked':
      return named(contract.clarification?.tellCustomer);
    default:
      return undefined;
  }
}

const named = (message: string | undefined): CustomerNews | undefined => (message === undefined ? undefined : { message });

/** Why the customer is not told any more, judged on the row as it is in the step that would send (D-02, D-04, L-10). */
export function obsolete(receipt: Receipt, handoff: Handoff, policy: Policy, now: string): string | undefined {
  if (handoff.state === 'closed') return 'the request is closed';
  if (stepsAside(handoff)) return 'a person works with the customer';
  if (handoff.ownership !== undefined) return 'somebody owns the request';
  const exception = openException(handoff);
  const paused = handoff.possibleDuplicate !== undefined || (exception !== undefined && ruleFor(policy, exception.class).meanwhile === 'pause-outreach');
  if (paused) return 'messages to the customer wait for a person';
  if (receipt.kind === 'handoff.opened') return now >= (receipt.closed?.opensAt ?? now) ? 'the hours began again' : undefined;
  if (receipt.kind === 'exception.raised') return exception?.number === receipt.exception ? undefined : 'the exception is over';
  return pendingOffer(handoff)?.clarification === undefined ? 'the question is over' : undefined;
}

/** How a customer can be answered. */
export type Way = { channel: 'email' | 'sms'; address: string };

/**
 * The channel that the customer used, if they may be written to there: whoever texted gets a text, whoever left an e-mail
 * address an e-mail. A text to anybody else needs their permission, and a "no" to a channel closes it.
 */
export function wayTo({ contact, consent, sources }: Packet): Way | { because: string } {
  const email: Way[] = contact.email === undefined || consent.email === 'denied' ? [] : [{ channel: 'email', address: contact.email }];
  const texted = sources[0]?.kind === 'message.received';
  const mayText = consent.sms === 'granted' || (texted && consent.sms !== 'denied');
  const sms: Way[] = contact.phone === undefined || !mayText || !contact.phone.startsWith('+') ? [] : [{ channel: 'sms', address: contact.phone }];
  const prefersText = texted || contact.prefers === 'sms';
  const [way] = prefersText ? [...sms, ...email] : [...email, ...sms];
  return way ?? { because: 'the customer may not be written to on any channel they left' };
}
