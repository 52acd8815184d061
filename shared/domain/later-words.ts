// Where a packet keeps what the customer said later, in replies and recordings.

import type { Packet } from './packet.ts';

/** What the customer said after the first words, out of the fields that nobody mapped: `followUp` keeps it under what happened and when. */
export function laterWords({ more = {}, alsoStated = [] }: Partial<Pick<Packet, 'more' | 'alsoStated'>>): string[] {
  const said = [...Object.entries(more), ...alsoStated.map(({ path, value }) => [path.replace(/^more\./, ''), value] as const)]; // two replies of one second share a name
  return said.flatMap(([name, value]) => (/^[a-z]+\.[a-z]+ \d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(name) ? [value] : []));
}
