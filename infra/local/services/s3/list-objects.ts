import { AwsError } from '../../kernel/types.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { xmlDocument } from './xml.ts';

type Listing = { contents: StoredObject[]; prefixes: string[]; next: string | undefined };
type Wanted = { prefix: string; delimiter: string; after: string; most: number };

const groupOf = (key: string, { prefix, delimiter }: Wanted): string | undefined => {
  if (delimiter === '') return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
};

const collect = (objects: readonly StoredObject[], wanted: Wanted): Listing => {
  const contents: StoredObject[] = [];
  const prefixes = new Set<string>();
  let last = '';
  for (const object of objects) {
    const group = groupOf(object.key, wanted);
    const isNew = group === undefined || (!prefixes.has(group) && group !== wanted.after);
    if (isNew && contents.length + prefixes.size >= wanted.most) return { contents, prefixes: [...prefixes], next: last };
    if (group === undefined) contents.push(object);
    else if (isNew) prefixes.add(group);
    last = object.key;
  }
  return { contents, prefixes: [...prefixes], next: undefined };
};

const tokenOf = (key: string): string => Buffer.from(key).toString('base64url');

const mostOf = (text: string | null): number => {
  const most = Number(text ?? 1000);
  if (!Number.isInteger(most) || most < 0) throw new AwsError('InvalidArgument', 'max-keys must be a whole number that is not negative', 400);
  return Math.min(most, 1000);
};

/** Answers ListObjectsV2. */
export const listObjects = (store: ObjectStore, bucket: string, query: URLSearchParams): string => {
  const token = query.get('continuation-token');
  const after = token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const wanted = { prefix: query.get('prefix') ?? '', delimiter: query.get('delimiter') ?? '', after, most: mostOf(query.get('max-keys')) };
  const { contents, prefixes, next } = collect(store.list(bucket, wanted.prefix, after), wanted);
  const shown = (text: string): string => (query.get('encoding-type') === 'url' ? encodeURIComponent(text).replaceAll('%2F', '/') : text);
  return xmlDocument('ListBucketResult', {
    Name: bucket,
    Prefix: shown(wanted.prefix),
    Delimiter: wanted.delimiter === '' ? undefined : shown(wanted.delimiter),
    EncodingType: query.get('encoding-type') ?? undefined,
    MaxKeys: wanted.most,
    KeyCount: contents.length + prefixes.length,
    IsTruncated: next !== undefined,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: next === undefined ? undefined : tokenOf(next),
    Contents: contents.map((object) => ({
      Key: shown(object.key),
      LastModified: new Date(object.modifiedAt).toISOString(),
      ETag: object.etag,
      Size: object.size,
      StorageClass: 'STANDARD',
    })),
    CommonPrefixes: prefixes.map((prefix) => ({ Prefix: shown(prefix) })),
  });
};
