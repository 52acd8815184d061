// Two requests turned out to be one: everything that came with the one goes on in the other, before the one is closed. A crash between the two loses nothing.

import { decideLink } from '../../shared/domain/decide-duplicate.ts';
import { apply } from '../../shared/domain/evolve.ts';
import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import { linkedPacket } from '../../shared/domain/linked-packet.ts';
import type { HandoffStore, LinkTarget, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';

const ATTEMPTS = 5;

/** Repeating it changes nothing. `over` when the other handoff is closed and can take nothing any more. */
export async function mergeSources(
  { store, time }: { store: HandoffStore; time: TimeSource },
  from: LoadedHandoff,
  into: HandoffId,
  { person, channel }: Pick<LinkTarget, 'person' | 'channel'>,
): Promise<'merged' | 'over'> {
  const { system: source, eventId: sourceEventId } = from.handoff.source;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const other = await store.load(into);
    if (other === undefined) return 'over';
    if (other.packet.sources.some((one) => one.system === source && one.eventId === sourceEventId)) return 'merged';
    const { packet, added, conflicting } = linkedPacket(other.packet, from.packet);
    const id = commandId(`merge:${from.handoff.id}`);
    const { occurredAt, possibleDuplicate } = from.handoff;
    const evidence = possibleDuplicate?.evidence ?? [];
    const decision = decideLink(other.handoff, { kind: 'link-signal', commandId: id, source, sourceEventId, occurredAt, evidence, added, conflicting, merged: from.handoff.id });
    if (decision.kind !== 'decided') return 'over';
    const actor = { kind: 'person' as const, person, channel };
    const { packetVersion, contractVersion } = other.handoff;
    const { receipts, handoff: after } = apply(other.handoff, decision.facts, { at: time.now(), commandId: id, actor, packetVersion, contractVersion });
    const appended = await store.append(other.handoff, after, receipts, { packet: { ...packet, version: after.packetVersion } });
    if (appended.kind !== 'stale') return 'merged';
  }
  throw new Error(`handoff ${into} kept changing under ${ATTEMPTS} attempts`);
}
