// The seams of the local runtime. It knows CloudFormation types and AWS protocols, not leads.

import type { DatabaseSync } from 'node:sqlite';

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** Where "now" comes from, in milliseconds since 1970. Moves with the real clock plus what was advanced. */
export interface RuntimeTime {
  now(): number;
}

/** Work that becomes due. Kept in memory: whoever schedules something keeps it in the journal too and schedules it again at boot. */
export interface Agenda {
  /** Runs `run` once at `dueAt` (ms), or as soon as possible when that has passed. The same id replaces an earlier entry. */
  at(dueAt: number, id: string, run: () => Promise<void>): void;
  cancel(id: string): void;
}

/** Counts what is under way, so that advancing time can wait until all of it is done. */
export interface Work {
  track<T>(label: string, run: () => Promise<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** Who signed a request. `operator` is any client outside the runtime; it may do everything. */
export type Caller = { kind: 'operator' } | { kind: 'role'; roleArn: string; name: string } | { kind: 'service'; principal: string; sourceArn?: string };

export interface Iam {
  /** Throws `AccessDeniedException`, naming who, action and resource, when no statement allows this or one denies it. */
  authorize(caller: Caller, action: string, resourceArn: string, context?: Readonly<Record<string, string | readonly string[]>>): void;
  /** Throws unless the role's trust policy lets this service (`scheduler.amazonaws.com`) assume it. */
  mayAssume?(roleArn: string, servicePrincipal: string): void;
}

/** An error in AWS's form; `code` is the exception's name. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;
  readonly fields: Record<string, unknown>;
  constructor(code: string, message: string, status = 400, fields: Record<string, unknown> = {}) {
    super(message);
    this.name = code;
    this.code = code;
    this.status = status;
    this.fields = fields;
  }
}

/** One request of an AWS client, after its envelope was read. */
export type AwsRequest = {
  method: string;
  /** Raw path, still escaped. */
  path: string;
  query: URLSearchParams;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Buffer;
  /** Operation from `X-Amz-Target`, without the service prefix; empty for REST services. */
  operation: string;
  caller: Caller;
};

export type AwsResponse = { status: number; headers?: Record<string, string>; body: string | Buffer };

/** One AWS service, answering in its own protocol. Throws `AwsError`; the dispatcher renders it in the service's error shape. */
export interface AwsService {
  /** Service name of the signature's credential scope: `dynamodb`, `states`, `events`, `sqs`, `s3` … */
  readonly signingName: string;
  readonly protocol: 'json-1.0' | 'json-1.1' | 'rest-json' | 'rest-xml' | 'query';
  handle(request: AwsRequest): Promise<AwsResponse>;
}

/** A resource of the template with every intrinsic resolved. */
export type Resource = { logicalId: string; type: string; properties: Record<string, unknown>; path: string };

export type Provisioned = { ref: string; attributes: Record<string, string> };

/**
 * Makes resources of some types real. `properties` lists every property it understands, per type: `used`, or the reason
 * why it has no effect here. A resource with any other type or property stops the boot with logical id, path and this list.
 */
export interface Provisioner {
  readonly properties: Readonly<Record<string, Readonly<Record<string, string>>>>;
  provision(resource: Resource): Promise<Provisioned>;
}

export type LambdaResult = { payload: unknown; functionError?: { errorType: string; errorMessage: string } };

/** What services ask of each other inside the runtime. */
export interface LambdaPort {
  /** Runs the function and waits. A thrown error comes back as `functionError`, as AWS does. */
  invoke(functionArn: string, payload: unknown, caller: Caller): Promise<LambdaResult>;
  /** Queues an asynchronous invocation durably (two retries, maximum age, failure destination). Resolves once it is queued. */
  invokeAsync(functionArn: string, payload: unknown, caller: Caller): Promise<void>;
}
export interface EventsPort {
  /** Puts an event of a service on the default bus. */
  putServiceEvent(event: { source: string; detailType: string; resources: string[]; detail: unknown }): Promise<void>;
}
export interface QueuesPort {
  /** Without a caller nobody is checked; a service must be let in by the queue's policy, a role by its own. */
  send(queueArn: string, body: string, attributes: Record<string, string>, caller?: Caller): Promise<void>;
}
export interface WorkflowsPort {
  start(stateMachineArn: string, name: string, input: string, caller: Caller): Promise<string>;
}

export type Services = { lambda: LambdaPort; events: EventsPort; queues: QueuesPort; workflows: WorkflowsPort };

/** What every part of the runtime is given. */
export type Kernel = {
  time: RuntimeTime;
  agenda: Agenda;
  work: Work;
  /** The journal: one SQLite file, written through at every step, so that `kill -9` loses nothing that was answered. Each service owns tables with its own prefix. */
  db: DatabaseSync;
  iam: Iam;
  /** Where an asset of the template lies on disk, by its S3 object key. */
  assetPath?(objectKey: string): string | undefined;
  /** Filled during boot; read it when called, not when constructed. */
  services: Services;
  log(line: { service: string; message: string; [field: string]: unknown }): void;
};
