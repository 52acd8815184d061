import type { Signal } from '../domain/signal.ts';
import type { Reading } from '../ports/signal-source.ts';
import { statedPhone } from './stated-phone.ts';
import { readText, stopMeaning } from './stated-stop.ts';

/** The reading of an inbound text: Twilio's own verdict where it gives one, else what the words say. */
export function readInbound(signal: Signal, optOutType: string | undefined): Reading {
  if (optOutType === 'HELP') return { kind: 'signals', signals: [{ ...signal, notALead: 'help keyword' }] };
  return readText(signal, optOutType === 'STOP' ? 'opt-out' : optOutType === 'START' ? 'opt-in' : stopMeaning(signal.request.words ?? ''));
}

/** The person behind a caller id; withheld and invented ids are kept as sent instead (ID-04). */
export function callerFrom(from: string, country: string): { contact: Signal['contact']; more: Record<string, string> } {
  const phone = statedPhone(from.replace(/^[a-z]+:/, ''), country);
  return phone === undefined ? { contact: {}, more: from === '' ? {} : { From: from } } : { contact: { phone: phone.number }, more: {} };
}
