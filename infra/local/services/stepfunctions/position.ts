import type { Descent } from './definition.ts';
import type { Failure } from './failure.ts';

/** Where one line of states stands. Together with the history this is all there is to an execution: it can be put down and picked up at any step. */
export type Thread = {
  id: number;
  /** The Parallel or Map state this line is a branch or iteration of. */
  parent?: { thread: number; index: number };
  path: Descent[];
  state: string;
  /**
   * `start`: about to enter its state · `task`: waiting for a task's outcome · `wait`: until `dueAt` · `retry`: until `dueAt`, then the state again
   * · `children`: waiting for branches or iterations · `done`, `failed`: at its end · `stopped`: a sibling failed.
   */
  phase: 'start' | 'task' | 'wait' | 'retry' | 'children' | 'done' | 'failed' | 'stopped';
  input: unknown;
  variables: Record<string, unknown>;
  /** Last event of this line in the history. */
  previous: number;
  entered?: { event: number; previous: number; at: number };
  /** How often each retrier of the current state was used: every retrier counts alone. */
  retries: number[];
  dueAt?: number;
  task?: { id: string; submitted: boolean };
  children?: { length: number; started: number; maxConcurrency: number; items?: unknown[]; lastLine: number };
  item?: { index: number; value: unknown };
  output?: unknown;
  failure?: Failure;
};

export type Status = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** One execution, without its position. Times in milliseconds since 1970. */
export type Execution = {
  arn: string;
  machineArn: string;
  name: string;
  roleArn: string;
  /** The definition it started with: a later change of the machine does not reach it. */
  definition: string;
  input: string;
  status: Status;
  startedAt: number;
  stoppedAt?: number;
  output?: string;
  error?: string;
  cause?: string;
  deadlineAt?: number;
  lastEvent: number;
  lastThread: number;
  redriveCount: number;
  redrivenAt?: number;
};

/** How a task ended. Decided once, by whoever comes first: the function, the holder of the token, or the clock. */
export type Outcome = { kind: 'success'; output: unknown } | { kind: 'failure'; error?: string; cause?: string } | { kind: 'timed-out'; heartbeat: boolean };

/** One attempt of a Task state. */
export type Task = {
  id: string;
  execution: string;
  thread: number;
  resource: string;
  arguments: unknown;
  /** Present for `.waitForTaskToken` only. */
  token?: string;
  deadlineAt?: number;
  heartbeatMs?: number;
  /** When silence becomes a time-out; moves with every heartbeat. */
  beatUntil?: number;
  /** Answer of the call of a callback task, which does not end it. */
  reply?: unknown;
  outcome?: Outcome;
  status: 'open' | 'done' | 'timed-out';
};

export type HistoryEvent = { id: number; previous: number; at: number; type: string; details: Record<string, unknown> };
