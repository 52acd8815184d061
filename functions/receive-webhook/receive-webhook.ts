// Takes a delivery in: checked, read, made durable, and only then answered with 2xx (WH-17).

import { ContractError } from '../../shared/contracts/contract-error.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { BusEvent, EventBus } from '../../shared/ports/event-bus.ts';
import type { Delivery, SignalSource, SourceAnswer } from '../../shared/ports/signal-source.ts';
import type { SourceSecrets } from '../../shared/ports/source-secrets.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type ReceiveWebhookDeps = { sources: ReadonlyMap<string, SignalSource>; secrets: SourceSecrets; bus: EventBus; time: TimeSource };

/** A request below `/in/`, its body already capped. */
export type Arrival = Delivery & { method: string; path: string };

/** What became of a delivery. Only the first two are 2xx. */
export type Received =
  | { kind: 'received'; source: string; count: number; answer: SourceAnswer }
  | { kind: 'ignored'; source: string; because: string; answer: SourceAnswer }
  | { kind: 'wrong-method' }
  | { kind: 'unknown-source' }
  | { kind: 'wrong-content-type'; source: string }
  | { kind: 'not-utf8'; source: string }
  | { kind: 'no-secret'; source: string }
  | { kind: 'bad-signature'; source: string }
  | { kind: 'unreadable'; source: string }
  | { kind: 'not-a-lead'; source: string; paths: readonly string[] }
  | { kind: 'too-large'; source: string }
  | { kind: 'not-stored'; source: string; cause: unknown };

/** The largest detail of an event, in bytes: the bus takes 256 KB with everything around it. A larger lead is refused, never shortened. */
const MAX_DETAIL_BYTES = 200_000;

export async function receiveWebhook(deps: ReceiveWebhookDeps, arrival: Arrival): Promise<Received> {
  if (arrival.method !== 'POST') return { kind: 'wrong-method' };
  const name = /^\/in\/([a-z0-9-]{1,40})$/.exec(arrival.path)?.[1] ?? '';
  const source = deps.sources.get(name);
  if (source === undefined) return { kind: 'unknown-source' };
  const refusal = await refusalOf(deps, name, source, arrival);
  if (refusal !== undefined) return { kind: refusal, source: name };
  return takeIn(deps, name, source, arrival);
}

type Refusal = 'wrong-content-type' | 'not-utf8' | 'no-secret' | 'bad-signature';

async function refusalOf({ secrets, time }: ReceiveWebhookDeps, name: string, source: SignalSource, arrival: Arrival): Promise<Refusal | undefined> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = arrival.headers;
  const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!source.contentTypes.includes(mediaType) || encoding.toLowerCase() !== 'identity') return 'wrong-content-type';
  if (!isUtf8(arrival.body)) return 'not-utf8';
  const active = await secrets.active(name);
  if (active.length === 0) return 'no-secret';
  return source.verify(arrival, active, time.now()) ? undefined : 'bad-signature';
}

async function takeIn({ bus, time }: ReceiveWebhookDeps, name: string, source: SignalSource, arrival: Arrival): Promise<Received> {
  const reading = readOrRefuse(source, arrival, time.now());
  switch (reading.kind) {
    case 'not-a-lead':
      return { kind: 'not-a-lead', source: name, paths: reading.paths };
    case 'unreadable':
      return { kind: 'unreadable', source: name };
    case 'ignored':
      return { kind: 'ignored', source: name, because: reading.because, answer: source.answer([]) };
    case 'signals': {
      const events = reading.signals.map(eventOf);
      if (events.some(({ detail }) => new TextEncoder().encode(JSON.stringify(detail)).length > MAX_DETAIL_BYTES)) return { kind: 'too-large', source: name };
      try {
        await bus.publish(events);
      } catch (cause) {
        return { kind: 'not-stored', source: name, cause };
      }
      return { kind: 'received', source: name, count: events.length, answer: source.answer(reading.signals.map(({ eventId }) => eventId)) };
    }
  }
}

function readOrRefuse(source: SignalSource, arrival: Arrival, now: string) {
  try {
    return source.read(arrival, now);
  } catch (error) {
    if (error instanceof ContractError) return { kind: 'not-a-lead', paths: error.paths } as const;
    throw error;
  }
}

const eventOf = (signal: Signal): BusEvent => ({ source: 'baton.intake', detailType: 'signal.received', detail: { schemaVersion: '1', signal }, at: signal.receivedAt });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
