import { type Handoff, pendingOffer, QUEUE_STATE } from '../../shared/domain/handoff.ts';
import type { PersonId } from '../../shared/domain/ids.ts';
import { type Load, loadChanges, NO_LOAD } from '../../shared/domain/load.ts';
import { tallyOf } from '../../shared/domain/tally.ts';
import type { Alongside, Appended, HandoffStore } from '../../shared/ports/handoff-store.ts';
import { addTo, copy, type MemoryHandoff, type MemoryTable, matchName, signalName } from './memory-table.ts';

/** Handoffs in memory, with the guarantees of the port. */
export function memoryHandoffStore(table: MemoryTable): HandoffStore {
  return {
    async load(id) {
      const row = table.handoffs.get(id);
      if (row === undefined) return undefined;
      const packet = row.packets.get(row.head.packetVersion);
      if (packet === undefined) throw new Error(`handoff ${id} has lost its packet ${row.head.packetVersion}`);
      const generated = row.head.generated === undefined ? undefined : table.generated.get(`${id}#${row.head.generated.seq}`);
      return copy({ handoff: row.head, packet: generated === undefined ? packet : { ...packet, generated } });
    },

    async append(before, after, receipts, alongside = {}) {
      checkLog(before, after, receipts);
      const row = table.handoffs.get(after.id);
      if (row?.head.version !== before?.version) return readBack(row, receipts[0]);
      if (!waitsToBeOpened(table, alongside)) {
        if (row === undefined && alongside.matches === undefined) throw new Error(`handoff ${after.id} cannot be written: its signal does not wait to be opened`);
        return { kind: 'stale' };
      }
      if (!matchesStand(table, alongside)) return { kind: 'stale' };
      const loads = loadsAfter(table, { before, after, receipts, alongside });
      if (loads.kind !== 'moved') return loads;
      for (const [person, load] of loads.loads) table.loads.set(person, load);
      write(table, { before, after, receipts, alongside });
      return { kind: 'written' };
    },

    receipts: async (id) => copy(table.handoffs.get(id)?.receipts ?? []),
    notes: async (id) => copy(bySeq(table.handoffs.get(id)?.notes).map(([, note]) => note)),
    acceptances: async (id) => bySeq(table.handoffs.get(id)?.acceptances).map(([seq, jws]) => ({ seq, jws })),

    async openCounts(people) {
      const held = [...table.handoffs.values()].map(({ head }) => holder(head));
      return Object.fromEntries(people.map((person) => [person, held.filter((one) => one === person).length]));
    },

    loads: async (people) => copy(Object.fromEntries(people.flatMap((person) => (table.loads.has(person) ? [[person, table.loads.get(person) ?? NO_LOAD]] : [])))),
  };
}

type Transition = { before: Handoff | undefined; after: Handoff; receipts: Parameters<HandoffStore['append']>[2]; alongside: Alongside };

function readBack(row: MemoryHandoff | undefined, first: Transition['receipts'][number] | undefined): Appended {
  if (row === undefined || first === undefined) throw new Error('the row is gone');
  const winner = row.receipts[first.seq - 1];
  return winner?.commandId === first.commandId ? { kind: 'already-applied', handoff: copy(row.head) } : { kind: 'stale' };
}

const waitsToBeOpened = (table: MemoryTable, { signal, linkedSignal }: Alongside) =>
  [signal, linkedSignal].every((one) => one === undefined || table.signals.get(signalName(one))?.standing.kind === 'received');

function write(table: MemoryTable, { before, after, receipts, alongside }: Transition): void {
  const row: MemoryHandoff = table.handoffs.get(after.id) ?? { head: after, receipts: [], packets: new Map(), notes: new Map(), acceptances: new Map() };
  row.head = copy(after);
  row.receipts.push(...copy([...receipts]));
  count(table, before, after);
  addTo(table, tallyOf(receipts));
  besides(table, row, alongside);
  table.handoffs.set(after.id, row);
}

function checkLog(before: Handoff | undefined, after: Handoff, receipts: Transition['receipts']): void {
  const base = before?.version ?? 0;
  const continues = receipts.length > 0 && receipts.every((receipt, index) => receipt.seq === base + index + 1);
  if (!continues || after.version !== base + receipts.length) throw new Error('the receipts do not lead from the row before to the row after');
}

const matchesStand = (table: MemoryTable, { matches = [] }: Alongside): boolean =>
  matches.every(({ key, version }) => (table.matches.get(matchName(key))?.version ?? 0) === version);

/** The loads a transition leaves, or why it may not happen. */
function loadsAfter(
  { loads }: MemoryTable,
  { before, after, receipts, alongside }: Transition,
): { kind: 'moved'; loads: [PersonId, Load][] } | { kind: 'at-capacity' } | { kind: 'stale' } {
  const moved: [PersonId, Load][] = [];
  for (const { person, held, limit, turn, excludedUntil } of loadChanges(before, after, receipts)) {
    const load = loads.get(person) ?? NO_LOAD;
    if (limit !== undefined && load.held >= limit) return { kind: 'at-capacity' };
    if (turn?.guarded === true && alongside.turn !== 'anyway' && load.turnAt !== turn.after) return { kind: 'stale' };
    const next: Load = {
      ...load,
      held: load.held + held,
      ...(turn !== undefined && { turns: load.turns + 1, turnAt: turn.at }),
      ...(excludedUntil !== undefined && { excludedUntil }),
    };
    moved.push([person, next]);
  }
  return { kind: 'moved', loads: moved };
}

function besides(table: MemoryTable, row: MemoryHandoff, { packet, wait, links = [], notes = [], acceptance, signal, generated, linkedSignal, matches = [] }: Alongside): void {
  const handoffId = row.head.id;
  if (packet !== undefined) row.packets.set(packet.version, copy(packet));
  if (wait !== undefined) row.wait = copy(wait);
  for (const link of links) table.links.set(link.id, { ...copy(link), handoffId });
  for (const note of notes) row.notes.set(note.seq, copy(note));
  if (acceptance !== undefined) row.acceptances.set(acceptance.seq, acceptance.jws);
  if (generated !== undefined) table.generated.set(`${handoffId}#${generated.seq}`, copy(generated.generated));
  const settled = signal === undefined ? undefined : table.signals.get(signalName(signal));
  if (settled !== undefined) settled.standing = { kind: 'opened', handoffId };
  const linked = linkedSignal === undefined ? undefined : table.signals.get(signalName(linkedSignal));
  if (linked !== undefined) {
    linked.standing = { kind: 'linked', handoffId };
    table.totals.linked += 1;
  }
  for (const row of matches) table.matches.set(matchName(row.key), copy({ ...row, version: row.version + 1 }));
}

function count({ totals }: MemoryTable, before: Handoff | undefined, after: Handoff): void {
  if (before !== undefined) totals[QUEUE_STATE[before.state]] -= 1;
  totals[QUEUE_STATE[after.state]] += 1;
}

function holder(handoff: Handoff): string | undefined {
  if (handoff.state === 'closed') return undefined;
  return pendingOffer(handoff)?.to ?? handoff.ownership?.owner;
}

const bySeq = <T>(map: Map<number, T> = new Map()): [number, T][] => [...map].sort(([a], [b]) => a - b);
