// Recorded handoffs through a proposed policy: whose owner would change, and why (C-05). Same records, same proposal: same answer.

import { missingFacts } from './first-packet.ts';
import type { Handoff } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { Load } from './load.ts';
import type { Packet } from './packet.ts';
import type { Contract, Policy } from './policy.ts';
import type { WholePolicy } from './policy-diff.ts';
import type { ReceiptOf } from './receipt.ts';
import { resolveCandidates } from './resolver.ts';
import { startsOn } from './signal.ts';
import { acceptanceStartsAt } from './window.ts';

/** A handoff as it was: its row now, the packet it was resolved on, and how it was resolved, if it ever was. */
export type Recorded = { handoff: Handoff; packet: Packet; resolved?: ReceiptOf<'candidates.resolved'> };

/** Who comes first by a policy: a person who is asked, or the reason why a person must look first. */
export type First = { kind: 'asked'; person: PersonId; rule: string } | { kind: 'exception'; class: string; because: string } | { kind: 'ignored'; because: string };

export type Replayed = {
  handoff: Handoff['id'];
  openedAt: string;
  /** Who owned it in the end, if anybody did. */
  owner?: PersonId;
  was: First;
  wouldBe: First;
  because: string;
};

export type Replay = { looked: number; unchanged: number; changes: readonly Replayed[] };

/** Accepted handoffs first, then by age. Records of contracts that the proposal does not have count as ignored. */
export function replayProposal(records: readonly Recorded[], proposal: WholePolicy): Replay {
  const ordered = [...records].sort(
    (a, b) => Number(isAccepted(b)) - Number(isAccepted(a)) || inOrder(a.handoff.openedAt, b.handoff.openedAt) || inOrder(a.handoff.id, b.handoff.id),
  );
  const changes = ordered.flatMap((record) => replayed(record, proposal) ?? []);
  return { looked: ordered.length, unchanged: ordered.length - changes.length, changes };
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Whether somebody ever said yes. */
const isAccepted = ({ handoff }: Recorded): boolean => ownerOf(handoff) !== undefined;
const ownerOf = (handoff: Handoff): PersonId | undefined => handoff.ownership?.owner ?? handoff.offers.find((offer) => offer.status === 'accepted')?.to;

function replayed(record: Recorded, proposal: WholePolicy): Replayed | undefined {
  const { handoff } = record;
  const was = recordedFirst(record);
  const { first: wouldBe, verdictOn } = proposedFirst(record, proposal);
  if (nameOf(was) === nameOf(wouldBe)) return undefined;
  const owner = ownerOf(handoff);
  return { handoff: handoff.id, openedAt: handoff.openedAt, ...(owner !== undefined && { owner }), was, wouldBe, because: reason(was, wouldBe, verdictOn) };
}

const nameOf = (first: First): string => (first.kind === 'asked' ? first.person : first.kind === 'exception' ? first.class : 'ignored');

function recordedFirst({ handoff, resolved }: Recorded): First {
  const [candidate] = resolved?.candidates ?? [];
  if (candidate !== undefined) return { kind: 'asked', person: candidate.person, rule: candidate.rule };
  if (resolved?.raise !== undefined) return { kind: 'exception', ...resolved.raise };
  if (resolved !== undefined) return { kind: 'exception', class: 'no-eligible-owner', because: 'nobody passed every rule' };
  const [raised] = handoff.exceptions;
  return { kind: 'exception', class: raised?.class ?? 'not-resolved', because: raised?.because ?? 'candidates were never named' };
}

type Proposed = { first: First; verdictOn: (person: PersonId) => string | undefined };

function proposedFirst({ handoff, packet, resolved }: Recorded, { contracts, roster, calendars }: WholePolicy): Proposed {
  const nobody = (first: First): Proposed => ({ first, verdictOn: () => undefined });
  const contract = contracts.find((one) => starts(one, packet)) ?? contracts.find((one) => one.name === handoff.contract && startsByHand(packet));
  if (contract === undefined) return nobody({ kind: 'ignored', because: 'no contract of the proposal starts on it' });
  const missing = missingFacts(packet, contract.requires);
  if (missing.length > 0) return nobody({ kind: 'exception', class: 'missing-context', because: `not stated: ${missing.join(', ')}` });

  const policy: Policy = { contract, roster, calendars };
  const at = resolved?.at ?? handoff.openedAt;
  const { candidates, considered, objection } = resolveCandidates({ packet, policy, ...carriedIn(resolved), now: acceptanceStartsAt(policy, at) });
  const verdicts = new Map(considered.map((one) => [one.person, one.eligible ? 'eligible, but asked later' : one.failed]));
  const verdictOn = (person: PersonId) => verdicts.get(person) ?? 'not on the roster';
  const [candidate] = candidates;
  if (candidate !== undefined) return { first: { kind: 'asked', person: candidate.person, rule: candidate.rule }, verdictOn };
  if (objection !== undefined) return { first: { kind: 'exception', ...objection }, verdictOn };
  return { first: { kind: 'exception', class: 'no-eligible-owner', because: 'nobody would pass every rule' }, verdictOn };
}

/** What people carried when the handoff was resolved, as its receipt says. */
function carriedIn(resolved: ReceiptOf<'candidates.resolved'> | undefined): { openCounts: Record<string, number>; loads: Record<string, Load> } {
  const weighed = resolved?.weighed ?? [];
  return {
    openCounts: Object.fromEntries(weighed.map(({ person, open }) => [person, open])),
    loads: Object.fromEntries(
      weighed.map(({ person, held, turnAt, excludedUntil }) => [
        person,
        { held, turns: 0, ...(turnAt !== undefined && { turnAt }), ...(excludedUntil !== undefined && { excludedUntil }) },
      ]),
    ),
  };
}

/** Whether the contract starts on what the packet came from. */
const starts = ({ starts: rules }: Contract, packet: Packet): boolean =>
  packet.sources.some(({ system, kind }) => rules.some((rule) => startsOn(rule, { kind, source: system, request: packet.request }) !== undefined));

/** A packet that names no source was opened by hand or long ago; its contract's name decides. */
const startsByHand = (packet: Packet): boolean => packet.sources.length === 0;

function reason(was: First, wouldBe: First, verdictOn: Proposed['verdictOn']): string {
  const before = was.kind === 'asked' ? verdictOn(was.person) : undefined;
  const after = wouldBe.kind === 'asked' ? `${wouldBe.person} ${wouldBe.rule}` : wouldBe.because;
  return before === undefined || was.kind !== 'asked' ? after : `${was.person}: ${before}; ${after}`;
}
