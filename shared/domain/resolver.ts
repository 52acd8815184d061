import type { Packet } from './packet.ts';
import type { Policy } from './policy.ts';
import type { Candidate, Considered } from './receipt.ts';

/** PLACEHOLDER signature; implemented by the resolver work. */
export function resolveCandidates(_input: { packet: Packet; policy: Policy; openCounts: Readonly<Record<string, number>>; now: string }): {
  candidates: Candidate[];
  considered: Considered[];
} {
  return { candidates: [], considered: [] };
}
