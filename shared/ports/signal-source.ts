import type { Announcement } from '../domain/announcement.ts';
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
  /** Requests, and what else the delivery says; either may be all there is. */
  | { kind: 'signals'; signals: readonly Signal[]; announcements?: readonly Announcement[] }
  /** Authentic, and by its nature no request of a customer: a delivery report, an answered call. */
  | {
      kind: 'ignored';
      because: string;
      answer?: SourceAnswer /** An address of the provider that must be opened first, such as the one that confirms a subscription. */;
      visit?: string;
    }
  /** The bytes are not in the format they claim, or go beyond its limits. */
  | { kind: 'unreadable' };

export type SourceAnswer = { status: number; contentType: string; body: string; headers?: Readonly<Record<string, string>> };

/** A request that carries no delivery: GET, HEAD or OPTIONS, by which a provider checks an address. */
export type SetUpRequest = { method: string; url: string; headers: Readonly<Record<string, string>> };

/** Why a delivery is refused, where a provider may need another status than the usual one. */
export type RefusalKind = 'wrong-content-type' | 'bad-signature' | 'unreadable' | 'not-a-lead';

/** Fetches text from an https address: no redirects, a short time, a small answer. Undefined when there is none. Callers name only addresses that the provider itself owns. */
export type FetchText = (url: string) => Promise<string | undefined>;

/** One provider: how its deliveries are checked, read and answered. */
export interface SignalSource {
  /** Media types it sends; anything else is refused before it is read. */
  readonly contentTypes: readonly string[];
  /** Fetches what `verify` needs and has not got, such as a certificate. The delivery is not checked yet, so nothing in it decides where to. Never throws. */
  prepare?(delivery: Delivery, fetchText: FetchText): Promise<void>;
  /** Whether one of the active secrets signed exactly these bytes, in time where the scheme has one. Never throws; constant time in the signature. */
  verify(delivery: Delivery, secrets: readonly string[], now: string): boolean;
  /** What the delivery states. Same bytes, same event ids and facts, always. Throws `ContractError` when it is well formed but states no fact this source knows how to name. */
  read(delivery: Delivery, receivedAt: string): Reading;
  /** What the provider expects to hear once the signals are durable, or when there are none. */
  answer(eventIds: readonly string[]): SourceAnswer;
  /** Whether one more path segment may follow its name. */
  readonly takesPath?: boolean;
  /** Answers a set-up request; undefined when it is none of this provider, or not genuine. */
  setUp?(request: SetUpRequest, secrets: readonly string[]): SourceAnswer | undefined;
  /** Another status for a refusal; undefined for the usual one. */
  refuseWith?(kind: RefusalKind, delivery: Delivery): number | undefined;
}
