import { ACCOUNT, AwsError, type Caller, type Kernel, type Provisioned, REGION, type Resource } from '../../kernel/types.ts';
import { readPolicy, resourcePolicyAllows, type Statement } from '../iam/statement.ts';
import { boundedOr, type Input, isRecord, textsOf } from '../protocol/input.ts';
import { Messages, type NewMessage, type QueueSettings } from './messages.ts';

export type Queue = QueueSettings & {
  arn: string;
  visibilitySeconds: number;
  delaySeconds: number;
  waitSeconds: number;
  maximumBytes: number;
  policy: Statement[];
  createdAt: number;
};

export const MOST_BYTES = 262_144;
const DAY = 86_400;

const nameOf = (urlOrArn: string): string => urlOrArn.slice(Math.max(urlOrArn.lastIndexOf('/'), urlOrArn.lastIndexOf(':')) + 1);

/** Address of a queue as AWS writes it. Clients that were given an endpoint use that instead of its host. */
export const queueUrl = (name: string): string => `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${name}`;

const redriveOf = (value: unknown): QueueSettings['redrive'] => {
  const policy: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  if (!isRecord(policy)) return undefined;
  return { queue: nameOf(String(policy.deadLetterTargetArn)), maxReceiveCount: boundedOr(policy, 'maxReceiveCount', 1, [1, 1000]) };
};

const readQueue = ({ logicalId, properties }: Resource, createdAt: number): Queue => {
  const name = String(properties.QueueName ?? logicalId);
  return {
    name,
    arn: `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`,
    visibilitySeconds: boundedOr(properties, 'VisibilityTimeout', 30, [0, 43_200]),
    delaySeconds: boundedOr(properties, 'DelaySeconds', 0, [0, 900]),
    waitSeconds: boundedOr(properties, 'ReceiveMessageWaitTimeSeconds', 0, [0, 20]),
    retentionSeconds: boundedOr(properties, 'MessageRetentionPeriod', 4 * DAY, [60, 14 * DAY]),
    maximumBytes: boundedOr(properties, 'MaximumMessageSize', MOST_BYTES, [1024, MOST_BYTES]),
    redrive: redriveOf(properties.RedrivePolicy),
    policy: [],
    createdAt,
  };
};

const sizeOf = (message: Pick<NewMessage, 'body' | 'attributes'>): number =>
  Object.entries(message.attributes).reduce(
    (sum, [name, one]) => sum + Buffer.byteLength(name + one.DataType + (one.StringValue ?? one.BinaryValue ?? '')),
    Buffer.byteLength(message.body),
  );

/** The queues of the template over the messages in the journal. */
export class Queues {
  readonly kernel: Kernel;
  readonly messages: Messages;
  readonly #queues = new Map<string, Queue>();
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.messages = new Messages(kernel.db);
  }

  provision(resource: Resource): Provisioned {
    if (resource.type === 'AWS::SQS::QueuePolicy') return this.#attachPolicy(resource);
    const queue = readQueue(resource, this.kernel.time.now());
    this.#queues.set(queue.name, queue);
    const url = queueUrl(queue.name);
    return { ref: url, attributes: { Arn: queue.arn, QueueName: queue.name, QueueUrl: url } };
  }

  #attachPolicy({ logicalId, properties }: Resource): Provisioned {
    const statements = readPolicy(properties.PolicyDocument);
    for (const url of textsOf(properties, 'Queues')) this.find(url).policy.push(...statements);
    return { ref: logicalId, attributes: { Id: logicalId } };
  }

  all(): Queue[] {
    return [...this.#queues.values()];
  }

  /** By URL, ARN or name. */
  find(urlOrArn: string): Queue {
    const queue = this.#queues.get(nameOf(urlOrArn));
    if (queue === undefined) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  named(input: Input, action: string, caller: Caller): Queue {
    const queue = this.find(String(input.QueueUrl ?? ''));
    this.authorize(queue, action, caller);
    return queue;
  }

  /** A role needs its own policy; a service needs the queue's. */
  authorize(queue: Queue, action: string, caller: Caller): void {
    this.kernel.iam.authorize(caller, action, queue.arn);
    if (caller.kind !== 'service') return;
    const context = {
      'aws:PrincipalIsAWSService': 'true',
      'aws:PrincipalServiceName': caller.principal,
      'aws:SecureTransport': 'true',
      'aws:SourceAccount': ACCOUNT,
      ...(caller.sourceArn === undefined ? {} : { 'aws:SourceArn': caller.sourceArn }),
    };
    if (resourcePolicyAllows(queue.policy, { kind: 'Service', name: caller.principal }, { action, resource: queue.arn, context })) return;
    throw new AwsError(
      'AccessDeniedException',
      `User: ${caller.principal} is not authorized to perform: ${action} on resource: ${queue.arn} because no resource-based policy allows the ${action} action`,
      403,
    );
  }

  send(queue: Queue, message: NewMessage): string {
    if (message.body === '') throw new AwsError('MissingParameter', 'The request must contain the parameter MessageBody.');
    if (sizeOf(message) > queue.maximumBytes)
      throw new AwsError('InvalidParameterValue', `One or more parameters are invalid. Reason: Message must be shorter than ${queue.maximumBytes} bytes.`);
    const id = this.messages.add(queue.name, message, this.kernel.time.now());
    for (const wake of this.#waiting.get(queue.name) ?? []) wake();
    return id;
  }

  /** Resolves when a message arrives or `seconds` of real time have passed: whoever polls lives outside the runtime's time. */
  async arrival(queue: Queue, seconds: number): Promise<void> {
    const waiting = this.#waiting.get(queue.name) ?? new Set();
    this.#waiting.set(queue.name, waiting);
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, seconds * 1000);
      timer.unref();
      waiting.add(wake);
    });
  }

  stop(): void {
    for (const waiting of this.#waiting.values()) for (const wake of waiting) wake();
  }
}
