import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kernel } from '../../kernel/types.ts';
import { Announcer } from './announcer.ts';
import { Draft } from './draft.ts';
import { ExecutionTable } from './execution-table.ts';
import { failLine, type Random } from './fail-state.ts';
import { callService, integrationOf } from './integrations.ts';
import type { Task, Thread } from './position.ts';
import { takeStep } from './step.ts';
import { TaskTable } from './task-table.ts';

/** Steps between two breaths, so that a loop without waits does not hold up the process. */
const STEPS_PER_TURN = 50;

/**
 * Moves executions. The journal is the truth: each step is one transaction, and what a step asks of the world (a call, a timer)
 * is done after it and derived from the position, so that a killed process continues with `resume`.
 * A call that was under way is made again with the same arguments and token; it spends no retrier and adds no event.
 */
export class Engine {
  readonly executions: ExecutionTable;
  readonly tasks: TaskTable;
  readonly #kernel: Kernel;
  readonly #random: Random;
  readonly #announcer: Announcer;
  readonly #loops = new Map<string, { again: boolean; done: Promise<void> }>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #calls = new Set<string>();
  readonly #timers = new Set<string>();
  #stopped = false;

  constructor(kernel: Kernel, random: Random) {
    this.#kernel = kernel;
    this.#random = random;
    this.executions = new ExecutionTable(kernel.db);
    this.tasks = new TaskTable(kernel.db);
    this.#announcer = new Announcer(kernel);
  }

  /** Continues every execution that was running. */
  async resume(): Promise<void> {
    await this.#announcer.flush();
    await Promise.all(this.executions.running().map((arn) => this.wake(arn)));
  }

  /** Stops moving anything; answers of calls under way are dropped, as if the process had ended. */
  stop(): void {
    this.#stopped = true;
    for (const arn of this.#timers) this.#kernel.agenda.cancel(timerOf(arn));
  }

  draft(arn: string): Draft | undefined {
    const execution = this.executions.find(arn);
    return execution && new Draft(this.#kernel.db, execution, this.#kernel.time.now());
  }

  /** Runs `change` while no step of this execution is under way. */
  exclusively<T>(arn: string, change: () => Promise<T> | T): Promise<T> {
    const turn = (this.#turns.get(arn) ?? Promise.resolve()).then(change);
    const settled = turn.then(
      () => undefined,
      () => undefined,
    );
    this.#turns.set(arn, settled);
    void settled.then(() => {
      if (this.#turns.get(arn) === settled) this.#turns.delete(arn);
    });
    return turn;
  }

  /** Takes all steps that are possible now. Waiting for a token, a timer or a function is not work under way; calling the function is. */
  wake(arn: string): Promise<void> {
    const current = this.#loops.get(arn);
    if (current) {
      current.again = true;
      return current.done;
    }
    const loop = { again: true, done: Promise.resolve() };
    this.#loops.set(arn, loop);
    loop.done = this.#kernel.work.track(`execution ${arn.split(':').at(-1)}`, async () => {
      try {
        while (loop.again && !this.#stopped) {
          loop.again = false;
          await this.#moveToRest(arn);
        }
      } catch (fault) {
        this.#report(arn, fault);
      } finally {
        this.#loops.delete(arn);
      }
    });
    return loop.done;
  }

  async #moveToRest(arn: string): Promise<void> {
    let steps = 0;
    while (!this.#stopped && (await this.exclusively(arn, () => this.#step(arn)))) {
      steps += 1;
      if (steps % STEPS_PER_TURN === 0) await nextTurn();
    }
    if (this.#stopped) return;
    this.#arm(arn);
    await this.#announcer.flush();
  }

  async #step(arn: string): Promise<boolean> {
    const draft = this.draft(arn);
    if (!draft || this.#stopped) return false;
    this.#expireTasks(draft);
    try {
      if (!(await takeStep(draft, { taskOf: (thread) => this.#taskOf(thread), random: this.#random }))) return false;
      if (!this.#stopped) draft.commit();
    } catch (fault) {
      this.#report(arn, fault);
      this.#failWithFault(arn, fault);
    }
    return true;
  }

  /** A fault of this interpreter must not leave an execution hanging. */
  #failWithFault(arn: string, fault: unknown): void {
    const draft = this.draft(arn);
    const root = draft && [...draft.threads.values()].find((thread) => !thread.parent);
    if (!draft || !root) return;
    failLine(draft, root, { error: 'States.Runtime', cause: fault instanceof Error ? fault.message : String(fault) });
    draft.commit();
  }

  #taskOf(thread: Thread): Task | undefined {
    return thread.task && this.tasks.find(thread.task.id);
  }

  #expireTasks(draft: Draft): void {
    for (const thread of draft.threads.values()) {
      const task = this.#taskOf(thread);
      if (task?.status === 'open') this.expireTask(task);
    }
  }

  /** Settles a task whose time is over. True when it is. */
  expireTask(task: Task): boolean {
    const now = this.#kernel.time.now();
    const late = task.deadlineAt !== undefined && now >= task.deadlineAt;
    const silent = task.beatUntil !== undefined && now >= task.beatUntil;
    if (!late && !silent) return false;
    this.tasks.settle(task.id, { kind: 'timed-out', heartbeat: silent && !late });
    return true;
  }

  /** Makes the calls that are not under way and sets the timer to the earliest moment that matters. */
  #arm(arn: string): void {
    const draft = this.draft(arn);
    this.#kernel.agenda.cancel(timerOf(arn));
    this.#timers.delete(arn);
    if (draft?.execution.status !== 'RUNNING') return;
    const moments = [draft.execution.deadlineAt];
    for (const thread of draft.threads.values()) {
      const task = this.#taskOf(thread);
      moments.push(thread.dueAt, task?.deadlineAt, task?.beatUntil);
      if (task?.status === 'open' && task.reply === undefined && !this.#calls.has(task.id)) this.#call(draft, task);
    }
    const next = Math.min(...moments.filter((moment) => moment !== undefined));
    if (!Number.isFinite(next)) return;
    this.#timers.add(arn);
    this.#kernel.agenda.at(next, timerOf(arn), () => this.wake(arn));
  }

  #call(draft: Draft, task: Task): void {
    const { execution } = draft;
    this.#calls.add(task.id);
    const caller = { kind: 'role' as const, roleArn: execution.roleArn, name: execution.machineArn.split(':').at(-1) ?? execution.name };
    const call = this.#kernel.work.track(`task of ${execution.name}`, async () => {
      try {
        const answer = await callService(this.#kernel, task, caller);
        if (this.#stopped) return;
        if (answer.kind === 'failure') this.tasks.settle(task.id, { ...answer.failure, kind: 'failure' });
        else if (integrationOf(task.resource).callback) this.tasks.recordReply(task.id, answer.result);
        else this.tasks.settle(task.id, { kind: 'success', output: answer.result });
        await this.wake(execution.arn);
      } finally {
        this.#calls.delete(task.id);
      }
    });
    call.catch((fault: unknown) => this.#report(execution.arn, fault));
  }

  #report(arn: string, fault: unknown): void {
    if (this.#stopped) return;
    this.#kernel.log({
      service: 'states',
      message: 'An execution could not be moved.',
      execution: arn,
      fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    });
  }
}

function timerOf(arn: string): string {
  return `states ${arn}`;
}
