import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { packedHeaders, unpackedHeaders } from '../../shared/adapters/raw-headers.ts';
import type { BucketAccess } from '../../shared/adapters/s3-put-object.ts';
import { s3RawShelf } from '../../shared/adapters/s3-raw-shelf.ts';
import { aSignal } from '../support/builders.ts';

const credentials = async () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'test-only', sessionToken: 'token' });
const body = new TextEncoder().encode('{"message":"caf\\u00e9 – 屋根"}\r\n');
const sha256 = createHash('sha256').update(body).digest('hex');

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };
let server: Server | undefined;
afterEach(() => server?.close());

/** Something that speaks S3 as far as one PUT goes, and answers with these statuses in turn. */
async function bucket(statuses: readonly number[]): Promise<{ endpoint: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      response.writeHead(statuses[seen.push({ method, url, headers, body: Buffer.concat(chunks) }) - 1] ?? 500).end('<Error/>');
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { endpoint: `http://127.0.0.1:${address.port}`, seen };
}

const delivery = { source: 'tally', contentType: 'application/json', headers: { 'tally-signature': 'c2ln', 'x-name': 'café' }, body };

test('WH-01: the bytes go out as they came, named by their content, signed, and over nothing but what they are', async () => {
  const { endpoint, seen } = await bucket([200]);
  expect(await s3RawShelf('raws', { region: 'us-east-1', credentials, endpoint }).keep(delivery)).toBe(`raw/tally/${sha256}`);
  const [put] = seen;
  expect(put).toMatchObject({ method: 'PUT', url: `/raws/raw/tally/${sha256}`, headers: { 'content-type': 'application/json', 'x-amz-content-sha256': sha256 } });
  expect(put?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;.*x-amz-meta-baton-headers/,
  );
  expect(put?.body.equals(body)).toBe(true);
  const packed = String(put?.headers['x-amz-meta-baton-headers']);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(unpackedHeaders(packed)).toEqual(delivery.headers);
});

test('a fault that passes is tried once more; one that stays is thrown, and passes by itself as the intake sees it', async () => {
  const passing = await bucket([503, 200]);
  await expect(s3RawShelf('raws', { region: 'us-east-1', credentials, endpoint: passing.endpoint }).keep(delivery)).resolves.toBe(`raw/tally/${sha256}`);
  server?.close();
  const staying = await bucket([503, 500, 200]);
  await expect(s3RawShelf('raws', { region: 'us-east-1', credentials, endpoint: staying.endpoint }).keep(delivery)).rejects.toThrow('could not be kept');
  expect(staying.seen).toHaveLength(2);
});

test('nobody there is a fault too, not an endless wait', async () => {
  const { endpoint } = await bucket([]);
  server?.close();
  await expect(s3RawShelf('raws', { region: 'us-east-1', credentials, endpoint }).keep(delivery)).rejects.toThrow('could not be kept');
});

test('on AWS the bucket is in the host, over TLS', async () => {
  const asked: { protocol: string; hostname: string; path: string }[] = [];
  const send: NonNullable<BucketAccess['send']> = async (request) => {
    asked.push(request);
    return { statusCode: 200, headers: {}, body: undefined };
  };
  await s3RawShelf('raws', { region: 'eu-west-1', credentials, send }).keep(delivery);
  expect(asked).toMatchObject([{ protocol: 'https:', hostname: 'raws.s3.eu-west-1.amazonaws.com', path: `/raw/tally/${sha256}` }]);
});

test('WH-07: a repetition whose bytes differ, such as a counted attempt, is no conflict', () => {
  const signal = aSignal();
  expect(signalDigest.bodyHash({ ...signal, rawRef: 'raw/hubspot/a' })).toBe(signalDigest.bodyHash(signal));
});

test('D-3: a delivery without headers of note is kept without any, and metadata that somebody changed is none', async () => {
  const { endpoint, seen } = await bucket([200]);
  await s3RawShelf('raws', { region: 'us-east-1', credentials, endpoint }).keep({ ...delivery, headers: {} });
  expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => name.startsWith('x-amz-meta-'))).toEqual([]);
  for (const odd of [undefined, '', 'not base64!', packedHeaders({}), Buffer.from('7').toString('base64url'), Buffer.from('{"a"').toString('base64url')])
    expect(unpackedHeaders(odd)).toEqual({});
});
