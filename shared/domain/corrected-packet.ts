// Whoever answers for an exception may put right the facts that decide who is asked; the request then begins anew (E-03).

import { unknownOf } from './first-packet.ts';
import type { RaisedException } from './handoff.ts';
import type { AlsoStated, Answered, Packet } from './packet.ts';
import type { ExceptionClass } from './policy.ts';

/** Facts that the resolver looks at. How to reach the customer is no page's business before a yes, so it is not among them (PI-08). */
export const CORRECTABLE = ['location.postalCode', 'location.country', 'request.category', 'request.product', 'contact.language'] as const;
export type CorrectablePath = (typeof CORRECTABLE)[number];

/** New values by path; what is absent stays as it is. */
export type Correction = Readonly<Partial<Record<CorrectablePath, string>>>;

/** Classes that other facts may end. All others ask for a decision, which a fact cannot replace. */
const ENDED_BY_FACTS: readonly ExceptionClass[] = ['no-eligible-owner', 'missing-context', 'territory-unknown', 'conflicting-facts', 'all-declined', 'clarification-expired'];

export const mayCorrect = ({ class: name }: Pick<RaisedException, 'class'>): boolean => ENDED_BY_FACTS.includes(name);

/** What the packet holds at a path, or nothing. */
export function statedAt(packet: Packet, path: CorrectablePath): string {
  const { part, key } = placeOf(path);
  const facts: Readonly<Record<string, string | undefined>> = packet[part];
  return facts[key] ?? '';
}

function placeOf(path: CorrectablePath): { part: 'location' | 'request' | 'contact'; key: string } {
  const [part, key] = path.split('.') as ['location' | 'request' | 'contact', string];
  return { part, key };
}

/** The paths whose value differs from what the packet holds. */
export const changedBy = (packet: Packet, correction: Correction): CorrectablePath[] =>
  CORRECTABLE.filter((path) => correction[path] !== undefined && correction[path] !== '' && correction[path] !== statedAt(packet, path));

/** The next version, with the answer to a question in it (P-03). */
export const answeredPacket = ({ generated: _apart, ...packet }: Packet, answered: Answered): Packet => ({
  ...packet,
  version: packet.version + 1,
  answers: [...(packet.answers ?? []), answered],
});

/** The next version: a new value stands, and what was stated before is kept beside it with its source (P-02, P-03). */
export function correctedPacket({ generated: _apart, ...packet }: Packet, correction: Correction, source: { eventId: string; occurredAt: string }): Packet {
  const [first] = packet.sources;
  const next: Packet = structuredClone(packet);
  const also: AlsoStated[] = [...(packet.alsoStated ?? [])];
  for (const path of changedBy(packet, correction)) {
    const before = statedAt(packet, path);
    if (before !== '' && first !== undefined) also.push({ path, value: before, system: first.system, eventId: first.eventId });
    const { part, key } = placeOf(path);
    Object.assign(next[part], { [key]: correction[path] });
  }
  const sources = [...packet.sources, { system: 'staff', kind: 'facts.corrected', ...source }];
  return { ...next, version: packet.version + 1, sources, unknown: unknownOf(next), ...(also.length > 0 && { alsoStated: also }) };
}
