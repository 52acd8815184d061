import { AwsError } from '../kernel/types.ts';
import { type EnvironmentParts, ExecutionEnvironment } from './lambda-environment.ts';
import type { Lanes, Urgency } from './lambda-lanes.ts';
import type { InvocationMessage, InvocationOutcome } from './lambda-messages.ts';

const IDLE_MILLISECONDS = 20_000;

/** `onRan` hears how long the invocation ran, without its wait for a lane. */
type Manner = { urgency: Urgency; onRan?: (milliseconds: number) => void };

/** The execution environments of one function: reused when free, added when none is, replaced when dead. */
export class EnvironmentPool {
  readonly #parts: EnvironmentParts;
  readonly #lanes: Lanes;
  readonly #reserved: number | undefined;
  #free: ExecutionEnvironment[] = [];
  readonly #all = new Set<ExecutionEnvironment>();
  #underWay = 0;
  #reaper: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: EnvironmentParts, lanes: Lanes) {
    this.#parts = parts;
    this.#lanes = lanes;
    this.#reserved = parts.settings.reservedConcurrency;
  }

  /** Runs one invocation when a lane is free. Throws `TooManyRequestsException` when the function's reserved concurrency is used up. */
  async invoke(invocation: Omit<InvocationMessage, 'deadline'>, { urgency, onRan }: Manner): Promise<InvocationOutcome> {
    if (this.#reserved !== undefined && this.#underWay >= this.#reserved) {
      throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429, { Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded', Type: 'User' });
    }
    this.#underWay += 1;
    try {
      return await this.#lanes.run(urgency, () => this.#invoke(invocation, onRan));
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Starts an environment if there is none, so that the first invocation finds one. */
  async warm(): Promise<void> {
    if (this.#all.size > 0) return;
    const environment = this.#add();
    await environment.started();
    this.#giveBack(environment);
  }

  /** Lets go of everything the function remembers: the next invocation starts cold. */
  retire(): void {
    for (const environment of this.#all) environment.retire();
    for (const environment of this.#free.splice(0)) {
      this.#all.delete(environment);
      void environment.stop();
    }
  }

  /** Ends every environment. An invocation that still waits for a lane starts none any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#reaper);
    await Promise.all([...this.#all].map((environment) => environment.stop()));
    this.#all.clear();
    this.#free = [];
  }

  async #invoke(invocation: Omit<InvocationMessage, 'deadline'>, onRan: Manner['onRan']): Promise<InvocationOutcome> {
    const from = performance.now();
    const environment = this.#take();
    try {
      return await environment.invoke(invocation);
    } finally {
      onRan?.(performance.now() - from);
      this.#giveBack(environment);
    }
  }

  #take(): ExecutionEnvironment {
    for (let free = this.#free.pop(); free; free = this.#free.pop()) {
      if (free.usable) return free;
      this.#all.delete(free);
    }
    return this.#add();
  }

  #add(): ExecutionEnvironment {
    if (this.#stopped) throw new Error('the functions of the runtime have been stopped');
    const environment = new ExecutionEnvironment(this.#parts);
    this.#all.add(environment);
    return environment;
  }

  #giveBack(environment: ExecutionEnvironment): void {
    if (environment.usable) this.#free.push(environment);
    else {
      this.#all.delete(environment);
      void environment.stop();
    }
    this.#reapLater();
  }

  /** Ends environments beyond the first that nobody needed for a while. */
  #reapLater(): void {
    clearTimeout(this.#reaper);
    this.#reaper = setTimeout(() => {
      for (const spare of this.#free.splice(1)) {
        this.#all.delete(spare);
        void spare.stop();
      }
    }, IDLE_MILLISECONDS).unref();
  }
}
