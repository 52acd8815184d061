import type { Signal } from '../domain/signal.ts';

/** A delivery as the provider signed it. Header names are lower case; a repeated header is joined with commas. */
export type Delivery = {
  /** The address the provider was given: the configured public base, the raw path and the raw query. */
  url: string;
  headers: Readonly<Record<string, string>>;
  /** The exact bytes, which are valid UTF-8. */
  body: Uint8Array;
};

export type Reading =
  | { kind: 'signals'; signals: readonly Signal[] }
  /** Authentic, and by its nature no request of a customer: a delivery report, an answered call. */
  | { kind: 'ignored'; because: string }
  /** The bytes are not in the format they claim, or go beyond its limits. */
  | { kind: 'unreadable' };

export type SourceAnswer = { status: number; contentType: string; body: string };

/** One provider: how its deliveries are checked, read and answered. */
export interface SignalSource {
  /** Media types it sends; anything else is refused before it is read. */
  readonly contentTypes: readonly string[];
  /** Whether one of the active secrets signed exactly these bytes, in time where the scheme has one. Never throws; constant time in the signature. */
  verify(delivery: Delivery, secrets: readonly string[], now: string): boolean;
  /** What the delivery states. Same bytes, same event ids and facts, always. Throws `ContractError` when it is well formed but states no fact this source knows how to name. */
  read(delivery: Delivery, receivedAt: string): Reading;
  /** What the provider expects to hear once the signals are durable, or when there are none. */
  answer(eventIds: readonly string[]): SourceAnswer;
}
