// `policy/roster.yaml`: who there is.

import * as z from 'zod';
import { personId } from '../domain/ids.ts';
import type { Person } from '../domain/policy.ts';
import { rangeOf } from '../domain/territory.ts';
import { Zone } from './policy-calendars.ts';
import { group, LocalDate, listOf, oneOf, slug } from './policy-fields.ts';

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

const TERRITORY = 'expected a postal code such as 97201, or a range of equally long codes such as 97201-97239';
const Territory = z.string({ error: TERRITORY }).refine(isTerritory, { error: TERRITORY });

function isTerritory(text: string): boolean {
  const range = rangeOf(text);
  if (range !== undefined) return range.from <= range.to;
  return /^[A-Za-z0-9]{2,10}( [A-Za-z0-9]{2,5})?$/.test(text) && /\d/.test(text);
}

const Away = group({ from: LocalDate, to: LocalDate }).refine(({ from, to }) => from <= to, { error: 'expected a last day that is not before the first' });

const PersonForm = group({
  id: Id,
  name: z.string({ error: 'expected a name' }).trim().min(1, { error: 'expected a name' }),
  roles: listOf(slug('a role such as seller'), 'roles'),
  territories: listOf(Territory, 'postal codes').optional(),
  products: listOf(slug('a product such as roof-inspection'), 'products').optional(),
  languages: listOf(z.string().regex(/^[a-z]{2,3}$/, { error: 'expected a language code such as en or es' }), 'languages'),
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
}).transform(
  ({ territories, products, away, calendar, email, sms, slack, ...same }): Person => ({
    ...same,
    territories: territories ?? [],
    products: products ?? [],
    away: away ?? [],
    ...(calendar !== undefined && { calendar }),
    ...(email !== undefined && { email }),
    ...(sms !== undefined && { sms }),
    ...(slack !== undefined && { slack }),
  }),
);

/** The roster file. */
export const RosterFile = group({ people: listOf(PersonForm, 'people') });
