import { ContractError } from '../contracts/contract-error.ts';
import type { Signal } from '../domain/signal.ts';
import type { Reading } from '../ports/signal-source.ts';
import { statedInstant } from './stated-instant.ts';
import { mailDate } from './stated-reply.ts';
import { statedThreads } from './stated-thread.ts';
import { callerFrom, readInbound } from './twilio-message.ts';
import { readStatus } from './twilio-status.ts';

/** The outcomes of a Dial in which nobody spoke to the caller. */
const MISSED: ReadonlySet<string> = new Set(['no-answer', 'busy', 'failed']);
/** Already said elsewhere in the signal, or nothing about this person. */
const SAID: ReadonlySet<string> = new Set(['From', 'Caller', 'Body', 'AccountSid', 'ApiVersion', 'MessageSid', 'SmsSid', 'SmsMessageSid', 'SmsStatus', 'CallSid']);
const SID = /^[A-Z]{2}[0-9A-Za-z]{8,64}$/;
const MAX_PARAMETERS = 500;

/** Reads the form of a call or message callback. */
export function readTwilioForm(form: URLSearchParams, receivedAt: string, country: string): Reading {
  if (form.size > MAX_PARAMETERS) return { kind: 'unreadable' };
  if (form.has('DialCallStatus')) return readDial(form, receivedAt, country);
  if (form.has('RecordingSid')) return readRecording(form, receivedAt, country);
  if (form.has('CallSid')) return { kind: 'ignored', because: 'call status callback' };
  if (form.has('MessageSid') || form.has('SmsSid')) return readMessage(form, receivedAt, country);
  throw new ContractError('the callback', ['MessageSid', 'CallSid']);
}

function readDial(form: URLSearchParams, receivedAt: string, country: string): Reading {
  const status = form.get('DialCallStatus') ?? '';
  if (!MISSED.has(status)) return { kind: 'ignored', because: 'call was not missed' };
  return { kind: 'signals', signals: [{ ...signalFrom(form, receivedAt, country), eventId: `${sid(form, 'CallSid')}:dial:${status}`, kind: 'call.missed', ...callOf(form) }] };
}

/**
 * A voicemail: the action of a <Record>, which knows the caller, or its status callback, which knows the call only. Recordings
 * of answered calls are nobody's request. Whoever sets up both gets two signals of one call, which meet in one handoff.
 */
function readRecording(form: URLSearchParams, receivedAt: string, country: string): Reading {
  const status = form.get('RecordingStatus') ?? 'action';
  if ((form.get('RecordingSource') ?? 'RecordVerb') !== 'RecordVerb') return { kind: 'ignored', because: 'recording of an answered call' };
  if (status !== 'action' && status !== 'completed') return { kind: 'ignored', because: 'no finished recording' };
  const { more, ...rest } = signalFrom(form, receivedAt, country);
  const startedAt = statedInstant(mailDate(form.get('RecordingStartTime') ?? undefined) ?? '', receivedAt);
  const call = form.get('CallSid');
  const signal: Signal = {
    ...rest,
    eventId: `${sid(form, 'RecordingSid')}:${status}`,
    kind: 'voicemail.left',
    ...callOf(form),
    more: { ...more, ...(call !== null && call !== '' && { CallSid: call }) },
    ...(startedAt !== undefined && { occurredAt: startedAt }),
  };
  return { kind: 'signals', signals: [signal] };
}

/** The call that it is part of: a missed call and its recording share it. */
function callOf(form: URLSearchParams): { threads?: string[] } {
  const threads = statedThreads([['call', form.get('CallSid')]]);
  return threads.length === 0 ? {} : { threads };
}

function readMessage(form: URLSearchParams, receivedAt: string, country: string): Reading {
  const status = form.get('MessageStatus') ?? form.get('SmsStatus');
  if (form.has('MessageStatus') || (status !== null && status !== 'received') || !form.has('Body')) return readStatus(form, status ?? '', receivedAt);
  const words = form.get('Body') ?? '';
  const signal: Signal = {
    ...signalFrom(form, receivedAt, country),
    eventId: sid(form, form.has('MessageSid') ? 'MessageSid' : 'SmsSid'),
    kind: 'message.received',
    request: words.trim() === '' ? {} : { words },
  };
  return readInbound(signal, form.get('OptOutType') ?? undefined);
}

/** What both kinds state. City, state and postal code of a number say where it was registered, not where the roof is: they stay with the rest. */
function signalFrom(form: URLSearchParams, receivedAt: string, country: string): Omit<Signal, 'eventId' | 'kind'> {
  const { contact, more } = callerFrom(form.get('From') ?? '', country);
  const rest = [...new Set(form.keys())].filter((name) => !SAID.has(name) && name !== '__proto__').map((name) => [name, form.getAll(name).join(', ')] as const);
  const stated = rest.filter(([, value]) => value !== '');
  return { source: 'twilio', occurredAt: receivedAt, receivedAt, contact, request: {}, location: {}, consent: {}, more: { ...Object.fromEntries(stated), ...more } };
}

function sid(form: URLSearchParams, name: string): string {
  const [value, ...others] = form.getAll(name);
  if (value === undefined || others.length > 0 || !SID.test(value)) throw new ContractError('the callback', [name]);
  return value;
}
