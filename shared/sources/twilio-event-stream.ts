import { ContractError } from '../contracts/contract-error.ts';
import type { Signal } from '../domain/signal.ts';
import type { Reading } from '../ports/signal-source.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { callerFrom, readInbound } from './twilio-message.ts';

const INBOUND = 'com.twilio.messaging.inbound-message.received';
const SAID: ReadonlySet<string> = new Set(['messageSid', 'accountSid', 'eventName', 'from', 'body', 'timestamp']);

/** Reads a list of Event Streams events; inbound messages become signals under the same ids as their callbacks, the rest is ignored. */
export function readEventStream(text: string, receivedAt: string, country: string): Reading {
  const events = readJson(text);
  if (events === undefined) return { kind: 'unreadable' };
  if (!Array.isArray(events) || !events.every(isObject)) throw new ContractError('the event list', ['(whole)']);
  const readings = events.flatMap((event, index) => (event.type === INBOUND ? [readEvent(event, index, receivedAt, country)] : []));
  if (readings.length === 0) return { kind: 'ignored', because: 'no inbound message among the events' };
  const said = readings.filter((reading) => reading.kind === 'signals');
  return { kind: 'signals', signals: said.flatMap(({ signals }) => signals), announcements: said.flatMap(({ announcements = [] }) => announcements) };
}

function readEvent({ data, time }: JsonObject, index: number, receivedAt: string, country: string): Reading {
  const sid = isObject(data) ? data.messageSid : undefined;
  if (!isObject(data) || typeof sid !== 'string' || !/^[A-Z]{2}[0-9A-Za-z]{8,64}$/.test(sid)) throw new ContractError('the event list', [`${index}.data.messageSid`]);
  const { contact, more } = callerFrom(textOf(data.from) ?? '', country);
  const words = textOf(data.body);
  const rest = Object.entries(data).flatMap(([key, value]) => (SAID.has(key) || textOf(value) === undefined ? [] : [[key, textOf(value) ?? ''] as const]));
  const signal: Signal = {
    source: 'twilio',
    eventId: sid,
    kind: 'message.received',
    occurredAt: statedInstant(textOf(data.timestamp) ?? textOf(time) ?? '', receivedAt) ?? receivedAt,
    receivedAt,
    contact,
    request: words === undefined ? {} : { words },
    location: {},
    consent: {},
    more: { ...Object.fromEntries(rest), ...more },
  };
  return readInbound(signal, textOf(data.optOutType));
}
