// What a customer hears by itself: never that somebody took the request, and nothing once a person is at it.

import { type CustomerNews, newsFor, obsolete, type Way, wayTo } from '../../shared/domain/customer-messages.ts';
import { TO_CUSTOMER } from '../../shared/domain/message-reference.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { contractCalendar } from '../../shared/domain/window.ts';
import { customerWords } from '../../shared/domain/wording/customer.ts';
import { inFull, inShort, wordingFor } from '../../shared/domain/wording/wording.ts';
import type { LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { Letter } from './letter.tsx';
import { smsText } from './sms-text.ts';

/** Effects towards customers; a pause for customers alone holds these. */
export const isToCustomer = (effect: string): boolean => effect.startsWith(`${TO_CUSTOMER}:`);

/** Nothing, the reason why it is left out, or the message. The same receipt leads to the same effect for good. */
export type CustomerPlan = { effect: string; skip: string } | { effect: string; way: Way; letter: Letter; text: string };

export function customerPlan(receipt: Receipt, { handoff, packet }: LoadedHandoff, policy: Policy, now: string): CustomerPlan | undefined {
  const news = newsFor(receipt, policy);
  if (news === undefined) return undefined;
  const way = wayTo(packet);
  const channel = 'channel' in way ? way.channel : 'email';
  const effect = `${TO_CUSTOMER}:${receipt.seq}:${channel}`;
  const over = obsolete(receipt, handoff, policy, now);
  if (over !== undefined) return { effect, skip: over };
  if ('because' in way) return { effect, skip: way.because };
  const said = wordsOf(news, packet.contact.language, policy, receipt.at);
  return said === undefined ? { effect, skip: `no message is called ${news.message}` } : { effect, way, ...said };
}

function wordsOf({ message, opensAt }: CustomerNews, spoken: string | undefined, policy: Policy, at: string): { letter: Letter; text: string } | undefined {
  const language = spoken === 'es' ? 'es' : 'en';
  const words = customerWords(message, language);
  if (words === undefined) return undefined;
  const zone = contractCalendar(policy)?.zone ?? 'UTC';
  const wording = wordingFor(language);
  const [full, short] = opensAt === undefined ? ['', ''] : [inFull(opensAt, zone, wording), inShort(opensAt, at, zone, wording)];
  const { subject, greeting, foot } = words;
  const [first = '', ...others] = words.lines(full);
  return { letter: { language, subject, greeting, paragraphs: [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others], foot: [foot] }, text: smsText([words.sms(short)]) };
}
