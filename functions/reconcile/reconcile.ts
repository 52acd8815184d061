// Repairs what a crash or an outage left behind. The table says what should be; the rest is compared with it.

import { type Handoff, lastMovedAt } from '../../shared/domain/handoff.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { LINK_CHANNELS } from '../../shared/domain/link.ts';
import { attentionAt, nextStep } from '../../shared/domain/next-step.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import type { FactKind } from '../../shared/domain/receipt.ts';
import { standsStill } from '../../shared/domain/report.ts';
import { REPLACEMENTS } from '../../shared/domain/workflow-fault.ts';
import type { ClaimBook } from '../../shared/ports/claim-book.ts';
import type { BusEvent, EventBus } from '../../shared/ports/event-bus.ts';
import type { HandoffStore, WaitBook } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { AttentionIndex, Watched } from '../../shared/ports/report-sources.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import type { Workflow } from '../../shared/ports/workflow.ts';

export type ReconcileDeps = {
  store: HandoffStore;
  waits: WaitBook;
  policies: PolicyBook;
  attention: AttentionIndex;
  claims: Pick<ClaimBook, 'find'>;
  workflow: Workflow;
  bus: EventBus;
  time: TimeSource;
};

/** What one run repaired. */
export type Reconciled = {
  /** Handoffs whose workflow was missing or had ended. */
  restarted: HandoffId[];
  /** Handoffs whose workflow waits for something that is over. */
  nudged: HandoffId[];
  /** Handoffs whose workflow ends again and again: a person must look. */
  beyondRepair: HandoffId[];
  signals: number;
  messages: number;
  /** How long the oldest of all that is due has stood without the machinery doing anything about it; 0 when nothing has. Only a sweep knows (OP-07). */
  oldestStandingStillSeconds?: number;
};

/** Everything younger than this may still be under way by itself. */
const GRACE_SECONDS = 120;

/** The most of each kind that one run takes on; the next run is five minutes away. */
const A_RUN = 200;

/** Looked after at the same time. */
const TOGETHER = 8;

/** A replacement by event follows only the first failure; every later one waits for the sweep, so that a machine that fails at once is not started in a circle. */
const AT_ONCE = 1;

type Verdict = 'fine' | 'restarted' | 'nudged' | 'beyond-repair';

/** One sweep over everything that wants attention. Repeating it, or running it twice at once, changes nothing more. */
export async function reconcile(deps: ReconcileDeps): Promise<Reconciled> {
  const now = Date.parse(deps.time.now());
  const before = new Date(now - GRACE_SECONDS * 1000).toISOString();
  const done = nothingDone();
  const attention = await deps.attention.attention(before);
  const policyOf = remembered(deps.policies);
  const oldestStandingStillSeconds = await oldestStandingStill(attention.watched, policyOf, now);
  const watched = aRunOf(attention.watched, now);
  for (let from = 0; from < watched.length; from += TOGETHER) {
    const some = watched.slice(from, from + TOGETHER);
    const verdicts = await Promise.all(some.map((one) => repair(deps, one, { policyOf, replacements: REPLACEMENTS })));
    for (const [at, { handoff }] of some.entries()) note(done, handoff.id, verdicts[at]);
  }

  const signals = aRunOf(attention.signals, now);
  await deps.bus.publish(signals.map((signal): BusEvent => ({ source: 'baton.intake', detailType: 'signal.received', detail: { schemaVersion: '1', signal } })));
  const claims = [...aRunOf(attention.claims, now), ...(await neverClaimed(deps, watched, before))];
  await deps.bus.publish(claims.map(({ handoffId, effect }) => workflowEvent('message.unsettled', { handoffId, effect })));
  return { ...done, signals: signals.length, messages: claims.length, oldestStandingStillSeconds };
}

/** What asks a person, or tells an owner how to reach the customer. */
const ASKS: ReadonlySet<FactKind> = new Set([
  ...(['acceptance.requested', 'backup.requested', 'exception.raised', 'exception.escalated'] as const),
  ...(['offer.accepted', 'clarification.asked', 'next-step.overdue'] as const),
]);

