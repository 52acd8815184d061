// Orders from outside the links: what staff, calendars and telephones say about people and handoffs. Source `baton.ops`,
// detail-type `order.kind`. Partners put them on the bus; `baton reassign` and its kin do the same.

import * as z from 'zod/mini';
import { EvidenceKind, handoffIdOf, instant, personIdOf, Revenue } from './receipt.ts';

const why = z.exactOptional(z.string().check(z.minLength(1), z.maxLength(1000), z.describe('In words; kept beside the receipt, never in it.')));
const handoffId = handoffIdOf('The handoff.');
const code = (description: string) => z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/), z.describe(description));
const by = personIdOf('Who orders it: a person whom the contract names for it.');

export const PauseScope = z.discriminatedUnion('of', [
  z.object({ of: z.literal('all') }),
  z.object({ of: z.literal('contract'), contract: z.string().check(z.minLength(1), z.describe('Name of the contract.')) }),
  z.object({ of: z.literal('contact'), contactRef: z.string().check(z.minLength(1), z.describe('Pseudonym of the contact, as in `handoff.opened`.')) }),
]);
export const PauseAudience = z.enum(['customers', 'everyone']).check(z.describe('Whose messages stop.'));

const Order = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('person.unavailable'),
    person: personIdOf('Who cannot answer.'),
    from: instant('Since when.'),
    until: instant('Until when.'),
  }),
  z.object({ kind: z.literal('handoff.reassign'), handoffId, by, to: personIdOf('Who is asked next.'), why }),
  z.object({ kind: z.literal('handoff.withdraw'), handoffId, by, why }),
  z.object({ kind: z.literal('human.takeover'), handoffId, person: personIdOf('Who works with the customer.') }),
  z.object({ kind: z.literal('sending.pause'), by, scope: PauseScope, audience: PauseAudience }),
  z.object({ kind: z.literal('sending.resume'), by, scope: PauseScope }),
  z.object({
    kind: z.literal('outcome.recorded'),
    handoffId,
    system: code('The system that is the authority on it, such as `crm`.'),
    result: code('How it ended, as a code of that system, such as `won`.'),
    revenue: z.exactOptional(Revenue.check(z.describe('What it brought, as that system states it.'))),
  }),
  z.object({ kind: z.literal('next-step.evidence'), handoffId, person: personIdOf('The owner, whose promise it was.'), evidence: EvidenceKind }),
]);
export type Order = z.output<typeof Order>;

/** Detail of an event with source `baton.ops`. The same `orderId` means the same order, however often it arrives. */
export const OrderEvent = z.object({
  schemaVersion: z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.')),
  orderId: z.string().check(z.regex(/^[!-~]{1,100}$/), z.describe('Stable id, chosen by the sender; never personal data.')),
  order: Order.check(z.describe('What is ordered.')),
});
export type OrderEvent = z.output<typeof OrderEvent>;

/** Detail types of orders. */
export const ORDER_KINDS = [
  'person.unavailable',
  'handoff.reassign',
  'handoff.withdraw',
  'human.takeover',
  'next-step.evidence',
  'outcome.recorded',
  'sending.pause',
  'sending.resume',
] as const satisfies readonly Order['kind'][];
