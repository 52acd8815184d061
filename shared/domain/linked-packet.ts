// A second source of the same request: the packet gains what is new, and keeps apart what differs (P-02, P-03).

import { oneOfEach } from './bookings.ts';
import { unknownOf } from './first-packet.ts';
import { emailKey } from './matching.ts';
import type { AccountFacts, AlsoStated, Packet } from './packet.ts';

/** What another source states about the same request. */
export type Stated = Pick<Packet, 'contact' | 'request' | 'location' | 'consent' | 'more' | 'sources'> & Partial<Pick<Packet, 'account' | 'alsoStated' | 'answers' | 'bookings'>>;

/** The next version of a packet, with the paths that are new in it and those on which its sources differ. */
export type LinkedPacket = { packet: Packet; added: string[]; conflicting: string[] };

const PARTS = ['contact', 'request', 'location', 'consent'] as const;

/** The first value stays the confirmed one; another value is listed with its source. Only a "no" to messages counts at once, whoever says it. */
export function linkedPacket({ generated: _apart, ...packet }: Packet, stated: Stated): LinkedPacket {
  const [source] = stated.sources;
  if (source === undefined) throw new Error('whatever was stated has a source');
  const added: string[] = [];
  const also: AlsoStated[] = [...(stated.alsoStated ?? [])];
  const differs = (path: string, value: string) => also.push({ path, value, system: source.system, eventId: source.eventId });
  const parts = Object.fromEntries(PARTS.map((part) => [part, merged(part, packet[part], stated[part], { added, differs })])) as Pick<Packet, (typeof PARTS)[number]>; // the same parts, each of its own type
  const more: Record<string, string> = { ...packet.more };
  for (const [name, value] of Object.entries(stated.more)) {
    if (!Object.hasOwn(more, name)) more[name] = value;
    else if (more[name] !== value) differs(`more.${name}`, value);
  }
  const account = mergedAccount(packet.account, stated.account, { added, differs });
  const facts = { ...parts, more, ...(account !== undefined && { account }) };
  const known = packet.sources.map(({ system, eventId }) => `${system}\n${eventId}`);
  const sources = [...packet.sources, ...stated.sources.filter(({ system, eventId }) => !known.includes(`${system}\n${eventId}`))];
  const alsoStated = eachOnce([...(packet.alsoStated ?? []), ...also]);
  const answers = eachOnce([...(packet.answers ?? []), ...(stated.answers ?? [])]);
  const next: Packet = {
    ...packet,
    ...facts,
    version: packet.version + 1,
    sources,
    unknown: unknownOf(facts),
    ...(alsoStated.length > 0 && { alsoStated }),
    ...(answers.length > 0 && { answers }),
    ...bookingsOf(packet, stated),
  };
  return { packet: next, added, conflicting: [...new Set(also.map(({ path }) => path))] };
}

function bookingsOf(packet: Packet, stated: Stated): Pick<Packet, 'bookings'> {
  const bookings = oneOfEach([...(packet.bookings ?? []), ...(stated.bookings ?? [])]);
  return bookings.length === 0 ? {} : { bookings };
}

/** Joining again, after a source came late, brings nothing twice. */
function eachOnce<T extends object>(all: readonly T[]): T[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const name = JSON.stringify(Object.entries(one).sort());
    return !seen.has(name) && seen.add(name);
  });
}

/** Account records are all kept: more than one is for a person to sort out. */
function mergedAccount(first: AccountFacts | undefined, second: AccountFacts | undefined, { added, differs }: Notes): AccountFacts | undefined {
  if (second === undefined) return first;
  const existingCustomer = first?.existingCustomer ?? second.existingCustomer;
  const matches = [...new Set([...(first?.matches ?? []), ...(second.matches ?? [])])];
  if (first?.existingCustomer === undefined && second.existingCustomer !== undefined) added.push('account.existingCustomer');
  if (existingCustomer !== undefined && second.existingCustomer !== undefined && second.existingCustomer !== existingCustomer)
    differs('account.existingCustomer', second.existingCustomer);
  if (matches.length > (first?.matches?.length ?? 0)) added.push('account.matches');
  return { ...(existingCustomer !== undefined && { existingCustomer }), ...(matches.length > 0 && { matches }) };
}

type Notes = { added: string[]; differs: (path: string, value: string) => void };

/** The same thing written another way is no difference. */
function isSaid(path: string, known: unknown, value: string): boolean {
  if (typeof known !== 'string') return false;
  if (path === 'contact.email' && emailKey(known) !== undefined && emailKey(known) === emailKey(value)) return true;
  const plain = (text: string) => text.trim().replace(/\s+/g, ' ').toLowerCase();
  return plain(known) === plain(value);
}

function merged(part: string, first: object, second: object, { added, differs }: Notes): object {
  const facts: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const path = `${part}.${name}`;
    if (typeof value !== 'string' || value === '' || isSaid(path, facts[name], value)) continue;
    if (facts[name] === undefined || facts[name] === '') {
      facts[name] = value;
      added.push(path);
    } else if (part === 'consent' && value === 'denied') {
      facts[name] = value;
      added.push(path);
    } else differs(path, value);
  }
  return facts;
}
