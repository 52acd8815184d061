// `policy/roster.yaml`: who there is.

import * as z from 'zod';
import { personId } from '../domain/ids.ts';
import type { MessagesPerHour, Person, Territory } from '../domain/policy.ts';
import { Zone } from './policy-calendars.ts';
import { group, Language, LocalDate, listOf, oneOf, Place, PostalCodes, slug } from './policy-fields.ts';

/** Words that name nobody; nobody can hold a team to its word. */
const TEAM_WORDS = [
  'admin',
  'all',
  'anyone',
  'crew',
  'dispatch',
  'everyone',
  'info',
  'intake',
  'manager',
  'nobody',
  'office',
  'sales',
  'seller',
  'sellers',
  'staff',
  'support',
  'team',
];

const Id = slug('the id of a person, such as dana')
  .refine((id) => !id.split('-').some((word) => TEAM_WORDS.includes(word)), { error: 'expected one named person, not a team or a role' })
  .transform((id) => personId(id));

const Away = group({ from: LocalDate, to: LocalDate }).refine(({ from, to }) => from <= to, { error: 'expected a last day that is not before the first' });

const Licence = group({ name: slug('the name of a licence'), from: LocalDate.optional(), until: LocalDate })
  .refine(({ from, until }) => from === undefined || from <= until, { error: 'expected a last day that is not before the first' })
  .transform(({ name, from, until }) => ({ name, until, ...(from !== undefined && { from }) }));

const ClosedChannel = group({ channel: oneOf(['email', 'sms']), because: oneOf(['bounced', 'opted-out', 'unverified']) });

const CAPACITY = 'expected how many handoffs they may own at a time, from 1 to 9999';
const Capacity = z
  .string({ error: CAPACITY })
  .regex(/^[1-9]\d{0,3}$/, { error: CAPACITY })
  .transform(Number);

const PER_HOUR = 'expected how many messages within an hour, from 1 to 60';
const PerHour = z
  .string({ error: PER_HOUR })
  .regex(/^([1-9]|[1-5]\d|60)$/, { error: PER_HOUR })
  .transform(Number)
  .optional();
const PerHourForm = group({ email: PerHour, sms: PerHour, slack: PerHour })
  .refine((channels) => Object.values(channels).some((count) => count !== undefined), { error: 'expected a number for email, sms or slack' })
  .transform(({ email, sms, slack }): MessagesPerHour => ({ ...(email !== undefined && { email }), ...(sms !== undefined && { sms }), ...(slack !== undefined && { slack }) }));

const PersonForm = group({
  id: Id,
  name: z.string({ error: 'expected a name' }).trim().min(1, { error: 'expected a name' }),
  roles: listOf(slug('a role such as seller'), 'roles'),
  territories: listOf(Place, 'postal codes').optional(),
  products: listOf(slug('a product such as roof-inspection'), 'products').optional(),
  languages: listOf(Language, 'languages'),
  speaks: oneOf(['en', 'es']),
  zone: Zone,
  calendar: slug('the name of a calendar').optional(),
  away: listOf(Away, 'absences').optional(),
  email: z
    .string()
    .regex(/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/, { error: 'expected one e-mail address' })
    .optional(),
  sms: z
    .string()
    .regex(/^\+[1-9]\d{7,14}$/, { error: 'expected a number with country code, such as +15035550101' })
    .optional(),
  slack: z
    .string()
    .regex(/^[UW][A-Z0-9]{5,20}$/, { error: 'expected a member id of Slack, such as U012AB3CD (in their profile: Copy member ID)' })
    .optional(),
  notReachableBy: listOf(ClosedChannel, 'channels').optional(),
  licences: listOf(Licence, 'licences').optional(),
  capacity: Capacity.optional(),
  messagesPerHour: PerHourForm.optional(),
}).transform(
  ({ territories, products, away, calendar, email, sms, slack, notReachableBy, licences, capacity, messagesPerHour, ...same }): Person => ({
    ...same,
    territories: territories ?? [],
    products: products ?? [],
    away: away ?? [],
    ...(calendar !== undefined && { calendar }),
    ...(email !== undefined && { email }),
    ...(sms !== undefined && { sms }),
    ...(slack !== undefined && { slack }),
    ...(notReachableBy !== undefined && { closedChannels: notReachableBy }),
    ...(licences !== undefined && { licences }),
    ...(capacity !== undefined && { capacity }),
    ...(messagesPerHour !== undefined && { messagesPerHour }),
  }),
);

const REGION = 'expected a region as customers state it, such as OR';
const TerritoryForm = group({
  name: slug('the name of a territory'),
  postalCodes: listOf(PostalCodes, 'postal codes').optional(),
  regions: listOf(z.string({ error: REGION }).trim().min(2, { error: REGION }), 'regions').optional(),
})
  .refine(({ postalCodes, regions }) => postalCodes !== undefined || regions !== undefined, { error: 'expected postalCodes or regions: a territory has explicit boundaries' })
  .transform(({ name, postalCodes, regions }): Territory => ({ name, postalCodes: postalCodes ?? [], regions: regions ?? [] }));

/** The roster file. */
export const RosterFile = group({ messagesPerHour: PerHourForm.optional(), territories: listOf(TerritoryForm, 'territories').optional(), people: listOf(PersonForm, 'people') });
