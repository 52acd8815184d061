/** What became of a delivery that is no signal, as it is counted by source. */
export const DELIVERY_OUTCOMES = [
  'ignored',
  'unknown-source',
  'wrong-content-type',
  'not-utf8',
  'no-secret',
  'bad-signature',
  'wrong-time',
  'empty-body',
  'unreadable',
  'not-a-lead',
  'too-large',
] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

/** Under this name everything is counted that named no source: strangers choose those names, so they are not kept. */
export const NO_SOURCE = 'no-such-source';
