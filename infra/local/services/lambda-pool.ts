import { AwsError } from '../kernel/types.ts';
import { type EnvironmentParts, ExecutionEnvironment } from './lambda-environment.ts';
import type { InvocationMessage, InvocationOutcome } from './lambda-messages.ts';

/** Environments of one function that run at once here. AWS would add more; here further invocations wait a moment instead. */
const MOST_ENVIRONMENTS = 8;
const IDLE_MILLISECONDS = 20_000;

/** The execution environments of one function: reused when free, added up to a limit, replaced when dead. */
export class EnvironmentPool {
  readonly #parts: EnvironmentParts;
  readonly #reserved: number | undefined;
  readonly #free: ExecutionEnvironment[] = [];
  readonly #all = new Set<ExecutionEnvironment>();
  readonly #waiting: ((environment: ExecutionEnvironment) => void)[] = [];
  #underWay = 0;
  #reaper: NodeJS.Timeout | undefined;

  constructor(parts: EnvironmentParts) {
    this.#parts = parts;
    this.#reserved = parts.settings.reservedConcurrency;
  }

  /** Runs one invocation. Throws `TooManyRequestsException` when the function's reserved concurrency is used up. */
  async invoke(invocation: Omit<InvocationMessage, 'deadline'>): Promise<InvocationOutcome> {
    if (this.#reserved !== undefined && this.#underWay >= this.#reserved) {
      throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', 429, { Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded', Type: 'User' });
    }
    this.#underWay += 1;
    const environment = await this.#take();
    try {
      return await environment.invoke(invocation);
    } finally {
      this.#underWay -= 1;
      this.#giveBack(environment);
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#reaper);
    await Promise.all([...this.#all].map((environment) => environment.stop()));
    this.#all.clear();
    this.#free.length = 0;
  }

  #take(): ExecutionEnvironment | Promise<ExecutionEnvironment> {
    for (let free = this.#free.pop(); free; free = this.#free.pop()) {
      if (free.usable) return free;
      this.#all.delete(free);
    }
    if (this.#all.size < MOST_ENVIRONMENTS) return this.#add();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #add(): ExecutionEnvironment {
    const environment = new ExecutionEnvironment(this.#parts);
    this.#all.add(environment);
    return environment;
  }

  #giveBack(environment: ExecutionEnvironment): void {
    if (!environment.usable) this.#all.delete(environment);
    const next = this.#waiting.shift();
    if (next) next(environment.usable ? environment : this.#add());
    else if (environment.usable) this.#free.push(environment);
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
