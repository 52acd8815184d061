import { AwsError, type AwsRequest, type AwsResponse, type Caller, type Kernel, REGION } from '../../kernel/types.ts';
import { listObjects } from './list-objects.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { readObjectBody } from './read-body.ts';
import { xmlDocument } from './xml.ts';

export type Buckets = { kernel: Kernel; store: ObjectStore; names: Set<string> };

const SUPPORTED = 'ListBuckets, HeadBucket, GetBucketLocation, ListObjectsV2, PutObject, GetObject, HeadObject, DeleteObject';
const KEPT = ['content-type', 'content-disposition', 'content-language', 'cache-control', 'expires'];
const QUERY = new Set(['list-type', 'prefix', 'delimiter', 'max-keys', 'continuation-token', 'start-after', 'encoding-type', 'fetch-owner', 'location', 'x-id', 'max-buckets']);

const bucketArn = (bucket: string): string => `arn:aws:s3:::${bucket}`;
const objectArn = (bucket: string, key: string): string => `arn:aws:s3:::${bucket}/${key}`;

const xml = (body: string): AwsResponse => ({ status: 200, headers: { 'content-type': 'application/xml' }, body });

const unsupported = ({ method, path, query }: AwsRequest): AwsError =>
  new AwsError('NotImplemented', `The local runtime does not support ${method} ${path}${query.size > 0 ? `?${query}` : ''} of S3. Supported: ${SUPPORTED}.`, 501);

/** S3 words a refusal its own way. */
const authorize = ({ kernel }: Buckets, caller: Caller, action: string, arn: string): void => {
  try {
    kernel.iam.authorize(caller, action, arn);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'AccessDeniedException') throw new AwsError('AccessDenied', error.message, 403);
    throw error;
  }
};

/** Who may not list a bucket learns nothing about which keys are missing, as on AWS. */
const missingKey = (buckets: Buckets, caller: Caller, bucket: string, key: string): AwsError => {
  authorize(buckets, caller, 's3:ListBucket', bucketArn(bucket));
  return new AwsError('NoSuchKey', `The specified key does not exist: ${key}`, 404);
};

const keptHeaders = (headers: AwsRequest['headers']): Record<string, string> => {
  const kept = Object.entries(headers).filter(([name]) => KEPT.includes(name) || name.startsWith('x-amz-meta-'));
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'aws-chunked');
  return { 'content-type': 'binary/octet-stream', ...Object.fromEntries(kept), ...(encoding.length > 0 ? { 'content-encoding': encoding.join(', ') } : {}) };
};

const preconditionFailed = (): AwsError => new AwsError('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', 412);

const putObject = (buckets: Buckets, bucket: string, key: string, request: AwsRequest): AwsResponse => {
  if (request.headers['x-amz-copy-source'] !== undefined) throw unsupported(request);
  authorize(buckets, request.caller, 's3:PutObject', objectArn(bucket, key));
  const before = buckets.store.find(bucket, key);
  if (request.headers['if-none-match'] === '*' && before !== undefined) throw preconditionFailed();
  const wanted = request.headers['if-match'];
  if (wanted !== undefined && wanted !== before?.etag) throw preconditionFailed();
  const body = readObjectBody(request);
  const checksum: Record<string, string> = body.checksum === undefined ? {} : { [`x-amz-checksum-${body.checksum.algorithm}`]: body.checksum.value };
  const object = buckets.store.put(bucket, key, body, { headers: { ...keptHeaders(request.headers), ...checksum }, now: buckets.kernel.time.now() });
  return { status: 200, headers: { etag: object.etag, ...checksum }, body: '' };
};

const answerHeaders = (object: StoredObject, request: AwsRequest): Record<string, string> => {
  const shown = request.headers['x-amz-checksum-mode'] === 'ENABLED' && request.headers.range === undefined;
  const kept = Object.entries(object.headers).filter(([name]) => shown || !name.startsWith('x-amz-checksum-'));
  return {
    ...Object.fromEntries(kept),
    etag: object.etag,
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    'content-length': String(object.size),
  };
};

