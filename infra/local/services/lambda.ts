import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ACCOUNT,
  type AwsRequest,
  type AwsResponse,
  type AwsService,
  type Caller,
  type Kernel,
  type LambdaPort,
  type LambdaResult,
  type Provisioned,
  type Provisioner,
  REGION,
  type Resource,
} from '../kernel/types.ts';
import { answerLambda } from './lambda-api.ts';
import { ASYNC_DEFAULTS, AsyncInvocations, type AsyncSettings } from './lambda-async.ts';
import { type FunctionSettings, readFunction } from './lambda-function.ts';
import { Lanes, type Urgency } from './lambda-lanes.ts';
import type { FunctionFault, InvocationOutcome } from './lambda-messages.ts';
import { FunctionPolicies } from './lambda-permissions.ts';
import { EnvironmentPool } from './lambda-pool.ts';
import { lambdaProvisioner } from './lambda-provision.ts';
import { functionVariables } from './lambda-variables.ts';

/** What the boot itself has to do comes first. */
const WARM_AFTER_MILLISECONDS = 1000;

export type LambdaParts = {
  kernel: Kernel;
  clock: SharedArrayBuffer;
  /** Where inline code is written, so that it can be imported. */
  inlineDirectory: string;
  endpoint: () => string;
  accessKeyOf: (caller: Extract<Caller, { kind: 'role' }>) => string;
};

/** What the console shows of a function. */
export type FunctionStanding = { name: string; path: string; invocations: number; errors: number; lastError?: FunctionFault & { at: string } };

type Entry = {
  settings: FunctionSettings;
  pool: EnvironmentPool;
  async: AsyncSettings;
  standing: FunctionStanding;
  spent: { milliseconds: number; logBytes: number };
  underWay: number;
};

/** Lambda: functions in worker threads, invoked synchronously or through a durable queue. */
export class Lambda implements LambdaPort, AwsService {
  readonly signingName = 'lambda';
  readonly protocol = 'rest-json';
  readonly provisioner: Provisioner;
  readonly #parts: LambdaParts;
  readonly #entries = new Map<string, Entry>();
  readonly #policies = new FunctionPolicies();
  readonly #async: AsyncInvocations;
  readonly #lanes = new Lanes();
  /** Earlier code of functions, until its last invocation has ended. */
  readonly #draining = new Set<Entry>();
  #stopping = false;

