import { randomUUID } from 'node:crypto';
import { ACCOUNT, AwsError, REGION } from '../../kernel/types.ts';
import { type Input, isRecord } from '../protocol/input.ts';

/** An event as rules and targets see it. */
export type BusEvent = {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  time: string;
  region: string;
  resources: string[];
  detail: unknown;
};

/** What became of one entry of a request. */
export type EntryRead = { kind: 'event'; bus: string; event: BusEvent } | { kind: 'refused'; code: string; message: string };

export const MOST_ENTRIES = 10;
const MOST_BYTES = 256 * 1024;
const MEMBERS = ['Source', 'DetailType', 'Detail', 'EventBusName', 'Resources', 'Time', 'TraceHeader'];
const TIME_BYTES = 14;

const bytes = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0);

/** Size as AWS counts it: 14 bytes for a time, and the UTF-8 length of source, type, detail and resources. */
const entrySize = (entry: Input): number => {
  const resources = Array.isArray(entry.Resources) ? entry.Resources : [];
  return (entry.Time === undefined ? 0 : TIME_BYTES) + [entry.Source, entry.DetailType, entry.Detail, ...resources].reduce((sum: number, part) => sum + bytes(part), 0);
};

/** Refuses a request as a whole, as AWS does: too many entries, none, or more than 256 KB together. */
export const checkRequestSize = (entries: readonly Input[]): void => {
  const constraint = entries.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${MOST_ENTRIES}`;
  if (entries.length === 0 || entries.length > MOST_ENTRIES)
    throw new AwsError('ValidationException', `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length ${constraint}`);
  if (entries.reduce((sum, entry) => sum + entrySize(entry), 0) > MOST_BYTES)
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
};

const refused = (code: string, message: string): EntryRead => ({ kind: 'refused', code, message });
const required = (name: string): EntryRead => refused('InvalidArgument', `Parameter ${name} is not valid. Reason: ${name} is a required argument.`);

const readDetail = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** EventBridge times have no fraction of a second. */
export const eventTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const timeOf = (value: unknown, now: number): number => {
  if (typeof value === 'number') return value * 1000;
  return typeof value === 'string' ? Date.parse(value) : now;
};

/** `name`, whether given as name or ARN. */
export const busName = (value: unknown): string => {
  const text = typeof value === 'string' && value !== '' ? value : 'default';
  return text.startsWith('arn:') ? text.slice(text.indexOf('/') + 1) : text;
};

/** Reads one entry; what AWS would refuse for this entry alone is an answer, not an error. */
export const readEntry = (entry: Input, now: number): EntryRead => {
  const unknown = Object.keys(entry).filter((key) => !MEMBERS.includes(key));
  if (unknown.length > 0)
    throw new AwsError('ValidationException', `The local runtime does not support ${unknown.join(', ')} in an entry of PutEvents. Supported: ${MEMBERS.join(', ')}.`);
  const { Source: source, DetailType: type, Detail: text } = entry;
  if (typeof source !== 'string' || source === '') return required('Source');
  if (typeof type !== 'string' || type === '') return required('DetailType');
  if (typeof text !== 'string' || text === '') return required('Detail');
  if (source.startsWith('aws.')) return refused('NotAuthorizedForSourceException', 'Not authorized for the source.');
  const detail = readDetail(text);
  if (!isRecord(detail)) return refused('MalformedDetail', 'Detail is malformed.');
  const at = timeOf(entry.Time, now);
  if (!Number.isFinite(at)) return refused('InvalidArgument', 'Parameter Time is not valid. Reason: it is not a time.');
  const resources = Array.isArray(entry.Resources) ? entry.Resources.map(String) : [];
  return { kind: 'event', bus: busName(entry.EventBusName), event: makeEvent({ source, type, resources, detail, at }) };
};

/** Gives an event its id and the fields EventBridge adds. */
export const makeEvent = (from: { source: string; type: string; resources: string[]; detail: unknown; at: number }): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': from.type,
  source: from.source,
  account: ACCOUNT,
  time: eventTime(from.at),
  region: REGION,
  resources: from.resources,
  detail: from.detail,
});
