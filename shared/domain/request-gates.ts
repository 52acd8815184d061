// What a request itself says against asking anybody: the first gates of R-02. Each leads to a person who sorts it out.

import type { Packet } from './packet.ts';
import type { Contract, ExceptionClass, Roster } from './policy.ts';

/** A request that goes to an exception owner instead of candidates; the sentence names rules, never what the customer wrote. */
export type Objection = { class: ExceptionClass; because: string };

/** In the order of R-02; the first that objects is the one that counts. */
export function objectionTo(packet: Packet, contract: Contract, map: { roster: Roster; sides: readonly string[]; bound: boolean }): Objection | undefined {
  return byService(packet, contract) ?? byAccounts(packet) ?? byRegulation(packet, contract) ?? bySides(map);
}

/** Only somebody who is known to be new is not taken for a customer: a request for service is no lead until a person says so. */
function byService({ request, account }: Packet, { service }: Contract): Objection | undefined {
  if (account?.existingCustomer === 'no') return undefined;
  const category = service?.categories.find((one) => isSame(one, request.category));
  const known = account?.existingCustomer === 'yes';
  if (request.purpose === 'service') return { class: 'existing-customer-service', because: known ? 'an existing customer asks for service' : 'asks for service on earlier work' };
  if (!known || category === undefined) return undefined;
  return { class: 'existing-customer-service', because: `an existing customer asks for ${category}, which is service` };
}

function byAccounts({ account }: Packet): Objection | undefined {
  const matches = new Set(account?.matches).size;
  return matches < 2 ? undefined : { class: 'several-accounts', because: `matches ${matches} active account records` };
}

function byRegulation({ request }: Packet, { regulated }: Contract): Objection | undefined {
  const category = regulated?.categories.find((one) => isSame(one, request.category) || isSame(one, request.product) || isSame(one, request.regulated));
  if (category !== undefined) return { class: 'regulated-request', because: `${category} needs somebody with the authority for it` };
  return request.regulated === undefined ? undefined : { class: 'regulated-request', because: 'stated as a regulated matter that no rule of the contract names' };
}

/** Where territories share out the map, an address on no side or on two is not guessed. A contract whose people serve everywhere asks no map. */
function bySides({ roster, sides, bound }: { roster: Roster; sides: readonly string[]; bound: boolean }): Objection | undefined {
  if (roster.territories === undefined || roster.territories.length === 0 || !bound || sides.length === 1) return undefined;
  const because = sides.length === 0 ? 'the address lies in no territory' : `the address lies in ${sides.length} territories: ${sides.join(', ')}`;
  return { class: 'territory-unknown', because };
}

const isSame = (named: string, stated: string | undefined): boolean => stated !== undefined && named.toLowerCase() === stated.trim().toLowerCase();

/** What everybody who would be asked is told to have failed by, when the request itself is the reason. */
export const GATE_OF: Readonly<Partial<Record<ExceptionClass, string>>> = {
  'existing-customer-service': 'existing customer: a request for service is not asked of sellers',
  'several-accounts': 'several accounts: the request matches more than one',
  'regulated-request': 'regulated request: needs somebody with the authority',
  'territory-unknown': 'territory unknown: the address is on no side, or on two',
};
