import type { IncomingMessage } from 'node:http';

/** What the envelope of an AWS request says: which service it is for, and whose key signed it. */
export type Envelope = { signingName: string; accessKeyId: string; target: string };

/** Service prefixes of `X-Amz-Target`, for requests that are not signed. */
const TARGET_SERVICES: Readonly<Record<string, string>> = {
  DynamoDB_20120810: 'dynamodb',
  DynamoDBStreams_20120810: 'dynamodb',
  AWSEvents: 'events',
  AWSStepFunctions: 'states',
  AmazonSQS: 'sqs',
  secretsmanager: 'secretsmanager',
  PinpointSMSVoiceV2: 'sms-voice',
};

/** Reads the envelope of an AWS request; undefined for any other request, which belongs to the HTTP API. */
export function readEnvelope(request: IncomingMessage): Envelope | undefined {
  const target = headerOf(request, 'x-amz-target');
  const credential = /^AWS4-[A-Z0-9-]+ .*?Credential=([^,\s]+)/.exec(headerOf(request, 'authorization'))?.[1] ?? presigned(request.url ?? '');
  if (credential !== undefined) {
    const [accessKeyId = '', ...scope] = credential.split('/');
    return { accessKeyId, signingName: scope.at(-2) ?? '', target };
  }
  if (target === '') return undefined;
  return { accessKeyId: '', signingName: TARGET_SERVICES[target.split('.')[0] ?? ''] ?? target, target };
}

function presigned(url: string): string | undefined {
  return new URL(url, 'http://local').searchParams.get('X-Amz-Credential') ?? undefined;
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : (value ?? '');
}

/** The operation a request names, in the protocols that name it outside the path. */
export function operationOf(protocol: string, target: string, body: Buffer): string {
  if (protocol.startsWith('json')) return target.split('.').at(-1) ?? '';
  return protocol === 'query' ? (new URLSearchParams(body.toString('utf8')).get('Action') ?? '') : '';
}
