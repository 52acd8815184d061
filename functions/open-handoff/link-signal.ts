// Another source joins an open handoff: a new version of its packet, a receipt, and the signal settled, all in one transaction.

import { decideLink } from '../../shared/domain/decide-duplicate.ts';
import { apply } from '../../shared/domain/evolve.ts';
import { firstPacket } from '../../shared/domain/first-packet.ts';
import { followUp } from '../../shared/domain/follow-up.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import { linkedPacket } from '../../shared/domain/linked-packet.ts';
import type { MatchEvidence } from '../../shared/domain/matching.ts';
import { meetingNews } from '../../shared/domain/meeting.ts';
import type { MeetingNews } from '../../shared/domain/meeting-facts.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { newlyUrgent } from '../../shared/domain/safety.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { linksFor } from '../../shared/domain/workflow-transition.ts';
import type { HandoffStore, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { MatchRow } from '../../shared/ports/match-book.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { LinkSeal } from '../../shared/ports/seal.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type LinkDeps = { handoffs: HandoffStore; policies: Pick<PolicyBook, 'at'>; seal: Pick<LinkSeal, 'mint'>; time: TimeSource };

/** `follows`: it is later news of the same thing, not the request stated again. */
export type Joining = { signal: Signal; follows?: boolean; evidence: readonly MatchEvidence[]; rows: readonly MatchRow[] };

/** Links a signal to a handoff as it was loaded; `stale` when anything moved meanwhile. */
export async function linkTo(
  deps: LinkDeps,
  { handoff, packet }: LoadedHandoff,
  { signal, follows = false, evidence, rows }: Joining,
): Promise<{ kind: 'linked'; handoffId: HandoffId } | 'stale'> {
  const { source, eventId, occurredAt } = signal;
  const next = linkedPacket(packet, firstPacket(follows ? followUp(signal, packet) : signal));
  const id = commandId(`link:${source}:${eventId}`);
  const at = deps.time.now();
  const { added, conflicting } = next;
  const meeting = meetingNewsOf(signal, next.packet);
  const policy = await deps.policies.at(handoff.contract, handoff.contractVersion);
  const safety = newlyUrgent(packet, next.packet, policy.contract);
  const decision = decideLink(
    handoff,
    {
      kind: 'link-signal',
      commandId: id,
      source,
      sourceEventId: eventId,
      occurredAt,
      evidence,
      added,
      conflicting,
      ...(meeting !== undefined && { meeting }),
      ...(safety !== undefined && { safety }),
    },
    policy,
    at,
  );
  if (decision.kind !== 'decided') return 'stale';
  const stamp = {
    at,
    commandId: id,
    actor: { kind: 'policy' as const, rule: follows ? 'what follows joins' : 'a strong match joins' },
    packetVersion: handoff.packetVersion,
    contractVersion: handoff.contractVersion,
  };
  const { receipts, handoff: after } = apply(handoff, decision.facts, stamp);
  const version = receipts.at(-1)?.packetVersion ?? next.packet.version;
  const links = await linksOf(deps, after, receipts, policy);
  const appended = await deps.handoffs.append(handoff, after, receipts, { packet: { ...next.packet, version }, linkedSignal: { source, eventId }, matches: rows, links });
  return appended.kind === 'stale' ? 'stale' : { kind: 'linked', handoffId: handoff.id };
}

/** Whoever is told at once needs a link (E-04). */
const linksOf = ({ seal }: LinkDeps, after: Handoff, receipts: readonly Receipt[], policy: Policy) =>
  Promise.all(linksFor(after, receipts, policy).map(async (link) => ({ ...link, id: await seal.mint(link) })));

/** Events of a calendar may come in any order, so the news is what stands now, not what came last. */
function meetingNewsOf(signal: Signal, { bookings = [] }: Packet): MeetingNews | undefined {
  if (signal.booking === undefined) return meetingNews(signal);
  const standing = bookings.filter(({ state }) => state !== 'canceled');
  const [first] = standing.flatMap(({ startsAt }) => startsAt ?? []).sort();
  if (standing.length === 0) return { canceled: true };
  return first === undefined ? {} : { at: first };
}
