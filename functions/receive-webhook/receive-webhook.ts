// Takes a delivery in: checked, read, made durable, and only then answered with 2xx (WH-17).

import { ContractError } from '../../shared/contracts/contract-error.ts';
import { type DeliveryOutcome, NO_SOURCE } from '../../shared/domain/delivery-outcome.ts';
import { sourceParts } from '../../shared/domain/source-name.ts';
import type { EventBus } from '../../shared/ports/event-bus.ts';
import type { RawDelivery, RawShelf } from '../../shared/ports/raw-shelf.ts';
import type { Delivery, FetchText, Reading, RefusalKind, SignalSource, SourceAnswer } from '../../shared/ports/signal-source.ts';
import type { SourceSecrets } from '../../shared/ports/source-secrets.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import { eventsOf, type Stated } from './events.ts';
import { keptHeaders } from './kept-headers.ts';
import { statedTimes } from './stated-times.ts';

export type ReceiveWebhookDeps = {
  sources: ReadonlyMap<string, SignalSource>;
  secrets: SourceSecrets;
  bus: EventBus;
  /** Where deliveries are kept as they came, before anything refers to them. */
  raws: RawShelf;
  time: TimeSource;
  /** For providers whose proof or set-up needs an address of theirs. */
  fetchText: FetchText;
};

/** A request to `/in` or below it, its body already capped. */
export type Arrival = Delivery & { method: string; path: string };

/** What became of a request. Only the first three are 2xx, and of those only `set-up` may not be: a wrong verify token is answered by the source itself. */
export type Received =
  | { kind: 'received'; source: string; count: number; answer: SourceAnswer }
  | { kind: 'ignored'; source: string; because: string; answer: SourceAnswer }
  | { kind: 'set-up'; source: string; answer: SourceAnswer }
  | { kind: 'wrong-method'; source?: string }
  /** Sent to `/in` itself. */
  | { kind: 'unnamed-source' }
  | { kind: 'unknown-source'; source: typeof NO_SOURCE }
  | { kind: 'wrong-content-type'; source: string; accepts: readonly string[]; instead?: number | undefined }
  | { kind: 'not-a-lead'; source: string; paths: readonly string[]; instead?: number | undefined }
  | { kind: Exclude<DeliveryOutcome, 'ignored' | 'not-a-lead' | 'unknown-source' | 'wrong-content-type'>; source: string; instead?: number | undefined }
  | { kind: 'not-stored'; source: string; cause: unknown };

/** The largest detail of an event, in bytes: the bus takes 256 KB with everything around it. A larger lead is refused, never shortened. */
const MAX_DETAIL_BYTES = 200_000;

/** Whoever sets a form up may have copied this much from the output of the deployment. */
const UNNAMED = /^\/in\/?$/;

/** The name, and for sources whose secret stands in the address, one more segment. What that says is never part of an outcome, so it cannot reach a log. */
const ADDRESS = /^\/in\/([a-z0-9-]{1,40})(\/[^/]{1,200})?$/;

export async function receiveWebhook(deps: ReceiveWebhookDeps, arrival: Arrival): Promise<Received> {
  const [, name = '', more] = ADDRESS.exec(arrival.path) ?? [];
  const source = deps.sources.get(sourceParts(name)?.provider ?? '');
  if (arrival.method !== 'POST') return setUp(deps, name, source, arrival);
  if (UNNAMED.test(arrival.path)) return { kind: 'unnamed-source' };
  if (source === undefined || (more !== undefined && source.takesPath !== true)) return { kind: 'unknown-source', source: NO_SOURCE };
  if (await isMadeUp(deps, name)) return { kind: 'no-secret', source: sourceParts(name)?.provider ?? name };
  const refusal = await refusalOf(deps, name, source, arrival);
  if (refusal === 'wrong-content-type') return { kind: refusal, source: name, accepts: source.contentTypes, ...insteadOf(source, refusal, arrival) };
  if (refusal !== undefined) return { kind: refusal, source: name, ...insteadOf(source, UNPROVED.has(refusal) ? 'bad-signature' : refusal, arrival) };
  return takeIn(deps, name, source, arrival);
}

/** A site without a secret is known by its provider's name only, so that strangers cannot fill the figures with names. */
const isMadeUp = async ({ secrets }: ReceiveWebhookDeps, name: string): Promise<boolean> => sourceParts(name)?.site !== undefined && (await secrets.active(name)).length === 0;

/** A provider that checks an address before it uses it. Everybody else hears which method is answered. */
async function setUp({ secrets }: ReceiveWebhookDeps, name: string, source: SignalSource | undefined, { method, url, headers }: Arrival): Promise<Received> {
  if (source?.setUp === undefined) return { kind: 'wrong-method' };
  const answer = source.setUp({ method, url, headers }, await secrets.active(name));
  return answer === undefined ? { kind: 'wrong-method', source: sourceParts(name)?.provider ?? name } : { kind: 'set-up', source: name, answer };
}

