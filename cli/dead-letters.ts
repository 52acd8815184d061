// What waits in the dead-letter queues, and where each message wanted to go. Three services write there, each in its own form.

import { ChangeMessageVisibilityCommand, DeleteMessageCommand, ListQueuesCommand, type Message, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { signalDigest } from '../shared/adapters/handoff-ids.ts';
import { type HandoffId, handoffId } from '../shared/domain/ids.ts';

/** A message that nobody could deliver or handle. `to` is absent where the message names no function that could take it again. */
export type DeadLetter = {
  queue: string;
  url: string;
  receipt: string;
  sentAt: string;
  error: string;
  to?: { functionArn: string; payload: string };
  /** The handoff it is about, where it says so. */
  about?: HandoffId;
};

/** Every queue of the stack whose name says that it holds what failed. */
const DEAD = /(Failed|Undelivered|Unpublished)/;

/** Long enough for a person to read the list and for every message to be sent on. */
const HELD_SECONDS = 300;

/** Everything that waits, oldest first in each queue. It is hidden from others until it is released or taken away. */
export async function receiveDeadLetters(sqs: SQSClient, stack: string): Promise<DeadLetter[]> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: stack, MaxResults: 1000 }));
  const dead = QueueUrls.filter((one) => DEAD.test(nameOf(one))).sort();
  return (await Promise.all(dead.map((url) => receiveAll(sqs, url)))).flat();
}

/** Asks until nothing comes. It waits a second each time: an answer without waiting may leave out what is there. */
async function receiveAll(sqs: SQSClient, url: string): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        ...{ QueueUrl: url, MaxNumberOfMessages: 10, VisibilityTimeout: HELD_SECONDS, WaitTimeSeconds: 1 },
        ...{ MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['SentTimestamp'] },
      }),
    );
    if (Messages.length === 0) return letters;
    letters.push(...Messages.map((message) => readLetter(url, message)));
  }
}

/** Leaves a message where it was, for whoever looks next. */
export async function release(sqs: SQSClient, { url, receipt }: DeadLetter): Promise<void> {
  await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: receipt, VisibilityTimeout: 0 }));
}

export async function takeAway(sqs: SQSClient, { url, receipt }: DeadLetter): Promise<void> {
  await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receipt }));
}

/** Reads one message by the form of the service that wrote it. */
function readLetter(url: string, message: Message): DeadLetter {
  const body = jsonIn(message.Body ?? '');
  const sent = Number(message.Attributes?.SentTimestamp ?? 0);
  const to = fromBus(message) ?? fromFunction(body);
  const about = aboutOf(to?.payload ?? message.Body ?? '');
  return {
    ...{ queue: nameOf(url), url, receipt: message.ReceiptHandle ?? '', sentAt: new Date(sent).toISOString(), error: errorOf(message, body) },
    ...(to !== undefined && { to }),
    ...(about !== undefined && { about }),
  };
}

/** A rule or a schedule keeps the event as it was, and names its target beside it. */
function fromBus({ Body: payload = '', MessageAttributes = {} }: Message): DeadLetter['to'] {
  const functionArn = MessageAttributes.TARGET_ARN?.StringValue;
  return functionArn?.includes(':function:') ? { functionArn, payload } : undefined;
}

/** A function's failure destination wraps what it was given. What a stream writes only names records, so there is nothing to give again. */
function fromFunction(body: Body): DeadLetter['to'] {
  const functionArn = body?.requestContext?.functionArn;
  if (typeof functionArn !== 'string' || body?.requestPayload === undefined) return undefined;
  return { functionArn: functionArn.replace(/:\$LATEST$/, ''), payload: JSON.stringify(body.requestPayload) };
}

type Body = { requestContext?: { functionArn?: unknown; condition?: unknown }; requestPayload?: unknown; responsePayload?: { errorMessage?: unknown } } | undefined;

function errorOf({ MessageAttributes = {} }: Message, body: Body): string {
  const said = MessageAttributes.ERROR_MESSAGE?.StringValue ?? body?.responsePayload?.errorMessage ?? body?.requestContext?.condition ?? 'no error is named';
  return String(said).replace(/\s+/g, ' ').slice(0, 200);
}

function aboutOf(payload: string): HandoffId | undefined {
  const named = /"handoffId":"(h-[0-9a-f]{32})"/.exec(payload.replace(/:\s+"/g, ':"'))?.[1];
  if (named !== undefined) return handoffId(named);
  const signal = (jsonIn(payload) as { detail?: { signal?: { source?: unknown; eventId?: unknown } } } | undefined)?.detail?.signal;
  if (typeof signal?.source !== 'string' || typeof signal.eventId !== 'string') return undefined;
  return signalDigest.handoffId({ source: signal.source, eventId: signal.eventId });
}

function jsonIn(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
