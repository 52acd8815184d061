// Deliveries as they came, by the right of the person who asks; no function of Baton may read or delete them.

import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { RAW_HEADERS, unpackedHeaders } from '../shared/adapters/raw-headers.ts';

export type RawFound = { text: string; contentType: string; headers: Record<string, string> };

/** Undefined once the bucket has forgotten it. */
export async function fetchRaw(bucket: string, key: string): Promise<RawFound | undefined> {
  const found = await orGone(() => client().send(new GetObjectCommand({ Bucket: bucket, Key: key })));
  if (found === undefined) return undefined;
  const { Body, ContentType = '', Metadata = {} } = found;
  return { text: (await Body?.transformToString('utf-8')) ?? '', contentType: ContentType, headers: unpackedHeaders(Metadata[RAW_HEADERS]) };
}

export const isThere = async (bucket: string, key: string): Promise<boolean> =>
  (await orGone(() => client().send(new HeadObjectCommand({ Bucket: bucket, Key: key })))) !== undefined;

/** The bucket has no versions, so what is deleted is gone. */
export const deleteRaw = async (bucket: string, key: string): Promise<void> => void (await client().send(new DeleteObjectCommand({ Bucket: bucket, Key: key })));

const client = () => new S3Client({ forcePathStyle: true });

async function orGone<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')) return undefined;
    throw error;
  }
}