/** Messages that nobody ever began, though whoever they are for is waited for: the stream keeps a receipt for a day, and this one never came out of it (DB-20). */
async function neverClaimed({ claims }: ReconcileDeps, watched: readonly Watched[], before: string): Promise<{ handoffId: HandoffId; effect: string }[]> {
  const asking = watched.filter(({ handoff }) => ASKS.has(handoff.lastReceipt) && lastMovedAt(handoff) < before);
  const found = [];
  for (const { handoff } of asking) {
    const effects = LINK_CHANNELS.map((channel) => `${handoff.lastReceipt}:${handoff.version}:${channel}`);
    const claimed = await Promise.all(effects.map((effect) => claims.find(handoff.id, effect)));
    const [effect] = effects;
    if (effect !== undefined && claimed.every((claim) => claim === undefined)) found.push({ handoffId: handoff.id, effect });
  }
  return found;
}

/** Looks after one handoff at once, because its workflow is known to have ended badly (SF-10). */
export async function reconcileOne(deps: ReconcileDeps, id: HandoffId): Promise<Reconciled> {
  const done = nothingDone();
  const [loaded, wait] = await Promise.all([deps.store.load(id), deps.waits.find(id)]);
  if (loaded !== undefined) note(done, id, await repair(deps, { handoff: loaded.handoff, ...(wait && { wait }) }, { policyOf: remembered(deps.policies), replacements: AT_ONCE }));
  return done;
}

const nothingDone = (): Reconciled => ({ restarted: [], nudged: [], beyondRepair: [], signals: 0, messages: 0 });

/** Over everything that is due, not only over what this run takes on: it is measured before anything is repaired. */
async function oldestStandingStill(watched: readonly Watched[], policyOf: Manner['policyOf'], now: number): Promise<number> {
  const since = new Date(now - GRACE_SECONDS * 1000).toISOString();
  let oldest = 0;
  for (const one of watched) {
    const due = Date.parse(attentionAt(one.handoff) ?? '');
    if (now - due > oldest * 1000 && standsStill(one, await policyOf(one.handoff), since)) oldest = Math.floor((now - due) / 1000);
  }
  return oldest;
}

type Manner = { policyOf: (handoff: Handoff) => Promise<Policy>; replacements: number };

async function repair(deps: ReconcileDeps, watched: Watched, { policyOf, replacements }: Manner): Promise<Verdict> {
  const { handoff } = watched;
  const step = nextStep(handoff, await policyOf(handoff), deps.time.now());
  if (step.kind === 'done') return 'fine';
  const latest = await deps.workflow.latest(handoff.id);
  if (latest?.standing === 'running') return wakeIfOver(deps, watched, step.kind === 'await' ? step.wait : undefined);
  const attempt = latest === undefined ? 0 : latest.attempt + 1;
  if (attempt > REPLACEMENTS) return 'beyond-repair';
  if (attempt > replacements) return 'fine'; // left to the sweep
  await deps.workflow.start(handoff.id, attempt);
  return 'restarted';
}

/** A running machine is right when it waits for what the row waits for; a token that stands for anything else is woken. */
async function wakeIfOver({ bus }: ReconcileDeps, { handoff, wait: stored }: Watched, wait: string | undefined): Promise<Verdict> {
  if (stored === undefined || stored.wait === wait) return 'fine';
  await bus.publish([workflowEvent('wait.over', { handoffId: handoff.id })]);
  return 'nudged';
}

/** At most `A_RUN` of them, from a place that moves on with every run, so that what is due for good never hides what is broken. */
function aRunOf<T>(all: readonly T[], now: number): T[] {
  if (all.length <= A_RUN) return [...all];
  const from = (Math.floor(now / 300_000) * A_RUN) % all.length;
  return [...all.slice(from), ...all.slice(0, from)].slice(0, A_RUN);
}

/** The policy of each contract version, read once: what changes while a run lasts, the next one sees. */
function remembered(policies: PolicyBook): Manner['policyOf'] {
  const known = new Map<string, Promise<Policy>>();
  return ({ contract, contractVersion }) => {
    const found = known.get(contractVersion) ?? policies.at(contract, contractVersion);
    known.set(contractVersion, found);
    return found;
  };
}

function note(done: Reconciled, id: HandoffId, verdict: Verdict | undefined): void {
  if (verdict === 'restarted') done.restarted.push(id);
  if (verdict === 'nudged') done.nudged.push(id);
  if (verdict === 'beyond-repair') done.beyondRepair.push(id);
}

const workflowEvent = (detailType: string, detail: Record<string, unknown>): BusEvent => ({ source: 'baton.workflow', detailType, detail: { schemaVersion: '1', ...detail } });
