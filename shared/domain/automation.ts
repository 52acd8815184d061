// Where a person works with a customer, whatever is automated steps aside (L-10).

import type { Handoff } from './handoff.ts';

/**
 * Whether automation must leave this request alone: a person took it over. To be asked, on the row as it is, in the same step
 * that would act: before a generator's text is taken in, before a message to the customer, and by every later part that would
 * qualify, remind or follow up by itself. Clocks, offers to sellers and receipts go on: a takeover is no acceptance.
 */
export const stepsAside = ({ takenOver }: Pick<Handoff, 'takenOver'>): boolean => takenOver !== undefined;
