import { ACCOUNT, AwsError, type AwsRequest, type Caller } from '../../kernel/types.ts';
import { boundedOr, type Input, isRecord, numberOr, optionalText, recordOf, recordsOf, requiredText, textsOf } from '../protocol/input.ts';
import { type Operation, operation } from '../protocol/json-operations.ts';
import { attributesDigest, bodyDigest, type Message, type MessageAttribute } from './messages.ts';
import { type Queue, type Queues, queueUrl } from './queues.ts';

const senderOf = (caller: Caller): string => (caller.kind === 'role' ? caller.name : caller.kind === 'service' ? caller.principal : ACCOUNT);

/** Where the client reached us: so that the URL it gets leads back here. */
const urlFor = (name: string, request: AwsRequest): string => (request.headers.host === undefined ? queueUrl(name) : `http://${request.headers.host}/${ACCOUNT}/${name}`);

const readAttributes = (input: Input): Record<string, MessageAttribute> =>
  Object.fromEntries(
    Object.entries(recordOf(input, 'MessageAttributes')).map(([name, value]) => {
      if (!isRecord(value) || typeof value.DataType !== 'string')
        throw new AwsError('InvalidParameterValue', `The message attribute '${name}' must contain a non-empty attribute type.`);
      return [name, value as MessageAttribute];
    }),
  );

const sendOne = (queues: Queues, queue: Queue, input: Input, caller: Caller) => {
  const body = requiredText(input, 'MessageBody');
  const attributes = readAttributes(input);
  const id = queues.send(queue, { body, attributes, delaySeconds: boundedOr(input, 'DelaySeconds', queue.delaySeconds, [0, 900]), sender: senderOf(caller) });
  return { MessageId: id, MD5OfMessageBody: bodyDigest(body), ...(Object.keys(attributes).length === 0 ? {} : { MD5OfMessageAttributes: attributesDigest(attributes) }) };
};

const wants = (names: readonly string[], name: string): boolean =>
  names.some((one) => one === 'All' || one === '.*' || one === name || (one.endsWith('.*') && name.startsWith(one.slice(0, -2))));

const systemAttributes = (message: Message, wanted: readonly string[]) => {
  const all = {
    SenderId: message.sender,
    SentTimestamp: Math.floor(message.sentAt),
    ApproximateReceiveCount: message.receives,
    ApproximateFirstReceiveTimestamp: Math.floor(message.firstReceivedAt),
  };
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => wants(wanted, name))
      .map(([name, value]) => [name, String(value)]),
  );
};

const view = (message: Message, input: Input) => {
  const system = systemAttributes(message, [...textsOf(input, 'AttributeNames'), ...textsOf(input, 'MessageSystemAttributeNames')]);
  const attributes = Object.fromEntries(Object.entries(message.attributes).filter(([name]) => wants(textsOf(input, 'MessageAttributeNames'), name)));
  const hasAttributes = Object.keys(attributes).length > 0;
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt,
    MD5OfBody: bodyDigest(message.body),
    Body: message.body,
    ...(Object.keys(system).length > 0 ? { Attributes: system } : {}),
    ...(hasAttributes ? { MessageAttributes: attributes, MD5OfMessageAttributes: attributesDigest(attributes) } : {}),
  };
};

const receive = async (queues: Queues, input: Input, caller: Caller) => {
  const queue = queues.named(input, 'sqs:ReceiveMessage', caller);
  const most = boundedOr(input, 'MaxNumberOfMessages', 1, [1, 10]);
  const hidden = boundedOr(input, 'VisibilityTimeout', queue.visibilitySeconds, [0, 43_200]);
  const wait = boundedOr(input, 'WaitTimeSeconds', queue.waitSeconds, [0, 20]);
  const take = () => queues.messages.take(queue, most, hidden, queues.kernel.time.now());
  let taken = take();
  if (taken.length === 0 && wait > 0) {
    await queues.arrival(queue, wait);
    taken = take();
  }
  return taken.length === 0 ? {} : { Messages: taken.map((message) => view(message, input)) };
};