type Range = { from: number; to: number };
const rangeOf = (text: string | undefined, size: number): Range | undefined => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(text ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const range = first === '' ? { from: Math.max(size - Number(last), 0), to: size - 1 } : { from: Number(first), to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
  if (range.from > range.to) throw new AwsError('InvalidRange', 'The requested range is not satisfiable', 416);
  return range;
};

const getObject = (buckets: Buckets, bucket: string, key: string, request: AwsRequest): AwsResponse => {
  authorize(buckets, request.caller, 's3:GetObject', objectArn(bucket, key));
  const object = buckets.store.find(bucket, key);
  if (object === undefined) throw missingKey(buckets, request.caller, bucket, key);
  const headers = answerHeaders(object, request);
  if (request.headers['if-none-match'] === object.etag) return { status: 304, headers: { etag: object.etag }, body: '' };
  if (request.method === 'HEAD') return { status: 200, headers, body: '' };
  const data = buckets.store.read(object);
  const range = rangeOf(request.headers.range, object.size);
  if (range === undefined) return { status: 200, headers, body: data };
  const part = data.subarray(range.from, range.to + 1);
  return { status: 206, headers: { ...headers, 'content-length': String(part.length), 'content-range': `bytes ${range.from}-${range.to}/${object.size}` }, body: part };
};

const onObject = (buckets: Buckets, bucket: string, key: string, request: AwsRequest): AwsResponse => {
  if (request.method === 'PUT') return putObject(buckets, bucket, key, request);
  if (request.method === 'GET' || request.method === 'HEAD') return getObject(buckets, bucket, key, request);
  if (request.method !== 'DELETE') throw unsupported(request);
  authorize(buckets, request.caller, 's3:DeleteObject', objectArn(bucket, key));
  buckets.store.remove(bucket, key);
  return { status: 204, body: '' };
};

const onBucket = (buckets: Buckets, bucket: string, request: AwsRequest): AwsResponse => {
  const { method, query, caller } = request;
  if (method === 'GET' && query.has('location')) return xml(xmlDocument('LocationConstraint', {}));
  if (method !== 'HEAD' && !(method === 'GET' && query.get('list-type') === '2')) throw unsupported(request);
  authorize(buckets, caller, 's3:ListBucket', bucketArn(bucket));
  if (method === 'HEAD') return { status: 200, headers: { 'x-amz-bucket-region': REGION }, body: '' };
  return xml(listObjects(buckets.store, bucket, query));
};

const listBuckets = (buckets: Buckets, request: AwsRequest): AwsResponse => {
  if (request.method !== 'GET') throw unsupported(request);
  authorize(buckets, request.caller, 's3:ListAllMyBuckets', '*');
  const created = new Date(buckets.kernel.time.now()).toISOString();
  return xml(xmlDocument('ListAllMyBucketsResult', { Buckets: { Bucket: [...buckets.names].map((Name) => ({ Name, CreationDate: created })) } }));
};

/** Bucket and key, from the path or from a host such as `reports.localhost`. */
const address = (request: AwsRequest): { bucket: string; key: string } => {
  const [, hosted] = /^([a-z0-9.-]+)\.localhost(:\d+)?$/.exec(request.headers.host ?? '') ?? [];
  const path = hosted === undefined ? request.path : `/${hosted}${request.path}`;
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return { bucket, key: decodeURIComponent(key) };
};

/** Answers S3's REST interface. */
export const handleBucketRequest = (buckets: Buckets, request: AwsRequest): AwsResponse => {
  const unknown = [...request.query.keys()].filter((name) => !QUERY.has(name));
  if (unknown.length > 0) throw unsupported(request);
  const { bucket, key } = address(request);
  if (bucket === '') return listBuckets(buckets, request);
  if (!buckets.names.has(bucket)) throw new AwsError('NoSuchBucket', `The specified bucket does not exist: ${bucket}`, 404);
  return key === '' ? onBucket(buckets, bucket, request) : onObject(buckets, bucket, key, request);
};
