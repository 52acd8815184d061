import { createHash, randomUUID } from 'node:crypto';
import { AwsError, type AwsRequest, type AwsResponse } from '../../kernel/types.ts';
import { type Input, isRecord } from '../protocol/input.ts';

// AWS CLI and SDKs from before November 2023 speak to SQS in forms and XML. Both directions are translated here.

/** Form names whose list members have another name in JSON. */
const LISTS: Record<string, string> = { AttributeName: 'AttributeNames', MessageAttributeName: 'MessageAttributeNames', MessageSystemAttributeName: 'MessageSystemAttributeNames' };
const BATCHES = /^(?:SendMessageBatch|DeleteMessageBatch)RequestEntry\.(\d+)\.(.+)$/;
const NUMBERS = new Set(['MaxNumberOfMessages', 'VisibilityTimeout', 'WaitTimeSeconds', 'DelaySeconds', 'MaxResults']);

/** True for a request in the older form. */
export const isForm = ({ headers }: AwsRequest): boolean => (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');

const attributeParts: Record<string, string> = { Name: 'Name', 'Value.DataType': 'DataType', 'Value.StringValue': 'StringValue', 'Value.BinaryValue': 'BinaryValue' };

const readAttributes = (fields: readonly [string, string][]): Input => {
  const byNumber = new Map<string, Record<string, string>>();
  for (const [name, value] of fields) {
    const [, number = '', part = ''] = /^MessageAttribute\.(\d+)\.(.+)$/.exec(name) ?? [];
    const key = attributeParts[part];
    if (key !== undefined) byNumber.set(number, { ...byNumber.get(number), [key]: value });
  }
  return Object.fromEntries([...byNumber.values()].map(({ Name = '', ...attribute }) => [Name, attribute]));
};

const readMessage = (fields: readonly [string, string][]): Input => {
  const input: Input = {};
  for (const [name, value] of fields) {
    const list = LISTS[name.replace(/\.\d+$/, '')];
    if (name.startsWith('MessageAttribute.')) continue;
    if (list !== undefined) input[list] = [...((input[list] as string[] | undefined) ?? []), value];
    else input[name] = NUMBERS.has(name) ? Number(value) : value;
  }
  const attributes = readAttributes(fields);
  return Object.keys(attributes).length > 0 ? { ...input, MessageAttributes: attributes } : input;
};

const readEntries = (fields: readonly [string, string][]): Input[] => {
  const entries = new Map<string, [string, string][]>();
  for (const [name, value] of fields) {
    const [, number, member] = BATCHES.exec(name) ?? [];
    if (number !== undefined && member !== undefined) entries.set(number, [...(entries.get(number) ?? []), [member, value]]);
  }
  return [...entries.values()].map(readMessage);
};

/** The same request as newer clients send it. */
export const fromForm = (request: AwsRequest): AwsRequest => {
  const fields = [...new URLSearchParams(request.body.toString('utf8'))].filter(([name]) => name !== 'Action' && name !== 'Version');
  const operation = new URLSearchParams(request.body.toString('utf8')).get('Action') ?? '';
  const entries = readEntries(fields);
  const own = readMessage(fields.filter(([name]) => !BATCHES.test(name)));
  const input = { ...(request.path.length > 1 ? { QueueUrl: request.path } : {}), ...own, ...(entries.length > 0 ? { Entries: entries } : {}) };
  const { QueueUrl: _, ...withoutUrl } = input as Input;
  const needsUrl = operation !== 'ListQueues' && operation !== 'GetQueueUrl';
  return { ...request, operation, body: Buffer.from(JSON.stringify(needsUrl ? input : withoutUrl)) };
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

/** JSON lists and maps whose XML elements are named otherwise. */
const ELEMENTS: Record<string, string> = {
  Messages: 'Message',
  QueueUrls: 'QueueUrl',
  Failed: 'BatchResultErrorEntry',
  Attributes: 'Attribute',
  MessageAttributes: 'MessageAttribute',
};
const MAPS = new Set(['Attributes', 'MessageAttributes']);

const render = (name: string, value: unknown, operation: string): string => {
  const element = name === 'Successful' ? `${operation}ResultEntry` : (ELEMENTS[name] ?? name);
  if (Array.isArray(value)) return value.map((one) => render(element, one, operation)).join('');
  if (MAPS.has(name) && isRecord(value))
    return Object.entries(value)
      .map(([key, inner]) => `<${element}><Name>${escaped(key)}</Name>${render('Value', inner, operation)}</${element}>`)
      .join('');
  const content = isRecord(value) ? membersOf(value, operation) : escaped(String(value));
  return `<${element}>${content}</${element}>`;
};

const membersOf = (value: Input, operation: string): string =>
  Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => render(name, inner, operation))
    .join('');

const xml = (status: number, body: string): AwsResponse => ({ status, headers: { 'content-type': 'text/xml' }, body: `<?xml version="1.0"?>${body}` });

/** The answer as older clients read it. */
export const toXml = (operation: string, answer: AwsResponse): AwsResponse => {
  const output = JSON.parse(answer.body.toString()) as Input;
  const result = `<${operation}Result>${membersOf(output, operation)}</${operation}Result>`;
  return xml(
    200,
    `<${operation}Response xmlns="http://queue.amazonaws.com/doc/2012-11-05/">${result}<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${operation}Response>`,
  );
};

const OLD_CODES: Record<string, string> = { QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue', AccessDeniedException: 'AccessDenied' };

/** The error as older clients read it. */
export const errorToXml = (error: AwsError): AwsResponse =>
  xml(
    error.status,
    `<ErrorResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><Error><Type>Sender</Type><Code>${OLD_CODES[error.code] ?? error.code}</Code><Message>${escaped(error.message)}</Message></Error><RequestId>${createHash('md5').update(error.message).digest('hex')}</RequestId></ErrorResponse>`,
  );

/** Wraps a service that speaks JSON so that it answers older clients too. */
export const alsoInForms =
  (handle: (request: AwsRequest) => Promise<AwsResponse>) =>
  async (request: AwsRequest): Promise<AwsResponse> => {
    if (!isForm(request)) return handle(request);
    const translated = fromForm(request);
    try {
      return toXml(translated.operation, await handle(translated));
    } catch (error) {
      if (error instanceof AwsError) return errorToXml(error);
      throw error;
    }
  };
