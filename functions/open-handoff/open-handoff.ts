// A signal becomes exactly one handoff with one running workflow, or stays recorded with the reason why not (L-01, D-01).
// Every step is harmless to repeat, so a delivery that finds an earlier one half done finishes it.

import type { SignalEvent } from '../../shared/contracts/signal-event.ts';
import { windowOf } from '../../shared/domain/answer-window.ts';
import { apply } from '../../shared/domain/evolve.ts';
import { firstPacket, missingFacts } from '../../shared/domain/first-packet.ts';
import { isFollowing, isSameEvent } from '../../shared/domain/follow-up.ts';
import { commandId, type HandoffId } from '../../shared/domain/ids.ts';
import { meetingNews } from '../../shared/domain/meeting.ts';
import type { Contract } from '../../shared/domain/policy.ts';
import { safetyOf } from '../../shared/domain/safety.ts';
import { answersForDanger, contractFor, isKnownSource, type Signal, withImplied } from '../../shared/domain/signal.ts';
import type { Tally } from '../../shared/domain/tally.ts';
import { closedState } from '../../shared/domain/window.ts';
import type { HandoffStore } from '../../shared/ports/handoff-store.ts';
import type { MatchBook } from '../../shared/ports/match-book.ts';
import type { PauseBook } from '../../shared/ports/pause-book.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { ContactSeal, LinkSeal } from '../../shared/ports/seal.ts';
import type { SignalDigest } from '../../shared/ports/signal-digest.ts';
import type { SignalLog, SignalStanding } from '../../shared/ports/signal-log.ts';
import type { SuppressionBook } from '../../shared/ports/suppression-book.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import type { Workflow } from '../../shared/ports/workflow.ts';
import { findDuplicate, type Judged, type Verdict } from './find-duplicate.ts';
import { type Followed, findThread } from './find-thread.ts';
import { leftAlone } from './leave-alone.ts';
import { linkTo } from './link-signal.ts';

export type OpenHandoffDeps = {
  signals: SignalLog;
  policies: PolicyBook;
  handoffs: HandoffStore;
  matches: MatchBook;
  workflow: Pick<Workflow, 'start'>;
  seal: ContactSeal & Pick<LinkSeal, 'mint'>;
  digest: SignalDigest;
  time: TimeSource;
  /** Asked before anybody is: a contact who wants no messages is left alone first, and looked at by a person afterwards (E-04). */
  suppressions: Pick<SuppressionBook, 'standing'>;
  pauses: Pick<PauseBook, 'pause'>;
  /** Fetches answers that a delivery only named. Never throws: what cannot be had is noted in the signal. */
  leads?: { complete(signal: Signal): Promise<Signal> };
  /** Figures for a person. Never throws. */
  counts?: { received(source: string, at: string): Promise<void> };
};

export type Opened =
  | { kind: 'opened'; handoffId: HandoffId }
  /** An earlier delivery opened it; its workflow runs, or was started now. */
  | { kind: 'opened-before'; handoffId: HandoffId }
  /** It is another source of a request that is open already, now or by an earlier delivery (D-01). */
  | { kind: 'linked'; handoffId: HandoffId }
  | { kind: 'ignored'; because: string }
  /** The same id came with other content (WH-07): kept for a person to look at, nothing opened. */
  | { kind: 'conflict' };

export async function openHandoff(deps: OpenHandoffDeps, event: SignalEvent): Promise<Opened> {
  const named = inUtc(event.signal);
  const recorded = await deps.signals.record(named, deps.digest.bodyHash(named), deps.time.now());
  if (recorded.kind === 'conflict') return { kind: 'conflict' };
  if (recorded.kind === 'known' && recorded.standing.kind !== 'received') return settled(deps, recorded.standing);
  if (recorded.kind === 'recorded') await deps.counts?.received(named.source, named.receivedAt);
  const signal = await complete(deps, named);
  const { contracts, calendars } = await deps.policies.active();
  const start = contractFor(signal, contracts);
  const counts = isKnownSource(signal, contracts) ? {} : { unknownSource: 1 };
  if (start.kind === 'ignored' && !mayFollow(signal)) return ignore(deps, signal, start.because, counts);
  const answering = start.kind === 'ignored' ? answersForDanger(signal, contracts) : undefined;
  const danger = answering && { danger: { kind: 'starts' as const, contract: answering, closed: closedState({ contract: answering, calendars }, signal.occurredAt) } };
  return settle(
    deps,
    { named, signal: start.kind === 'ignored' ? signal : withImplied(signal, start.rule) },
    start.kind === 'ignored' ? { ...start, counts, ...danger } : { ...start, closed: closedState({ contract: start.contract, calendars }, signal.occurredAt) },
  );
}

