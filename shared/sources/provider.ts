// What one provider is: everything Baton knows about it, declared in one file. See shared/sources/README.md for how to add one.

import type { Delivery, Reading, SetUpRequest, SignalSource, SourceAnswer } from '../ports/signal-source.ts';

/** How deliveries of a provider prove themselves, and how to make one that does. Made by the families in `verify/`. */
export type Verification = {
  /** Whether one of the active secrets stands behind exactly these bytes. Never throws; constant time in what is secret. */
  verify(delivery: Delivery, secrets: readonly string[], now: string): boolean;
  /** The same delivery as the provider would send it at that time. For `baton source test`. */
  sign(delivery: Delivery, secret: string, now: string): Delivery;
};

/** Where numbers without a country code are dialled, as two letters. */
export type Locale = { country: string };

export type Provider = {
  /** Its name in `/in/<name>`, in `starts.from` of contracts, and in receipts: lower case, digits and hyphens. */
  name: string;
  /** Its name for people. */
  title: string;
  /** Who makes the secret: `baton` generates one to paste there, `provider` shows one to paste here. `what` is what that screen calls it. */
  secret: { from: 'baton' | 'provider'; what: string };
  /** Where the address goes, in the words of the provider's own screens. `<url>` and `<secret>` stand for the values. */
  setup: readonly string[];
  /** Media types it sends. */
  contentTypes: readonly string[];
  verification: Verification;
  /** Fetches what `verification` needs and has not got; see `SignalSource`. */
  prepare?: SignalSource['prepare'];
  /** What a verified delivery states. Same bytes, same event ids and facts. Throws `ContractError` when it is well formed and unusable. */
  read(delivery: Delivery, receivedAt: string, locale: Locale): Reading;
  /** What it expects to hear once the signals are durable, or when there are none. */
  answer(eventIds: readonly string[]): SourceAnswer;
  /** Whether one more path segment may follow: `/in/<name>/<token>`. */
  takesPath?: boolean;
  /** Answers the request by which a provider checks the address before it uses it. Undefined: not such a request, or not a genuine one. */
  setUp?(request: SetUpRequest, secrets: readonly string[]): SourceAnswer | undefined;
  /** A status instead of the usual one for a refusal, where the usual one does damage at this provider. Never 404 or 410. */
  refuseWith?: SignalSource['refuseWith'];
};

/** The source that a provider is, where numbers are dialled in that country. */
export function sourceOf(provider: Provider, locale: Locale): SignalSource {
  const { contentTypes, verification, read, answer, prepare, takesPath, setUp, refuseWith } = provider;
  return {
    contentTypes,
    verify: verification.verify,
    read: (delivery, receivedAt) => read(delivery, receivedAt, locale),
    answer,
    ...(prepare !== undefined && { prepare }),
    ...(takesPath !== undefined && { takesPath }),
    ...(setUp !== undefined && { setUp }),
    ...(refuseWith !== undefined && { refuseWith }),
  };
}

/** 200 with the event ids as JSON: what a provider hears that reads nothing but the status. */
export const received = (eventIds: readonly string[]): SourceAnswer => ({ status: 200, contentType: 'application/json', body: JSON.stringify({ received: eventIds }) });