type Refusal = 'wrong-content-type' | 'not-utf8' | 'no-secret' | Unproved;
type Unproved = 'bad-signature' | 'wrong-time' | 'empty-body';
/** To its sender each of these is a delivery that did not prove itself. */
const UNPROVED: ReadonlySet<Refusal> = new Set(['bad-signature', 'wrong-time', 'empty-body']);

async function refusalOf({ secrets, time, fetchText }: ReceiveWebhookDeps, name: string, source: SignalSource, arrival: Arrival): Promise<Refusal | undefined> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = arrival.headers;
  const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!source.contentTypes.includes(mediaType) || encoding.toLowerCase() !== 'identity') return 'wrong-content-type';
  if (!isUtf8(arrival.body)) return 'not-utf8';
  const active = await secrets.active(name);
  if (active.length === 0) return 'no-secret';
  await source.prepare?.(arrival, fetchText);
  return source.verify(arrival, active, time.now()) ? undefined : whyUnproved(source, arrival, active);
}

/** For the person who sets it up: nothing was sent at all, or it was signed rightly at another time than now. */
function whyUnproved(source: SignalSource, arrival: Arrival, active: readonly string[]): Unproved {
  if (arrival.body.length === 0) return 'empty-body';
  return statedTimes(arrival.headers).some((then) => source.verify(arrival, active, then)) ? 'wrong-time' : 'bad-signature';
}

/** The status this provider needs instead of the usual one. */
function insteadOf(source: SignalSource, refusal: string, arrival: Arrival): { instead?: number } {
  const instead = source.refuseWith?.(refusal as RefusalKind, arrival);
  return instead === undefined ? {} : { instead };
}

async function takeIn(deps: ReceiveWebhookDeps, name: string, source: SignalSource, arrival: Arrival): Promise<Received> {
  const reading = readOrRefuse(source, arrival, deps.time.now());
  switch (reading.kind) {
    case 'not-a-lead':
      return { kind: 'not-a-lead', source: name, paths: reading.paths, ...insteadOf(source, 'not-a-lead', arrival) };
    case 'unreadable':
      return { kind: 'unreadable', source: name, ...insteadOf(source, 'unreadable', arrival) };
    case 'ignored':
      if (reading.visit !== undefined && (await deps.fetchText(reading.visit)) === undefined)
        return { kind: 'not-stored', source: name, cause: new Error('an address did not answer') };
      return { kind: 'ignored', source: name, because: reading.because, answer: reading.answer ?? source.answer([]) };
    case 'signals':
      return store(deps, name, { reading: from(name, reading), arrival, answer: source.answer(reading.signals.map(({ eventId }) => eventId)) });
  }
}

/** A site of a provider is a source of its own: its event ids, figures and rules are apart (WH-07). */
function from(name: string, reading: Storing['reading']): Storing['reading'] {
  const { signals, announcements = [] } = reading;
  if (sourceParts(name)?.site === undefined) return reading;
  return {
    ...reading,
    signals: signals.map((signal) => ({ ...signal, source: name })),
    announcements: announcements.map((one) => ('source' in one ? { ...one, source: name } : one)),
  };
}

type Storing = { reading: Extract<Reading, { kind: 'signals' }>; arrival: Arrival; answer: SourceAnswer };

/**
 * All or nothing as far as the sender can tell: after a 503 it sends everything again, under the same ids. The bytes are kept
 * first, so that no signal names what is not there; what a crash leaves between the two expires by itself.
 */
async function store({ raws, bus, time }: ReceiveWebhookDeps, source: string, { reading, arrival, answer }: Storing): Promise<Received> {
  const events = (stated: Stated) => eventsOf(stated, arrival, time.now());
  if (events(reading).some(({ detail }) => new TextEncoder().encode(JSON.stringify(detail)).length > MAX_DETAIL_BYTES)) return { kind: 'too-large', source };
  try {
    await bus.publish(events(reading.signals.length === 0 ? reading : referring(reading, await raws.keep(rawOf(source, arrival)))));
  } catch (cause) {
    return { kind: 'not-stored', source, cause };
  }
  return { kind: 'received', source, count: events(reading).length, answer };
}

const referring = ({ signals, ...rest }: Stated, rawRef: string): Stated => ({ ...rest, signals: signals.map((signal) => ({ ...signal, rawRef })) });

const rawOf = (source: string, { headers, body }: Arrival): RawDelivery => ({ source, contentType: headers['content-type'] ?? '', headers: keptHeaders(headers), body });

function readOrRefuse(source: SignalSource, arrival: Arrival, now: string) {
  try {
    return source.read(arrival, now);
  } catch (error) {
    if (error instanceof ContractError) return { kind: 'not-a-lead', paths: error.paths } as const;
    throw error;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
