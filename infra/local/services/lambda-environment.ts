import { Worker } from 'node:worker_threads';
import { afterWorkingTime } from '../kernel/working-time.ts';
import type { FunctionSettings } from './lambda-function.ts';
import type { FunctionFault, InvocationMessage, InvocationOutcome, WorkerMessage } from './lambda-messages.ts';

const INIT_SECONDS = 10;
/** V8 gives each thread three times 16 MB for objects that live briefly; an invocation needs far less, and dozens of threads are kept warm. */
const YOUNG_MEGABYTES = 6;
const WORKER = new URL('./lambda-worker.mjs', import.meta.url);

export type EnvironmentParts = {
  settings: FunctionSettings;
  variables: Record<string, string>;
  clock: SharedArrayBuffer;
  onOutput: (stream: 'stdout' | 'stderr', text: string, requestId: string) => void;
};
type Pending = { requestId: string; settle: (outcome: InvocationOutcome) => void };

/** One execution environment: a worker thread that holds the loaded function and runs one invocation at a time. */
export class ExecutionEnvironment {
  readonly #worker: Worker;
  readonly #settings: FunctionSettings;
  readonly #ready: Promise<FunctionFault | undefined>;
  #pending: Pending | undefined;
  #over = false;

  constructor({ settings, variables, clock, onOutput }: EnvironmentParts) {
    this.#settings = settings;
    this.#worker = new Worker(WORKER, {
      env: variables,
      workerData: { clock, entry: settings.entry, handlerName: settings.handlerName },
      resourceLimits: { maxOldGenerationSizeMb: Math.max(128, settings.memoryMegabytes), maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#ready = this.#initialise(onOutput);
  }

  /** False once the environment has died and cannot take another invocation. */
  get usable(): boolean {
    return !this.#over;
  }

  async invoke(invocation: Omit<InvocationMessage, 'deadline'>): Promise<InvocationOutcome> {
    const initFault = await this.#ready;
    if (initFault) return { kind: 'failed', error: initFault };
    const limit = this.#settings.timeoutSeconds * 1000;
    return new Promise((resolve) => {
      const inTime = afterWorkingTime(limit, () => this.#timeOut(invocation.requestId));
      this.#pending = {
        requestId: invocation.requestId,
        settle: (outcome) => {
          inTime();
          this.#pending = undefined;
          resolve(outcome);
        },
      };
      this.#worker.postMessage({ ...invocation, deadline: performance.timeOrigin + performance.now() + limit } satisfies InvocationMessage);
    });
  }

  /** Resolves once the function is loaded, or could not be. */
  async started(): Promise<void> {
    await this.#ready;
  }

  /** Takes no further invocation; the one under way may end. */
  retire(): void {
    this.#over = true;
  }

  async stop(): Promise<void> {
    this.#over = true;
    await this.#worker.terminate();
  }

  #initialise(onOutput: EnvironmentParts['onOutput']): Promise<FunctionFault | undefined> {
    return new Promise((resolve) => {
      const inTime = afterWorkingTime(INIT_SECONDS * 1000, () =>
        fail({ errorType: 'Sandbox.Timedout', errorMessage: `Error: Initialization timed out after ${INIT_SECONDS} seconds` }),
      );
      const finish = (fault?: FunctionFault): void => {
        inTime();
        resolve(fault);
      };
      const fail = (fault: FunctionFault): void => {
        finish(fault);
        void this.stop();
      };
      this.#worker.on('message', (message: WorkerMessage) => {
        if (message.kind === 'ready') finish();
        else if (message.kind === 'init-failed') fail(message.error);
        else if (message.kind === 'output') onOutput(message.stream, message.text, message.requestId);
        else this.#settle(message);
      });
      this.#worker.on('error', (fault) => this.#die({ errorType: fault.name, errorMessage: fault.message, trace: (fault.stack ?? '').split('\n') }, finish));
      this.#worker.on('exit', (status) => this.#die({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: exit status ${status}` }, finish));
    });
  }

  #settle(message: Extract<WorkerMessage, { kind: 'answered' | 'failed' | 'died' }>): void {
    if (message.kind === 'died') this.#over = true;
    if (this.#pending?.requestId !== message.requestId) return;
    this.#pending.settle(message.kind === 'answered' ? { kind: 'answered', payload: message.payload } : { kind: 'failed', error: message.error });
  }

  #die(fault: FunctionFault, finishInit: (fault: FunctionFault) => void): void {
    this.#over = true;
    finishInit(fault);
    const { requestId, settle } = this.#pending ?? {};
    settle?.({ kind: 'failed', error: { ...fault, errorMessage: `RequestId: ${requestId} Error: ${fault.errorMessage}` } });
  }

  #timeOut(requestId: string): void {
    if (this.#pending?.requestId !== requestId) return;
    const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${this.#settings.timeoutSeconds.toFixed(2)} seconds`;
    this.#pending.settle({ kind: 'failed', error: { errorType: 'Sandbox.Timedout', errorMessage } });
    void this.stop();
  }
}
