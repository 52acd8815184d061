// Repairs what a crash or an outage left behind. The table says what should be; the rest is compared with it.

import type { Handoff } from '../../shared/domain/handoff.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { nextStep } from '../../shared/domain/next-step.ts';
import type { ClaimBook } from '../../shared/ports/claim-book.ts';
import type { BusEvent, EventBus } from '../../shared/ports/event-bus.ts';
import type { HandoffStore, WaitBook } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { AttentionIndex } from '../../shared/ports/report-sources.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import type { Workflow } from '../../shared/ports/workflow.ts';

export type ReconcileDeps = {
  store: HandoffStore;
  waits: WaitBook;
  policies: PolicyBook;
  attention: AttentionIndex;
  claims: ClaimBook;
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
};

/** Everything younger than this may still be under way by itself. */
const GRACE_SECONDS = 120;

/** The most of each kind that one run takes on; the next run is five minutes away. */
const A_RUN = 200;

/** A replacement by event follows only the first failure; every later one waits for the sweep, so that a machine that fails at once is not started in a circle. */
const AT_ONCE = 1;

/** Replacements a handoff may get: more than three days of sweeps. */
const REPLACEMENTS = 1024;

type Verdict = 'fine' | 'restarted' | 'nudged' | 'beyond-repair';

/** One sweep over everything that wants attention. Repeating it, or running it twice at once, changes nothing more. */
export async function reconcile(deps: ReconcileDeps): Promise<Reconciled> {
  const now = Date.parse(deps.time.now());
  const before = new Date(now - GRACE_SECONDS * 1000).toISOString();
  const done: Reconciled = { restarted: [], nudged: [], beyondRepair: [], signals: 0, messages: 0 };
  for (const handoff of aRunOf(await deps.attention.due(before), now)) note(done, handoff.id, await repair(deps, handoff, REPLACEMENTS));

  const signals = aRunOf(await deps.attention.undecidedSignals(before), now);
  await deps.bus.publish(signals.map((signal): BusEvent => ({ source: 'baton.intake', detailType: 'signal.received', detail: { schemaVersion: '1', signal } })));
  const claims = aRunOf(await deps.claims.unsettled(before), now);
  await deps.bus.publish(claims.map(({ handoffId, effect }) => workflowEvent('message.unsettled', { handoffId, effect })));
  return { ...done, signals: signals.length, messages: claims.length };
}

/** Looks after one handoff at once, because its workflow is known to have ended badly (SF-10). */
export async function reconcileOne(deps: ReconcileDeps, id: HandoffId): Promise<Reconciled> {
  const done: Reconciled = { restarted: [], nudged: [], beyondRepair: [], signals: 0, messages: 0 };
  const loaded = await deps.store.load(id);
  if (loaded !== undefined) note(done, id, await repair(deps, loaded.handoff, AT_ONCE));
  return done;
}

async function repair(deps: ReconcileDeps, handoff: Handoff, replacements: number): Promise<Verdict> {
  const policy = await deps.policies.at(handoff.contract, handoff.contractVersion);
  const step = nextStep(handoff, policy, deps.time.now());
  if (step.kind === 'done') return 'fine';
  const attempt = await firstFree(deps.workflow, handoff.id);
  if (attempt === 'running') return wakeIfOver(deps, handoff, step.kind === 'await' ? step.wait : undefined);
  if (attempt > REPLACEMENTS) return 'beyond-repair';
  if (attempt > replacements) return 'fine'; // left to the sweep
  await deps.workflow.start(handoff.id, attempt);
  return 'restarted';
}

/** A running machine is right when it waits for what the row waits for; a token that stands for anything else is woken. */
async function wakeIfOver(deps: ReconcileDeps, { id }: Handoff, wait: string | undefined): Promise<Verdict> {
  const stored = await deps.waits.find(id);
  if (stored === undefined || stored.wait === wait) return 'fine';
  await deps.bus.publish([workflowEvent('wait.over', { handoffId: id })]);
  return 'nudged';
}

/** The number of the next replacement, or that a machine runs. Attempts have no gaps and only the last can run, so the last is searched by doubling and halving. */
async function firstFree(workflow: Workflow, id: HandoffId): Promise<number | 'running'> {
  const exists = async (attempt: number) => (await workflow.standing(id, attempt)) !== 'missing';
  let last = -1;
  let free = 0;
  while (free <= REPLACEMENTS && (await exists(free))) {
    last = free;
    free = free * 2 + 1;
  }
  while (free - last > 1) {
    const middle = Math.floor((last + free) / 2);
    if (await exists(middle)) last = middle;
    else free = middle;
  }
  return last >= 0 && (await workflow.standing(id, last)) === 'running' ? 'running' : free;
}

/** At most `A_RUN` of them, from a place that moves on with every run, so that what is due for good never hides what is broken. */
function aRunOf<T>(all: readonly T[], now: number): T[] {
  if (all.length <= A_RUN) return [...all];
  const from = (Math.floor(now / 300_000) * A_RUN) % all.length;
  return [...all.slice(from), ...all.slice(0, from)].slice(0, A_RUN);
}

function note(done: Reconciled, id: HandoffId, verdict: Verdict): void {
  if (verdict === 'restarted') done.restarted.push(id);
  if (verdict === 'nudged') done.nudged.push(id);
  if (verdict === 'beyond-repair') done.beyondRepair.push(id);
}

const workflowEvent = (detailType: string, detail: Record<string, unknown>): BusEvent => ({ source: 'baton.workflow', detailType, detail: { schemaVersion: '1', ...detail } });
