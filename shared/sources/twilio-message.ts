import type { Signal } from '../domain/signal.ts';
import { statedPhone } from './stated-phone.ts';

/** Whole messages that mean "stop texting me"; Twilio answers them itself. "Cancel my visit" is a message. */
const STOP_WORDS: ReadonlySet<string> = new Set(['stop', 'unsubscribe', 'end', 'quit', 'stopall', 'revoke', 'optout', 'cancel']);
const START_WORDS: ReadonlySet<string> = new Set(['start', 'unstop']);

/** Why an inbound text is no request, as Twilio's own verdict or the whole text says; undefined when it is one. */
export function whyNoLead(text: string, optOutType: string | undefined): string | undefined {
  const word = text.trim().toLowerCase();
  if (optOutType === 'STOP' || (optOutType === undefined && STOP_WORDS.has(word))) return 'opt-out';
  if (optOutType === 'START' || (optOutType === undefined && START_WORDS.has(word))) return 'opt-in';
  return optOutType === 'HELP' ? 'help keyword' : undefined;
}

/** The person behind a caller id; withheld and invented ids are kept as sent instead (ID-04). */
export function callerFrom(from: string, country: string): { contact: Signal['contact']; more: Record<string, string> } {
  const phone = statedPhone(from.replace(/^[a-z]+:/, ''), country);
  return phone === undefined ? { contact: {}, more: from === '' ? {} : { From: from } } : { contact: { phone: phone.number }, more: {} };
}
