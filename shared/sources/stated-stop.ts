// When a text message says "no more messages": the same rules for every provider (MS-08, MS-10).

import type { ContactChoice, OptOutReason } from '../domain/announcement.ts';
import type { Signal } from '../domain/signal.ts';
import type { Reading } from '../ports/signal-source.ts';

/** Whole messages that mean "stop": the words of Twilio and of AWS together. "Cancel my visit" is a message. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...['stop', 'unsubscribe', 'end', 'quit', 'stopall', 'stop all', 'revoke', 'optout', 'opt-out', 'opt out', 'cancel', 'arret', 'arrêt', 'remove', 'td'],
  ...['stop please', 'please stop', 'unsubscribe please', 'please unsubscribe', 'please remove me', 'remove me'],
]);
const START_WORDS: ReadonlySet<string> = new Set(['start', 'unstop']);

/** Sentences that ask for it in other words. A person reads them as well; messages stop meanwhile. */
const ASKS =
  /\b(?:stop (?:text|messag|contact|sending|writing|calling)|no more (?:text|messag|sms)|(?:don't|do not|dont|never) (?:text|message|contact) me|(?:take|remove) me (?:off|from)|unsubscribe me|leave me alone|deja(?:d|en)? de (?:escribir|enviar|mandar)|no me (?:escriba|mande|env\u00ede|envie|contacte))/iu;

export type StopMeaning = 'opt-out' | 'opt-in' | 'asks-to-stop';

/** What a text says about messages to come; undefined when nothing. "Don't stop" is no stop: only a person can tell what it means. */
export function stopMeaning(text: string): StopMeaning | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/[\u2019\u02bc]/g, "'")
    .trim();
  const words = plain
    .toLowerCase()
    .replace(/[.!,;:"']+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (STOP_WORDS.has(words)) return 'opt-out';
  if (START_WORDS.has(words)) return 'opt-in';
  return ASKS.test(plain.slice(0, 2000)) ? 'asks-to-stop' : undefined;
}

/**
 * The reading of one text message. A stop or start word is recorded and opens nothing; a request in other words is a message
 * that a person reads, and messages to that number stop at once. Without a number nobody can be suppressed.
 */
export function readText(signal: Signal, meaning = stopMeaning(signal.request.words ?? '')): Reading {
  const signals = [meaning === 'opt-out' || meaning === 'opt-in' ? { ...signal, notALead: meaning } : signal];
  const { phone } = signal.contact;
  if (meaning === undefined || phone === undefined) return { kind: 'signals', signals };
  return {
    kind: 'signals',
    signals,
    announcements: [
      choiceOf(
        signal,
        meaning === 'opt-in' ? 'contact.opted-in' : 'contact.opted-out',
        { channel: 'sms', address: phone },
        meaning === 'asks-to-stop' ? 'asked-in-words' : 'keyword',
      ),
    ],
  };
}

/** A choice about the address that a signal came from. */
export const choiceOf = (
  { source, eventId, occurredAt }: Pick<Signal, 'source' | 'eventId' | 'occurredAt'>,
  kind: ContactChoice['kind'],
  { channel, address }: Pick<ContactChoice, 'channel' | 'address'>,
  because: OptOutReason,
): ContactChoice => ({ kind, source, eventId, occurredAt, channel, address, because });
