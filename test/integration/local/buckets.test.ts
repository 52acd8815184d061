import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AwsError, type AwsRequest, type Caller } from '../../../infra/local/kernel/types.ts';
import { CHECKSUMS } from '../../../infra/local/services/s3/checksum.ts';
import { buckets } from '../../../infra/local/services/s3.ts';
import { clientSettings, type ServedAws, serveAws } from '../../support/local-http.ts';
import { aKernel, aResource, type LocalKernel, operator } from '../../support/local-kernel.ts';

const Bucket = 'reports';
let folder: string;
let kernel: LocalKernel;
let served: ServedAws;
let s3: S3Client;
let denied: string[];

const boot = async (caller: Caller = operator) => {
  const local = buckets(kernel, folder);
  await local.provision(aResource('AWS::S3::Bucket', 'Reports', { BucketName: Bucket }));
  served = await serveAws([local], caller);
  s3 = new S3Client(clientSettings(served.endpoint));
  return local;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'buckets-'));
  denied = [];
  kernel = aKernel({
    authorize: (_caller, action) => {
      if (denied.includes(action)) throw new AwsError('AccessDeniedException', `not authorized to perform: ${action}`);
    },
  });
  await boot();
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const put = (Key: string, Body: string | Uint8Array, over: object = {}) => s3.send(new PutObjectCommand({ Bucket, Key, Body, ...over }));
const read = async (Key: string, over: object = {}) => (await s3.send(new GetObjectCommand({ Bucket, Key, ...over }))).Body?.transformToString();

describe('objects', () => {
  it('come back as they were put, with type, metadata and a checked checksum', async () => {
    await put('2026/03 Mär+z/résumé.csv', 'a;b\n', { ContentType: 'text/csv', Metadata: { day: '2026-03-02' } });
    const found = await s3.send(new GetObjectCommand({ Bucket, Key: '2026/03 Mär+z/résumé.csv', ChecksumMode: 'ENABLED' }));
    expect(await found.Body?.transformToString()).toBe('a;b\n');
    expect(found).toMatchObject({ ContentType: 'text/csv', Metadata: { day: '2026-03-02' }, ContentLength: 4 });
    expect(found.ChecksumCRC32).toBe(CHECKSUMS.crc32?.(Buffer.from('a;b\n')));
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key: '2026/03 Mär+z/résumé.csv' }))).ContentLength).toBe(4);
  });

  it.each(['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const)('accept %s', async (ChecksumAlgorithm) => {
    await put('x', 'payload', { ChecksumAlgorithm });
    expect(await read('x')).toBe('payload');
  });

  it('accept a stream of unknown checksum, sent in chunks', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'stream', Body: Readable.from([Buffer.from('chunk one, '), Buffer.from('chunk two')]), ContentLength: 20 }));
    expect(await read('stream')).toBe('chunk one, chunk two');
  });

  it('survive a restart, and replacing or deleting one leaves no file behind', async () => {
    await put('x', 'old');
    await put('x', 'new');
    kernel = kernel.restarted();
    await served.close();
    await boot();
    expect(await read('x')).toBe('new');
    await s3.send(new DeleteObjectCommand({ Bucket, Key: 'x' }));
    await s3.send(new DeleteObjectCommand({ Bucket, Key: 'x' }));
    expect(readdirSync(join(folder, 'objects'))).toEqual([]);
  });

  it('give a part when asked for a range', async () => {
    await put('x', '0123456789');
    expect(await read('x', { Range: 'bytes=2-4' })).toBe('234');
    expect(await read('x', { Range: 'bytes=-3' })).toBe('789');
    await expect(read('x', { Range: 'bytes=20-30' })).rejects.toMatchObject({ name: 'InvalidRange' });
  });

  it('are not overwritten when the client says so', async () => {
    await put('x', '1', { IfNoneMatch: '*' });
    await expect(put('x', '2', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(put('x', '2', { IfMatch: '"other"' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
  });
});

describe('listing', () => {
  it('pages, groups by delimiter, and starts where asked', async () => {
    for (const key of ['a/1', 'a/2', 'b/1', 'c', 'd & <e>']) await put(key, key);
    const list = (over: object) => s3.send(new ListObjectsV2Command({ Bucket, ...over }));
    const grouped = await list({ Delimiter: '/' });
    expect(grouped.CommonPrefixes?.map((one) => one.Prefix)).toEqual(['a/', 'b/']);
    expect(grouped.Contents?.map((one) => one.Key)).toEqual(['c', 'd & <e>']);
    const first = await list({ MaxKeys: 2, Prefix: 'a' });
    expect(first).toMatchObject({ KeyCount: 2, IsTruncated: false });
    const pages: (string | undefined)[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await list({ MaxKeys: 2, ContinuationToken });
      pages.push(...(page.Contents ?? []).map((one) => one.Key));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    expect(pages).toEqual(['a/1', 'a/2', 'b/1', 'c', 'd & <e>']);
    expect((await list({ StartAfter: 'b/1' })).Contents?.map((one) => one.Key)).toEqual(['c', 'd & <e>']);
  });

  it('names the buckets', async () => {
    expect((await s3.send(new ListBucketsCommand({}))).Buckets?.map((one) => one.Name)).toEqual([Bucket]);
    await expect(s3.send(new HeadBucketCommand({ Bucket }))).resolves.toBeDefined();
  });
});

describe('errors', () => {
  it('NoSuchKey and NoSuchBucket', async () => {
    await expect(read('nope')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(s3.send(new GetObjectCommand({ Bucket: 'elsewhere', Key: 'x' }))).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it('who may not list is not told that a key is missing', async () => {
    denied = ['s3:ListBucket'];
    await expect(read('nope')).rejects.toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
  });

  it('a damaged body is refused and nothing is stored', async () => {
    const local = await boot();
    const request = (headers: Record<string, string>, body: string): AwsRequest => ({
      method: 'PUT',
      path: '/reports/x',
      query: new URLSearchParams(),
      headers,
      body: Buffer.from(body),
      operation: '',
      caller: operator,
    });
    await expect(local.handle(request({ 'x-amz-checksum-crc32': 'AAAAAA==' }, 'x'))).rejects.toMatchObject({ code: 'BadDigest' });
    await expect(local.handle(request({ 'content-md5': 'AAAA' }, 'x'))).rejects.toMatchObject({ code: 'BadDigest' });
    await expect(local.handle(request({ 'content-encoding': 'aws-chunked' }, '5\r\nab'))).rejects.toMatchObject({ code: 'IncompleteBody' });
    await expect(read('x')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('what is not supported says so', async () => {
    await expect(s3.send(new CopyObjectCommand({ Bucket, Key: 'x', CopySource: 'reports/y' }))).rejects.toThrow(/does not support/);
  });
});

it('knows the check values of its checksums', () => {
  const data = Buffer.from('123456789');
  expect(CHECKSUMS.crc32?.(data)).toBe(Buffer.from('cbf43926', 'hex').toString('base64'));
  expect(CHECKSUMS.crc32c?.(data)).toBe(Buffer.from('e3069283', 'hex').toString('base64'));
  expect(CHECKSUMS.crc64nvme?.(data)).toBe(Buffer.from('ae8b14860a799888', 'hex').toString('base64'));
});