type Starts = { kind: 'starts'; contract: Contract; closed: ReturnType<typeof closedState> };
/** The contract that a signal starts, or why none does; `danger`: what it starts all the same when there is nothing open that it could join. */
type Start = Starts | { kind: 'ignored'; because: string; counts: Pick<Tally, 'unknownSource'>; danger?: Starts };

const mayFollow = (signal: Signal): boolean => signal.test !== true && signal.notALead === undefined && (isFollowing(signal) || (signal.threads ?? []).length > 0);

async function ignore({ signals, time }: OpenHandoffDeps, signal: Signal, because: string, counts: Pick<Tally, 'unknownSource'> = {}): Promise<Opened> {
  await signals.ignore(signal, because, time.now(), counts);
  return { kind: 'ignored', because };
}

const settled = (deps: OpenHandoffDeps, standing: Exclude<SignalStanding, { kind: 'received' }>): Opened | Promise<Opened> =>
  standing.kind === 'opened' ? started(deps, 'opened-before', standing.handoffId) : standing;

/** A crowd of sources of one request is let in one by one. */
const ATTEMPTS = 24;

/** Opens or links. Whoever loses a race looks again at what the winner wrote (ID-11). `named` is the signal as it was recorded, before answers were fetched or implied. */
async function settle(deps: OpenHandoffDeps, { named, signal }: { named: Signal; signal: Signal }, start: Start): Promise<Opened> {
  const id = deps.digest.handoffId(signal);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const opened = await follow(deps, signal, start);
    if (opened !== 'stale') return opened;
    const again = await deps.signals.record(named, deps.digest.bodyHash(named), deps.time.now());
    if (again.kind === 'known' && again.standing.kind !== 'received') return settled(deps, again.standing);
  }
  throw new Error(`signal ${signal.source} / ${id} kept meeting others under ${ATTEMPTS} attempts`);
}

/** What follows something joins it, whatever contracts start on; the rest is a request of its own, or none. Danger that nobody would hear of is never none. */
async function follow(deps: OpenHandoffDeps, signal: Signal, begun: Start): Promise<Opened | 'stale'> {
  const { found, rowsFor } = await findThread(deps, signal);
  const start = begun.kind === 'ignored' && found.kind !== 'open' ? (begun.danger ?? begun) : begun;
  const isUrgent = start.kind === 'starts' && safetyOf(signal, start.contract) !== undefined;
  if (found.kind === 'open' && !isUrgent) {
    const { id, contract } = found.loaded.handoff;
    return linkTo(deps, found.loaded, { signal, follows: true, evidence: found.evidence, rows: rowsFor(id, contract) });
  }
  if (found.kind === 'closed' && (start.kind === 'ignored' || (isSameEvent(signal) && !isUrgent))) return ignore(deps, signal, `belongs to ${found.of}, which is closed`);
  if (start.kind === 'ignored')
    return ignore(deps, signal, found.kind === 'several' ? 'may belong to any of several open handoffs of the same person' : start.because, start.counts);
  const judged = await findDuplicate(deps, signal, start.contract, deps.digest.handoffId(signal));
  return carryOut(deps, { signal, ...start, judged: withThreads(judged, rowsFor, start.contract.name) });
}

const withThreads = ({ verdict, rowsFor }: Judged, threadRows: Followed['rowsFor'], contract: string): Judged => ({
  verdict,
  rowsFor: (id) => [...rowsFor(id), ...threadRows(id, contract)],
});

type Judgement = { signal: Signal; contract: Contract; closed: ReturnType<typeof closedState>; judged: Judged };

