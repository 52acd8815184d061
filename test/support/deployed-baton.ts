// Baton deployed by the real CDK into MiniStack, with the same hands as the local runtime: URLs, outputs, time, and waiting until it is done.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { SFNClient } from '@aws-sdk/client-sfn';
import { ListQueuesCommand, PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Outputs, Urls } from '../../cli/installation.ts';
import { synthesize } from '../../infra/synth.ts';
import { dynamodbTable, type Table } from '../../shared/adapters/dynamodb-table.ts';
import { type Ministack, startMinistack } from './ministack.ts';
import { MinistackFront } from './ministack-front.ts';
import { untilSettled } from './settled.ts';
import { workAround } from './workarounds.ts';

const MAIL_FROM = 'baton@example.com';

/** A story asked to move time where time is real. */
export class MovesTime extends Error {
  override readonly name = 'MovesTime';
}

export type DeployedBaton = {
  urls: Urls;
  outputs: Outputs;
  ministack: Ministack;
  /** The HTTP API without the front between, for measuring. */
  apiUrl: string;
  now(): number;
  advance(seconds: number): Promise<void>;
  /** Waits, bounded, until every delivery is decided, every message sent, and every machine waits for what its row says. */
  idle(): Promise<void>;
  /** Forgets every handoff, signal and policy, as if it had just been deployed. Machines that still wait find nothing. */
  startOver(): Promise<void>;
  stop(): Promise<void>;
};

/** `cdk bootstrap` and `cdk deploy` of the assembly that runs everywhere, then the sample policy is published by the command. */
export async function deployToMinistack(): Promise<DeployedBaton> {
  const { assembly } = await synthesize();
  const work = mkdtempSync(join(tmpdir(), 'baton-deploy-'));
  const undo: (() => Promise<void> | void)[] = [() => rmSync(work, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const front = await MinistackFront.listen();
    undo.push(() => front.close());
    const ministack = await startMinistack();
    undo.push(() => ministack.stop());
    const outputs = deploy(ministack, front, { assembly, work });
    const apiId = new URL(outputs.WebhookUrl).hostname.split('.')[0] ?? '';
    front.open(ministack.port, apiId);
    const aws = { endpoint: ministack.endpoint, region: 'us-east-1', credentials: { accessKeyId: 'operator', secretAccessKey: 'operator' } };
    // As anybody does before real mail goes out: SES takes it only from an identity that is verified.
    await new SESv2Client(aws).send(new CreateEmailIdentityCommand({ EmailIdentity: MAIL_FROM }));
    const watched = { table: dynamodbTable(outputs.TableName, { client: new DynamoDBClient(aws) }), workflows: new SFNClient(aws), machineArn: outputs.MachineArn };
    return {
      urls: { console: front.url, webhooks: front.url, mailbox: `${front.url}/_baton/mailbox`, aws: front.url },
      outputs: { ...outputs, WebhookUrl: `${front.url}/in` },
      ministack,
      apiUrl: `${ministack.endpoint}/_aws/execute-api/${apiId}/$default`,
      now: () => Date.now(),
      advance: async (seconds) => {
        if (seconds > 0) throw new MovesTime(`this story moves time by ${seconds} s, and MiniStack has no clock to move`);
      },
      idle: together(async () => {
        const unforeseen = front.otherEvents > 0;
        front.otherEvents = 0;
        await untilSettled({ ...watched, delivered: front.delivered, sent: async () => (await front.messages()).length, unforeseen });
      }),
      startOver: async () => {
        front.delivered = [];
        await forgetEverything(watched.table, new SQSClient(aws));
      },
      stop,
    };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

async function forgetEverything({ name, documents }: Table, queues: SQSClient): Promise<void> {
  for await (const page of paginateScan({ client: documents }, { TableName: name, ProjectionExpression: 'pk, sk' }))
    await Promise.all((page.Items ?? []).map(({ pk, sk }) => documents.send(new DeleteCommand({ TableName: name, Key: { pk, sk } }))));
  const { QueueUrls = [] } = await queues.send(new ListQueuesCommand({}));
  await Promise.all(QueueUrls.map((QueueUrl) => queues.send(new PurgeQueueCommand({ QueueUrl }))));
}

/** One look at a time: whoever asks during one waits for the next, together with everybody else who does. */
function together(look: () => Promise<void>): () => Promise<void> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        const running = look();
        current = running;
        return running;
      });
    return next;
  };
}

function deploy(ministack: Ministack, front: MinistackFront, { assembly, work }: { assembly: string; work: string }): Outputs {
  const [copy, outputsFile] = [join(work, 'cdk.out'), join(work, 'outputs.json')];
  cpSync(assembly, copy, { recursive: true });
  workAround(copy, { smsEndpoint: front.smsEndpoint });
  run(ministack, 'npx', ['cdk', 'bootstrap', 'aws://000000000000/us-east-1']);
  const settings = ['--require-approval', 'never', '--outputs-file', outputsFile, '--parameters', `PublicUrl=${front.url}`, '--parameters', `MailFrom=${MAIL_FROM}`];
  run(ministack, 'npx', ['cdk', 'deploy', '--app', copy, ...settings]);
  run(ministack, 'node', ['cli/baton.mjs', 'policy', 'publish', '--outputs', outputsFile]);
  return Object.assign({}, ...Object.values(JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Outputs>[]));
}

/** Runs a command of the project against MiniStack, on the Node that runs this. */
function run(ministack: Ministack, command: string, args: string[]): void {
  const env = { ...process.env, ...ministack.env, CI: '1', PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` };
  const { status, stdout, stderr, error } = spawnSync(command, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`, { cause: error });
}