  constructor(parts: LambdaParts) {
    this.#parts = parts;
    this.#async = new AsyncInvocations({
      kernel: parts.kernel,
      find: (arn) => this.#entries.get(arn),
      run: (arn, payload, requestId) => this.#run(arn, payload, { requestId, urgency: 'background' }),
    });
    this.provisioner = lambdaProvisioner({
      addFunction: (resource) => this.#add(resource),
      arnOf: (nameOrArn) => this.#entry(nameOrArn).settings.arn,
      policies: this.#policies,
      setAsync: (arn, settings) => {
        this.#entry(arn).async = settings;
      },
    });
  }

  async invoke(functionArn: string, payload: unknown, caller: Caller): Promise<LambdaResult> {
    const { settings } = this.#entry(functionArn);
    this.#authorize(caller, 'lambda:InvokeFunction', settings.arn, functionArn);
    const outcome = await this.#run(settings.arn, JSON.stringify(payload) ?? 'null');
    if (outcome.kind === 'answered') return { payload: JSON.parse(outcome.payload) };
    return { payload: outcome.error, functionError: outcome.error };
  }

  async invokeAsync(functionArn: string, payload: unknown, caller: Caller): Promise<void> {
    const { settings } = this.#entry(functionArn);
    this.#authorize(caller, 'lambda:InvokeFunction', settings.arn, functionArn);
    await this.#async.enqueue(settings.arn, JSON.stringify(payload) ?? 'null');
  }

  handle(request: AwsRequest): Promise<AwsResponse> {
    return answerLambda(request, {
      functions: () => [...this.#entries.values()].map((entry) => entry.settings),
      find: (name) => this.#find(name)?.settings,
      authorize: (caller, action, arn) => this.#authorize(caller, action, arn),
      run: (arn, payload) => this.#run(arn, payload),
      enqueue: (arn, payload) => this.#async.enqueue(arn, payload),
    });
  }

  /** The settings of a function, for services that act under its role. */
  settingsOf(functionArn: string): FunctionSettings {
    return this.#entry(functionArn).settings;
  }

  standings(): FunctionStanding[] {
    return [...this.#entries.values()].map((entry) => entry.standing);
  }

  /** How often each function ran since the boot, for how long (waiting for a free environment included), and how much it logged. */
  counts(): (Pick<FunctionStanding, 'name' | 'path' | 'invocations' | 'errors'> & { milliseconds: number; memoryMegabytes: number; logBytes: number })[] {
    return [...this.#entries.values()].map(({ settings, spent, standing: { name, path, invocations, errors } }) => ({
      ...{ name, path, invocations, errors },
      milliseconds: Math.round(spent.milliseconds),
      memoryMegabytes: settings.memoryMegabytes,
      logBytes: spent.logBytes,
    }));
  }

  get asyncWaiting(): number {
    return this.#async.waiting;
  }

  async resume(): Promise<void> {
    this.#async.resume();
    setTimeout(() => void this.#warm(), WARM_AFTER_MILLISECONDS).unref();
  }

  /** Ends what the functions of these roles remember (secrets, connections): the next invocation of each starts cold. */
  forget(isMeant: (roleArn: string) => boolean): void {
    for (const { settings, pool } of this.#entries.values()) if (isMeant(settings.roleArn)) pool.retire();
  }

  /** Loads each function once, one after the other and behind whatever has to run, so that nobody waits for it later. */
  async #warm(): Promise<void> {
    for (const { settings, pool } of this.#entries.values()) {
      await this.#lanes.run('background', async () => {
        if (!this.#stopping && this.#entries.get(settings.arn)?.pool === pool) await pool.warm();
      });
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#entries.values(), ...this.#draining].map((entry) => entry.pool.stop()));
  }

  #authorize(caller: Caller, action: string, functionArn: string, asked = functionArn): void {
    if (caller.kind === 'service') this.#policies.check(functionArn, caller);
    else this.#parts.kernel.iam.authorize(caller, action, asked.startsWith('arn:') ? asked : functionArn);
  }

  #run(functionArn: string, payload: string, { requestId = randomUUID() as string, urgency = 'somebody-waits' as Urgency } = {}): Promise<InvocationOutcome> {
    const { kernel } = this.#parts;
    const entry = this.#entry(functionArn);
    const { settings, pool, standing, spent } = entry;
    return kernel.work.track(`function ${settings.name}`, async () => {
      entry.underWay += 1;
      const onRan = (milliseconds: number): void => {
        spent.milliseconds += milliseconds;
      };
      const outcome = await pool
        .invoke({ requestId, payload, context: contextOf(settings, requestId), traceId: traceId(kernel.time.now()) }, { urgency, onRan })
        .finally(() => this.#ended(entry));
      // What was cut off by the end of the runtime did not happen; the journal or the caller tries again.
      if (this.#stopping) throw new Error('the runtime is stopping');
      standing.invocations += 1;
      if (outcome.kind === 'failed') this.#noteFault(standing, outcome.error, requestId);
      return outcome;
    });
  }

  #ended(entry: Entry): void {
    entry.underWay -= 1;
    if (entry.underWay === 0 && this.#draining.delete(entry)) void entry.pool.stop();
  }

  /** New invocations take the new code; what is under way ends with the code it began with. */
  #replace(before: Entry, entry: Entry): void {
    this.#entries.set(entry.settings.arn, { ...entry, async: before.async, standing: before.standing });
    if (before.underWay > 0) this.#draining.add(before);
    else void before.pool.stop();
  }

  #noteFault(standing: FunctionStanding, fault: FunctionFault, requestId: string): void {
    const { kernel } = this.#parts;
    standing.errors += 1;
    standing.lastError = { ...fault, at: new Date(kernel.time.now()).toISOString() };
    kernel.log({
      service: 'lambda',
      message: `${fault.errorType}: ${fault.errorMessage}`,
      function: standing.name,
      requestId,
      trace: fault.trace?.slice(1, 4).map((line) => line.trim()) ?? [],
    });
  }

  #add(resource: Resource): Provisioned {
    const settings = readFunction(resource, {
      arnOf: (name) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`,
      moduleOf: (file, code) => this.#moduleOf(resource, file, code),
    });
    const { kernel, clock, endpoint, accessKeyOf } = this.#parts;
    const accessKey = accessKeyOf({ kind: 'role', roleArn: settings.roleArn, name: settings.name });
    const before = this.#entries.get(settings.arn);
    const spent = before?.spent ?? { milliseconds: 0, logBytes: 0 };
    const onOutput = (stream: string, text: string, requestId: string): void => {
      spent.logBytes += Buffer.byteLength(text);
      for (const line of text.split('\n').filter((each) => each !== ''))
        kernel.log({ service: 'lambda', message: line, function: settings.name, requestId, ...(stream === 'stderr' ? { stream } : {}) });
    };
    const pool = new EnvironmentPool({ settings, variables: functionVariables(settings, endpoint(), accessKey), clock, onOutput }, this.#lanes);
    const entry: Entry = { settings, pool, async: ASYNC_DEFAULTS, spent, standing: { name: settings.name, path: settings.path, invocations: 0, errors: 0 }, underWay: 0 };
    if (before) this.#replace(before, entry);
    else this.#entries.set(settings.arn, entry);
    return { ref: settings.name, attributes: { Arn: settings.arn } };
  }

  #moduleOf(resource: Resource, file: string, code: { S3Key?: string; ZipFile?: string }): string {
    const directory = code.ZipFile === undefined ? this.#parts.kernel.assetPath?.(String(code.S3Key)) : this.#writeInline(resource.logicalId, code.ZipFile);
    if (directory === undefined) throw new Error(`the assembly holds no asset ${code.S3Key}`);
    const candidates = ['.mjs', '.js', '.cjs'].map((extension) => join(directory, `${file}${extension}`));
    const found = candidates.find((candidate) => existsSync(candidate));
    if (!found) throw new Error(`none of ${candidates.join(', ')} exists`);
    return pathToFileURL(found).href;
  }

  /** Inline code changes without its name changing, so the folder carries its hash. */
  #writeInline(logicalId: string, source: string): string {
    const directory = join(this.#parts.inlineDirectory, `${logicalId}-${createHash('sha256').update(source).digest('hex').slice(0, 12)}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'index.cjs'), source);
    return directory;
  }

  #find(nameOrArn: string): Entry | undefined {
    const name = /(?:^|:function:)([^:]+)(?::[^:]+)?$/.exec(nameOrArn)?.[1] ?? nameOrArn;
    return this.#entries.get(`arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`);
  }

  #entry(nameOrArn: string): Entry {
    const entry = this.#find(nameOrArn);
    if (!entry) throw new Error(`There is no function ${nameOrArn} (there are: ${[...this.#entries.values()].map((each) => each.settings.name).join(', ')})`);
    return entry;
  }
}

function contextOf(settings: FunctionSettings, requestId: string): Record<string, unknown> {
  return {
    awsRequestId: requestId,
    functionName: settings.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: settings.arn,
    memoryLimitInMB: String(settings.memoryMegabytes),
    logGroupName: `/aws/lambda/${settings.name}`,
    logStreamName: 'local',
  };
}

function traceId(now: number): string {
  const time = Math.floor(now / 1000).toString(16);
  return `Root=1-${time}-${randomUUID().replaceAll('-', '').slice(0, 24)};Parent=${randomUUID().replaceAll('-', '').slice(0, 16)};Sampled=0`;
}
