import { setTimeout as pause } from 'node:timers/promises';
import { readAssembly } from './cloudformation/assembly.ts';
import { provisionStack } from './cloudformation/provision.ts';
import { Console } from './console/console.ts';
import { seeExecution } from './console/executions.ts';
import { gatherOverview } from './console/gather.ts';
import { AwsEndpoint } from './gateway/aws-endpoint.ts';
import { Gateway } from './gateway.ts';
import { Counts, type RequestCount } from './kernel/counts.ts';
import { createKernel, type LocalKernel } from './kernel/create-kernel.ts';
import { mailboxPage } from './pages/mailbox.ts';
import { type Reloaded, Reloader } from './reload.ts';
import { dynamoDb } from './services/dynamodb.ts';
import type { Grant } from './services/iam.ts';
import { type AllServices, createServices } from './services.ts';

export type RuntimeOptions = {
  /** Folder that `cdk synth` wrote. */
  cdkOut: string;
  /** Folder for everything that outlives the process. */
  dataDir: string;
  /** 0 takes any free port. */
  port: number;
  /** Values for the template's parameters. */
  parameters?: Readonly<Record<string, string>>;
  /** Needed when the assembly holds more than one stack. */
  stackName?: string;
  /** Prints no log; the console shows it all the same. */
  quiet?: boolean;
  /** ISO instant at which the clock of a new data folder begins; the real time when absent. */
  startsAt?: string;
};

export type Runtime = {
  urls: { console: string; webhooks: string; mailbox: string; aws: string };
  /** Outputs of the stack. */
  outputs: Readonly<Record<string, string>>;
  now(): number;
  /** Moves the clock, and answers when everything that became due has been carried out. */
  advance(seconds: number): Promise<void>;
  /** Answers when nothing is under way and nothing is due. */
  idle(): Promise<void>;
  /** What the roles are granted, and what of it was needed so far. */
  grants(): { all: Grant[]; used: Grant[] };
  /** Forgets which grants were needed so far. Functions whose role's name matches start afresh, so that nothing they remember hides a need. */
  forgetGrantUse(roles: RegExp): void;
  /** Takes one grant away until the answer is called, for a proof that it is needed. Functions of the role start afresh, so that nothing remembered hides it. */
  withhold(grant: Grant): () => void;
  /** What was asked of the services and the functions since the boot. */
  counts(): RuntimeCounts;
  /** Takes over what changed in the assembly, as far as it can without a restart. */
  reload(cdkOut: string): Promise<Reloaded>;
  /** Ends it in order. What is under way gets a moment; the rest goes on at the next boot. */
  stop(): Promise<void>;
};

/** Requests of functions and of everybody else, and how often and how long each function ran. */
export type RuntimeCounts = {
  requests: RequestCount[];
  functions: { name: string; path: string; invocations: number; errors: number; milliseconds: number; memoryMegabytes: number; logBytes: number }[];
};

const PATIENCE_MILLISECONDS = 5000;

/** Boots the stack of a cloud assembly on this machine. Throws one message that says why it cannot, and leaves nothing running. */
export async function bootRuntime(options: RuntimeOptions): Promise<Runtime> {
  const assembly = readAssembly(options.cdkOut, options.stackName);
  const assets = new Map(assembly.assets);
  const kernel = createKernel({ dataDir: options.dataDir, assets, startsAt: options.startsAt, print: options.quiet ? undefined : (line) => console.log(line) });
  const undo: (() => Promise<void> | void)[] = [() => kernel.close()];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const gateway = await Gateway.listen(options.port, kernel.time);
    undo.push(() => gateway.stop());
    const dynamo = await dynamoDb(kernel, options.dataDir);
    undo.push(() => dynamo.stop());
    const services = createServices(kernel, { dataDir: options.dataDir, url: gateway.url, dynamo });
    undo.push(() => services.stop());
    const { provisioners } = services;
    const stack = await provisionStack(assembly, provisioners, options.parameters);
    const reloader = new Reloader({ assembly, stack, provisioners, parameters: options.parameters, assets });
    const urls = { console: `${gateway.url}/_baton/`, webhooks: gateway.url, mailbox: `${gateway.url}/_baton/mailbox`, aws: gateway.url };
    const requests = new Counts();
    const counts = (): RuntimeCounts => ({ requests: requests.requests(), functions: services.lambda.counts() });
    openGateway({ gateway, kernel, services, stackName: assembly.stackName, urls, requests, counts });
    undo.push(() => letFinish(kernel));
    await services.resume();
    kernel.agenda.start();
    return {
      urls,
      outputs: stack.outputs,
      now: () => kernel.time.now(),
      advance: (seconds) => kernel.agenda.advance(seconds),
      idle: () => kernel.agenda.advance(0),
      grants: () => ({ all: services.iam.allGrants(), used: services.iam.usedGrants() }),
      counts,
      reload: (cdkOut) => reloader.reload(cdkOut),
      forgetGrantUse(roles) {
        services.iam.forgetUse();
        services.lambda.forget((arn) => roles.test(roleName(arn)));
      },
      withhold: (grant) => withhold(services, grant),
      stop,
    };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

const roleName = (arn: string): string => arn.slice(arn.lastIndexOf('/') + 1);

function withhold({ iam, lambda }: AllServices, grant: Grant): () => void {
  const giveBack = iam.withhold(grant);
  lambda.forget((arn) => roleName(arn) === grant.role);
  return giveBack;
}

type Opening = { gateway: Gateway; kernel: LocalKernel; services: AllServices; stackName: string; urls: Record<string, string>; requests: Counts; counts: () => RuntimeCounts };

function openGateway({ gateway, kernel, services, stackName, urls, requests, counts }: Opening): void {
  const page = new Console({
    now: () => kernel.time.now(),
    advance: (seconds) => kernel.agenda.advance(seconds),
    log: kernel.book,
    overview: () => gatherOverview({ kernel, services, stackName, urls }),
    execution: (name) => seeExecution(services.workflows, name),
    queue: (name) => services.queues.peek(name),
    mailbox: (accept) => mailboxPage(kernel.db, accept),
    counts,
  });
  gateway.open({ aws: new AwsEndpoint(services.aws, services.keys, { work: kernel.work, counts: requests }), httpApi: services.httpApi, console: page });
}

/** Nothing new becomes due; what is under way may end. */
async function letFinish(kernel: LocalKernel): Promise<void> {
  kernel.agenda.stop();
  await Promise.race([kernel.work.idle(), pause(PATIENCE_MILLISECONDS, undefined, { ref: false })]);
}
