import type { AwsService, Kernel, Provisioner, QueuesPort } from '../kernel/types.ts';
import { jsonService } from './protocol/json-operations.ts';
import { ENCRYPTION, TAGS, used } from './protocol/reasons.ts';
import type { MessageAttribute, SeenMessage } from './sqs/messages.ts';
import { sqsOperations } from './sqs/operations.ts';
import { alsoInForms } from './sqs/query-protocol.ts';
import { Queues } from './sqs/queues.ts';

export type LocalQueues = AwsService &
  Provisioner &
  QueuesPort & {
    /** What lies in each queue, for the console. */
    summary(): { name: string; visible: number; inFlight: number; delayed: number; oldestSentAt: string | undefined }[];
    /** The oldest messages of a queue, without receiving them; undefined when there is no such queue. */
    peek(name: string): SeenMessage[] | undefined;
    stop(): void;
  };

const PROPERTIES = {
  'AWS::SQS::Queue': {
    ...used('QueueName', 'VisibilityTimeout', 'DelaySeconds', 'MessageRetentionPeriod', 'MaximumMessageSize', 'ReceiveMessageWaitTimeSeconds', 'RedrivePolicy'),
    RedriveAllowPolicy: 'no effect: there is one account here, and the template names its own dead-letter queues',
    SqsManagedSseEnabled: ENCRYPTION,
    KmsMasterKeyId: ENCRYPTION,
    KmsDataKeyReusePeriodSeconds: ENCRYPTION,
    Tags: TAGS,
  },
  'AWS::SQS::QueuePolicy': used('PolicyDocument', 'Queues'),
};

const MOST_PEEKED = 100;
const asText = (value: string): MessageAttribute => ({ DataType: 'String', StringValue: value });

/** SQS: standard queues whose messages survive the process. */
export const queues = (kernel: Kernel): LocalQueues => {
  const all = new Queues(kernel);
  const service = jsonService('sqs', 'json-1.0', sqsOperations(all));
  return {
    ...service,
    handle: alsoInForms(service.handle),
    properties: PROPERTIES,
    provision: async (resource) => all.provision(resource),
    async send(queueArn, body, attributes, caller) {
      const queue = all.find(queueArn);
      if (caller !== undefined) all.authorize(queue, 'sqs:SendMessage', caller);
      const typed = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, asText(value)]));
      all.send(queue, { body, attributes: typed, delaySeconds: queue.delaySeconds, sender: caller?.kind === 'service' ? caller.principal : 'runtime' });
    },
    summary: () =>
      all.all().map((queue) => {
        const { oldestSentAt, ...counts } = all.messages.counts(queue, kernel.time.now());
        return { name: queue.name, ...counts, oldestSentAt: oldestSentAt === undefined ? undefined : new Date(oldestSentAt).toISOString() };
      }),
    peek: (name) => (all.all().some((queue) => queue.name === name) ? all.messages.peek(name, MOST_PEEKED) : undefined),
    stop: () => all.stop(),
  };
};
