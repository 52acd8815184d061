import { createHash } from 'node:crypto';
import { type HandoffId, handoffId } from '../domain/ids.ts';
import type { Signal } from '../domain/signal.ts';
import type { SignalDigest } from '../ports/signal-digest.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The handoff that a signal of this source and event id opens, now or ever. */
export const handoffIdFor = (source: string, eventId: string): HandoffId => handoffId(`h-${sha256(`${source}\n${eventId}`).slice(0, 32)}`);

/** SHA-256 as the source of handoff ids and body fingerprints. */
export const signalDigest: SignalDigest = {
  handoffId: ({ source, eventId }) => handoffIdFor(source, eventId),
  bodyHash: (signal) => sha256(canonical(statedPart(signal))),
};

/** Without the times: a repetition arrives later, and where the source states no time the arrival stands in for it. Nor the bytes: a repetition may count its attempts. */
function statedPart({ receivedAt: _received, occurredAt: _occurred, rawRef: _raw, ...stated }: Signal): Record<string, unknown> {
  return stated;
}

/** JSON with the keys of every object in code-unit order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}
