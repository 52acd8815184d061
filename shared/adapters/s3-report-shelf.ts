import type { ReportShelf } from '../ports/report-shelf.ts';
import { reportKey } from './dynamodb-keys.ts';
import { reportSummary } from './dynamodb-report-summary.ts';
import type { Table } from './dynamodb-table.ts';
import { write } from './dynamodb-writer.ts';
import { type BucketAccess, s3PutObject } from './s3-put-object.ts';

/** Nobody waits for a report, and its event is repeated when all of this failed. */
const PATIENCE = { attempts: 3, milliseconds: 10_000 };

/** The files of a report in a bucket, its summary in the table. Both are overwritten by a repeated run of the same day. */
export function s3ReportShelf(table: Table, bucket: string, access: BucketAccess): ReportShelf {
  const put = s3PutObject(bucket, access, PATIENCE);
  return {
    async put(name, contentType, body) {
      await put({ key: name, contentType, body: Buffer.from(body, 'utf8') }).catch((cause: unknown) => {
        throw new Error(`${name} of the report could not be stored`, { cause });
      });
      return `s3://${bucket}/${name}`;
    },

    async publish(day, summary, at) {
      await write(table, { kind: 'put', item: { ...reportKey(day), summary, publishedAt: at } });
    },

    find: (day) => reportSummary(table, day),
  };
}
