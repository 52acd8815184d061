// Two requests turned out to be one: everything that came with the one goes on in the other, before the one is closed. A crash between the two loses nothing.

import { decideLink } from '../../shared/domain/decide-duplicate.ts';
import { apply } from '../../shared/domain/evolve.ts';
import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import { linkedPacket } from '../../shared/domain/linked-packet.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import { newlyUrgent } from '../../shared/domain/safety.ts';
import { linksFor } from '../../shared/domain/workflow-transition.ts';
import type { Case, CaseBook } from '../../shared/ports/case-book.ts';
import type { HandoffStore, LinkTarget, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { LinkSeal } from '../../shared/ports/seal.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

export type MergeDeps = { store: HandoffStore; cases: CaseBook; seal: Pick<LinkSeal, 'mint'>; time: TimeSource };
type By = Pick<LinkTarget, 'person' | 'channel'>;

const ATTEMPTS = 5;

/**
 * Repeating it changes nothing, and brings along what came to the one meanwhile. A handoff that was merged itself is followed
 * to where it went on. `over` when nothing is open there any more.
 */
export async function mergeSources(deps: MergeDeps, from: LoadedHandoff, into: HandoffId, by: By): Promise<'merged' | 'over'> {
  let target = into;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const other = await deps.cases.open(target);
    if (other === undefined || target === from.handoff.id) return 'over';
    if (other.handoff.mergedInto !== undefined) {
      target = other.handoff.mergedInto;
      continue;
    }
    if (holdsAll(other.packet, from.packet)) return 'merged';
    const written = await join(deps, from, other, by);
    if (written !== 'stale') return written;
  }
  throw new Error(`handoff ${into} kept changing under ${ATTEMPTS} attempts`);
}

const holdsAll = (packet: Packet, { sources }: Packet): boolean =>
  sources.every(({ system, eventId }) => packet.sources.some((one) => one.system === system && one.eventId === eventId));

async function join({ store, seal, time }: MergeDeps, from: LoadedHandoff, other: Case, { person, channel }: By): Promise<'merged' | 'over' | 'stale'> {
  const { packet, added, conflicting } = linkedPacket(other.packet, from.packet);
  const id = commandId(`merge:${from.handoff.id}:${from.packet.version}`);
  const { occurredAt, possibleDuplicate, source, meeting } = from.handoff;
  const evidence = possibleDuplicate?.evidence ?? [];
  const safety = newlyUrgent(other.packet, packet, other.policy.contract);
  const link = { kind: 'link-signal', commandId: id, source: source.system, sourceEventId: source.eventId, occurredAt, evidence, added, conflicting } as const;
  const now = time.now();
  const wish = {
    ...link,
    merged: from.handoff.id,
    ...(safety !== undefined && { safety }),
    ...(meeting !== undefined && { meeting: { ...(meeting.at !== undefined && { at: meeting.at }) } }),
  };
  const decision = decideLink(other.handoff, wish, other.policy, now);
  if (decision.kind !== 'decided') return 'over';
  const actor = { kind: 'person' as const, person, channel };
  const { packetVersion, contractVersion } = other.handoff;
  const { receipts, handoff: after } = apply(other.handoff, decision.facts, { at: now, commandId: id, actor, packetVersion, contractVersion });
  const links = await Promise.all(linksFor(after, receipts, other.policy).map(async (one) => ({ ...one, id: await seal.mint(one) })));
  const appended = await store.append(other.handoff, after, receipts, { packet: { ...packet, version: after.packetVersion }, links });
  return appended.kind === 'stale' ? 'stale' : 'merged';
}
