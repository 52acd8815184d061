import type { DatabaseSync } from 'node:sqlite';
import { type State, stateAt, workflowOf } from './definition.ts';
import { ExecutionTable } from './execution-table.ts';
import type { Failure } from './failure.ts';
import type { Execution, HistoryEvent, Status, Task, Thread } from './position.ts';
import { statusChange } from './status-change.ts';
import { together } from './tables.ts';
import { TaskTable } from './task-table.ts';

/** Largest number of events in one history. The last one then says that the execution failed. */
export const HISTORY_LIMIT = 25_000;

/**
 * One step of one execution: loaded from the journal, changed in memory, written back in one transaction or not at all.
 * Whoever holds a draft is alone with the execution, except that tasks may be settled meanwhile.
 */
export class Draft {
  readonly execution: Execution;
  readonly threads = new Map<number, Thread>();
  readonly now: number;
  readonly #db: DatabaseSync;
  readonly #stored: Map<number, string>;
  readonly #events: HistoryEvent[] = [];
  readonly #newTasks: Task[] = [];
  readonly #closedTasks = new Set<string>();
  #statusChanged = false;

  constructor(db: DatabaseSync, execution: Execution, now: number) {
    this.#db = db;
    this.execution = execution;
    this.now = now;
    this.#stored = new ExecutionTable(db).threads(execution.arn);
    for (const [id, position] of this.#stored) this.threads.set(id, JSON.parse(position) as Thread);
  }

  state(thread: Thread): State {
    return stateAt(workflowOf(this.execution.definition), thread.path, thread.state);
  }

  childrenOf(thread: Thread): Thread[] {
    return [...this.threads.values()].filter((other) => other.parent?.thread === thread.id).sort((a, b) => (a.parent?.index ?? 0) - (b.parent?.index ?? 0));
  }

  parentOf(thread: Thread): Thread | undefined {
    return thread.parent && this.threads.get(thread.parent.thread);
  }

  /** Adds an event that does not belong to a line of states, or whose predecessor is not the line's last event. */
  record(type: string, details: Record<string, unknown>, previous: number): number {
    this.execution.lastEvent += 1;
    const id = this.execution.lastEvent;
    this.#events.push({ id, previous, at: this.now, type, details });
    return id;
  }

  /** Adds the next event of a line. */
  emit(thread: Thread, type: string, details: Record<string, unknown>): number {
    thread.previous = this.record(type, details, thread.previous);
    return thread.previous;
  }

  addThread(thread: Omit<Thread, 'id' | 'phase' | 'variables' | 'retries'>): Thread {
    this.execution.lastThread += 1;
    const added: Thread = { ...thread, id: this.execution.lastThread, phase: 'start', variables: {}, retries: [] };
    this.threads.set(added.id, added);
    return added;
  }

  /** Takes away the branches or iterations of a state, all the way down. Calls under way go on; nobody reads their answers. */
  removeChildren(thread: Thread): void {
    for (const child of this.childrenOf(thread)) {
      this.removeChildren(child);
      this.closeTask(child);
      this.threads.delete(child.id);
    }
    delete thread.children;
  }

  addTask(task: Task): void {
    this.#newTasks.push(task);
  }

  closeTask(thread: Thread): void {
    if (thread.task) this.#closedTasks.add(thread.task.id);
    delete thread.task;
  }

  /** Ends the execution. Positions of an unsuccessful one stay, for a redrive. */
  end(status: Exclude<Status, 'RUNNING'>, result: Failure & { output?: string }): void {
    this.execution.status = status;
    this.execution.stoppedAt = this.now;
    if (result.output !== undefined) this.execution.output = result.output;
    if (result.error !== undefined) this.execution.error = result.error;
    if (result.cause) this.execution.cause = result.cause;
    for (const thread of this.threads.values()) this.closeTask(thread);
    if (status === 'SUCCEEDED') this.threads.clear();
    this.#statusChanged = true;
  }

  announce(): void {
    this.#statusChanged = true;
  }

  commit(): void {
    this.#enforceHistoryLimit();
    const executions = new ExecutionTable(this.#db);
    const tasks = new TaskTable(this.#db);
    const { arn } = this.execution;
    together(this.#db, () => {
      for (const event of this.#events) executions.addEvent(arn, event);
      for (const task of this.#newTasks) tasks.add(task);
      for (const id of this.#closedTasks) tasks.close(id);
      this.#writeThreads(executions);
      executions.update(this.execution);
      if (this.#statusChanged) this.#db.prepare('INSERT INTO sfn_announcements (execution, detail) VALUES (?, ?)').run(arn, JSON.stringify(statusChange(this.execution)));
    });
  }

  #writeThreads(executions: ExecutionTable): void {
    const { arn } = this.execution;
    for (const id of this.#stored.keys()) if (!this.threads.has(id)) executions.removeThread(arn, id);
    for (const thread of this.threads.values()) {
      const position = JSON.stringify(thread);
      if (position !== this.#stored.get(thread.id)) executions.putThread(arn, thread, position);
    }
  }

  /** What no longer fits into the history did not happen; the execution fails instead. */
  #enforceHistoryLimit(): void {
    const last = this.#events.at(-1);
    if (!last || last.id < HISTORY_LIMIT || (last.id === HISTORY_LIMIT && this.execution.status !== 'RUNNING')) return;
    this.#events.splice(0, this.#events.length, ...this.#events.filter((event) => event.id < HISTORY_LIMIT));
    this.#newTasks.length = 0;
    delete this.execution.output;
    this.execution.lastEvent = HISTORY_LIMIT - 1;
    const failure = { error: 'States.Runtime', cause: `The execution reached the maximum number of history events (${HISTORY_LIMIT}).` };
    this.record('ExecutionFailed', { executionFailedEventDetails: failure }, this.#events.at(-1)?.id ?? this.execution.lastEvent);
    this.end('FAILED', failure);
  }
}
