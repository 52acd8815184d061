// Deliveries as they came, in a bucket that forgets them.

import type { RawShelf } from '../ports/raw-shelf.ts';
import { packedHeaders, RAW_HEADERS } from './raw-headers.ts';
import { rawReference } from './raw-reference.ts';
import { type BucketAccess, s3PutObject } from './s3-put-object.ts';

/** The provider waits meanwhile (LA-07). */
const PATIENCE = { attempts: 2, milliseconds: 2000 };

/** The bytes are not in the bucket. The sender still has them and is asked to send them again. */
class RawNotKept extends Error {
  override readonly name = 'RawNotKeptTimeout';
}

/** The bucket with this name. An object is named by its content, so keeping it again only lengthens its time. */
export function s3RawShelf(bucket: string, access: BucketAccess): RawShelf {
  const put = s3PutObject(bucket, access, PATIENCE);
  return {
    async keep({ source, contentType, headers: kept, body }) {
      const key = rawReference(source, body);
      const metadata = Object.keys(kept).length > 0 ? { [RAW_HEADERS]: packedHeaders(kept) } : {};
      await put({ key, contentType, metadata, body }).catch((cause: unknown) => {
        throw new RawNotKept(`a delivery of ${source} could not be kept`, { cause });
      });
      return key;
    },
  };
}