const queueAttributes = (queues: Queues, queue: Queue, names: readonly string[]) => {
  const counts = queues.messages.counts(queue, queues.kernel.time.now());
  const created = Math.floor(queue.createdAt / 1000);
  const all: Record<string, string | number | undefined> = {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: counts.visible,
    ApproximateNumberOfMessagesNotVisible: counts.inFlight,
    ApproximateNumberOfMessagesDelayed: counts.delayed,
    VisibilityTimeout: queue.visibilitySeconds,
    MessageRetentionPeriod: queue.retentionSeconds,
    MaximumMessageSize: queue.maximumBytes,
    DelaySeconds: queue.delaySeconds,
    ReceiveMessageWaitTimeSeconds: queue.waitSeconds,
    CreatedTimestamp: created,
    LastModifiedTimestamp: created,
    RedrivePolicy:
      queue.redrive === undefined ? undefined : JSON.stringify({ deadLetterTargetArn: queues.find(queue.redrive.queue).arn, maxReceiveCount: queue.redrive.maxReceiveCount }),
  };
  const unknown = names.filter((name) => name !== 'All' && !Object.hasOwn(all, name));
  if (unknown.length > 0) throw new AwsError('InvalidAttributeName', `Unknown Attribute ${unknown.join(', ')}.`);
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name, value]) => value !== undefined && wants(names, name))
      .map(([name, value]) => [name, String(value)]),
  );
};

const changeVisibility = (queues: Queues, input: Input, caller: Caller): void => {
  const queue = queues.named(input, 'sqs:ChangeMessageVisibility', caller);
  const now = queues.kernel.time.now();
  const until = now + boundedOr(input, 'VisibilityTimeout', 0, [0, 43_200]) * 1000;
  if (!queues.messages.hide(queue.name, requiredText(input, 'ReceiptHandle'), until, now)) throw new AwsError('MessageNotInflight', 'The specified message is not in flight.');
};

/** Runs a batch entry by entry; what fails, fails alone. */
const batch = (input: Input, run: (entry: Input) => object) => {
  const entries = recordsOf(input, 'Entries');
  if (entries.length === 0) throw new AwsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (entries.length > 10) throw new AwsError('TooManyEntriesInBatchRequest', `Maximum number of entries per request are 10. You have sent ${entries.length}.`);
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return { Successful, ...(Failed.length > 0 ? { Failed } : {}) };
};

/** What SQS answers. */
export const sqsOperations = (queues: Queues): Record<string, Operation> => ({
  SendMessage: operation(['QueueUrl', 'MessageBody', 'DelaySeconds', 'MessageAttributes'], (input, { caller }) =>
    sendOne(queues, queues.named(input, 'sqs:SendMessage', caller), input, caller),
  ),
  SendMessageBatch: operation(['QueueUrl', 'Entries'], (input, { caller }) => {
    const queue = queues.named(input, 'sqs:SendMessage', caller);
    return batch(input, (entry) => sendOne(queues, queue, entry, caller));
  }),
  ReceiveMessage: operation(
    ['QueueUrl', 'MaxNumberOfMessages', 'VisibilityTimeout', 'WaitTimeSeconds', 'AttributeNames', 'MessageSystemAttributeNames', 'MessageAttributeNames'],
    (input, { caller }) => receive(queues, input, caller),
  ),
  DeleteMessage: operation(['QueueUrl', 'ReceiptHandle'], (input, { caller }) => {
    queues.messages.remove(queues.named(input, 'sqs:DeleteMessage', caller).name, requiredText(input, 'ReceiptHandle'));
  }),
  DeleteMessageBatch: operation(['QueueUrl', 'Entries'], (input, { caller }) => {
    const queue = queues.named(input, 'sqs:DeleteMessage', caller);
    return batch(input, (entry) => {
      queues.messages.remove(queue.name, requiredText(entry, 'ReceiptHandle'));
      return {};
    });
  }),
  ChangeMessageVisibility: operation(['QueueUrl', 'ReceiptHandle', 'VisibilityTimeout'], (input, { caller }) => changeVisibility(queues, input, caller)),
  GetQueueUrl: operation(['QueueName'], (input, request) => {
    const queue = queues.find(requiredText(input, 'QueueName'));
    queues.authorize(queue, 'sqs:GetQueueUrl', request.caller);
    return { QueueUrl: urlFor(queue.name, request) };
  }),
  GetQueueAttributes: operation(['QueueUrl', 'AttributeNames'], (input, { caller }) => ({
    Attributes: queueAttributes(queues, queues.named(input, 'sqs:GetQueueAttributes', caller), textsOf(input, 'AttributeNames')),
  })),
  ListQueues: operation(['QueueNamePrefix', 'MaxResults'], (input, request) => {
    queues.kernel.iam.authorize(request.caller, 'sqs:ListQueues', '*');
    const prefix = optionalText(input, 'QueueNamePrefix') ?? '';
    const names = queues
      .all()
      .map((queue) => queue.name)
      .filter((name) => name.startsWith(prefix));
    return { QueueUrls: names.slice(0, numberOr(input, 'MaxResults', 1000)).map((name) => urlFor(name, request)) };
  }),
  PurgeQueue: operation(['QueueUrl'], (input, { caller }) => queues.messages.purge(queues.named(input, 'sqs:PurgeQueue', caller).name)),
});