async function carryOut(deps: OpenHandoffDeps, { signal, contract, closed, judged }: Judgement): Promise<Opened | 'stale'> {
  const verdict = apart(signal, contract, judged.verdict);
  const { rowsFor } = judged;
  switch (verdict.kind) {
    case 'old-news':
      return ignore(deps, signal, `no newer than what ${verdict.of} has dealt with`);
    case 'same':
      return linkTo(deps, verdict.loaded, { signal, evidence: verdict.evidence, rows: rowsFor(verdict.loaded.handoff.id) });
    case 'new':
    case 'perhaps':
      return open(deps, { signal, contract, closed, judged: { verdict, rowsFor } });
  }
}

/** A matter of safety is never one more source of something that waits: it has a handoff of its own, and its owner is told of the other. */
function apart(signal: Signal, contract: Contract, verdict: Verdict): Verdict {
  if (verdict.kind !== 'same' || safetyOf(signal, contract) === undefined) return verdict;
  return { kind: 'perhaps', of: verdict.loaded.handoff.id, evidence: verdict.evidence };
}

/** With the answers that the delivery only named. They are asked for after the reference is recorded, so no outage of theirs loses it. */
async function complete({ leads }: OpenHandoffDeps, signal: Signal): Promise<Signal> {
  return signal.reference === undefined || signal.notALead !== undefined || leads === undefined ? signal : leads.complete(signal);
}

async function open(deps: OpenHandoffDeps, { signal, contract, closed, judged: { verdict, rowsFor } }: Judgement): Promise<Opened | 'stale'> {
  const id = deps.digest.handoffId(signal);
  const packet = firstPacket(signal);
  const meeting = meetingNews(signal);
  const { email, phone } = signal.contact;
  const contactRef = await deps.seal.reference({ ...(email !== undefined && { email }), ...(phone !== undefined && { phone }), fallback: `${signal.source}\n${signal.eventId}` });
  const optedOut = await leftAlone(deps, { signal, contract, contactRef, id });
  const safety = safetyOf(signal, contract);
  const window = windowOf(signal, contract);
  const { receipts, handoff } = apply(
    undefined,
    [
      {
        kind: 'handoff.opened',
        handoffId: id,
        source: signal.source,
        sourceEventId: signal.eventId,
        occurredAt: signal.occurredAt,
        contract: contract.name,
        intakeLead: contract.intakeLead.person,
        contactRef,
        missing: missingFacts(packet, contract.requires),
        required: contract.requires.length,
        ...(verdict.kind === 'perhaps' && { possibleDuplicate: { of: verdict.of, evidence: verdict.evidence } }),
        ...(window !== undefined && { window }),
        ...(safety !== undefined && { safety }),
        ...(optedOut.length > 0 && { optedOut }),
        ...(closed !== undefined && { closed }),
        ...(meeting !== undefined && { meeting }),
      },
    ],
    {
      at: deps.time.now(),
      commandId: commandId(`open:${id}`),
      actor: { kind: 'policy', rule: `${contract.name} starts on ${signal.kind} from ${signal.source}` },
      packetVersion: packet.version,
      contractVersion: contract.version,
    },
  );
  const appended = await deps.handoffs.append(undefined, handoff, receipts, {
    packet,
    signal: { source: signal.source, eventId: signal.eventId },
    matches: rowsFor(id),
  });
  if (appended.kind === 'stale' && (await deps.handoffs.load(id)) === undefined) return 'stale';
  return started(deps, appended.kind === 'written' ? 'opened' : 'opened-before', id);
}

async function started({ workflow }: OpenHandoffDeps, kind: 'opened' | 'opened-before', handoffId: HandoffId): Promise<Opened> {
  await workflow.start(handoffId);
  return { kind, handoffId };
}

/** The domain compares instants as text, so partners' offsets become UTC. Nothing happens to a customer before it happened: a time ahead counts as the arrival. */
function inUtc(signal: Signal): Signal {
  const receivedAt = Date.parse(signal.receivedAt);
  const occurredAt = Math.min(Date.parse(signal.occurredAt), receivedAt);
  return { ...signal, receivedAt: new Date(receivedAt).toISOString(), occurredAt: new Date(occurredAt).toISOString() };
}
