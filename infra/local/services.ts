import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CallerKeys } from './gateway/caller-keys.ts';
import { sts } from './gateway/sts.ts';
import type { LocalKernel } from './kernel/create-kernel.ts';
import type { AwsService, Provisioner } from './kernel/types.ts';
import { cloudWatch } from './services/cloudwatch.ts';
import type { DynamoDb } from './services/dynamodb.ts';
import { EventSources } from './services/event-source.ts';
import { eventBridge } from './services/eventbridge.ts';
import { HttpApi } from './services/http-api.ts';
import { iam } from './services/iam.ts';
import { Lambda } from './services/lambda.ts';
import { buckets } from './services/s3.ts';
import { scheduler } from './services/scheduler.ts';
import { secrets } from './services/secrets.ts';
import { email } from './services/ses.ts';
import { textMessages } from './services/sms.ts';
import { queues } from './services/sqs.ts';
import { stepFunctions } from './services/stepfunctions.ts';

export type AllServices = {
  aws: readonly AwsService[];
  provisioners: readonly Provisioner[];
  keys: CallerKeys;
  httpApi: HttpApi;
  lambda: Lambda;
  dynamoDb: DynamoDb;
  workflows: ReturnType<typeof stepFunctions>;
  schedules: ReturnType<typeof scheduler>;
  queues: ReturnType<typeof queues>;
  events: ReturnType<typeof eventBridge>;
  iam: ReturnType<typeof iam>;
  /** Takes up what an earlier process left unfinished. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

/** Builds every service over the kernel and lets them reach each other. */
export function createServices(kernel: LocalKernel, { dataDir, url, dynamo }: { dataDir: string; url: string; dynamo: DynamoDb }): AllServices {
  const keys = new CallerKeys();
  const access = iam(kernel);
  kernel.iam = access;
  const lambda = new Lambda({ kernel, clock: kernel.time.shared, inlineDirectory: join(dataDir, 'inline'), endpoint: () => url, accessKeyOf: (role) => keys.keyOf(role) });
  const workflows = stepFunctions(kernel, { readAsset: async ({ key }) => readFile(kernel.assetPath?.(key) ?? missingAsset(key), 'utf8') });
  const [events, timers, queue] = [eventBridge(kernel), scheduler(kernel), queues(kernel)];
  kernel.services = { lambda, events, queues: queue, workflows: workflows.workflows };
  const [s3, ses, sms, secret] = [buckets(kernel, join(dataDir, 'buckets')), email(kernel), textMessages(kernel), secrets(kernel)];
  const httpApi = new HttpApi(kernel, () => url);
  const sources = new EventSources({ kernel, lambda, dynamoDb: dynamo });
  return {
    aws: [dynamo, lambda, workflows.service, events, timers, queue, s3, ses, sms, secret, sts],
    provisioners: [access, dynamo, lambda.provisioner, sources, workflows.provisioner, events, timers, queue, s3, ses, sms, secret, httpApi.provisioner, cloudWatch(kernel)],
    ...{ keys, httpApi, lambda, dynamoDb: dynamo, workflows, schedules: timers, queues: queue, events, iam: access },
    async resume() {
      events.resume();
      timers.resume();
      await workflows.resume();
      await lambda.resume();
      await sources.resume();
    },
    async stop() {
      sources.stop();
      workflows.stop();
      queue.stop();
      await lambda.stop();
    },
  };
}

function missingAsset(key: string): never {
  throw new Error(`the assembly holds no asset ${key}`);
}
