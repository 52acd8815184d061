import { createHash } from 'node:crypto';
import { AwsError, type AwsRequest } from '../../kernel/types.ts';
import { CHECKSUMS } from './checksum.ts';

/** The bytes of an object with the checksum the client sent for them. */
export type ObjectBody = { data: Buffer; checksum: { algorithm: string; value: string } | undefined };

const malformed = (): AwsError => new AwsError('IncompleteBody', 'The request body terminated unexpectedly.', 400);

type Chunked = { data: Buffer; trailers: Record<string, string> };

/** Undoes `aws-chunked`: hexadecimal lengths, optional signatures, and checksums in trailers. */
const dechunk = (body: Buffer): Chunked => {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = body.indexOf('\r\n', at);
    if (end < 0) throw malformed();
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    if (Number.isNaN(size) || end + 2 + size > body.length) throw malformed();
    at = end + 2;
    if (size === 0) break;
    parts.push(body.subarray(at, at + size));
    at += size + 2;
  }
  const trailers = body
    .toString('latin1', at)
    .split('\r\n')
    .map((line) => line.split(/:(.*)/s))
    .filter(([name]) => name !== undefined && name !== '')
    .map(([name = '', value = '']) => [name.toLowerCase(), value.trim()]);
  return { data: Buffer.concat(parts), trailers: Object.fromEntries(trailers) };
};

const isChunked = (headers: AwsRequest['headers']): boolean =>
  (headers['content-encoding'] ?? '').split(',').some((one) => one.trim() === 'aws-chunked') || (headers['x-amz-content-sha256'] ?? '').startsWith('STREAMING-');

const badDigest = (name: string): AwsError => new AwsError('BadDigest', `The ${name} you specified did not match the calculated checksum.`, 400);

/** Reads the body of an upload and proves every digest that came with it. */
export const readObjectBody = ({ headers, body }: AwsRequest): ObjectBody => {
  const { data, trailers }: Chunked = isChunked(headers) ? dechunk(body) : { data: body, trailers: {} };
  const declared = headers['x-amz-decoded-content-length'];
  if (declared !== undefined && Number(declared) !== data.length) throw malformed();
  const md5 = headers['content-md5'];
  if (md5 !== undefined && md5 !== createHash('md5').update(data).digest('base64')) throw badDigest('Content-MD5');
  const given = { ...headers, ...trailers };
  for (const [algorithm, digest] of Object.entries(CHECKSUMS)) {
    const value = given[`x-amz-checksum-${algorithm}`];
    if (value === undefined) continue;
    if (value !== digest(data)) throw badDigest(algorithm.toUpperCase());
    return { data, checksum: { algorithm, value } };
  }
  return { data, checksum: undefined };
};
