/** What became of a delivery that is no signal, as it is counted by source. */
export const DELIVERY_OUTCOMES = ['ignored', 'wrong-content-type', 'not-utf8', 'no-secret', 'bad-signature', 'unreadable', 'not-a-lead', 'too-large'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];
