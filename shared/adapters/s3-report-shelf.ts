import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { ReportShelf } from '../ports/report-shelf.ts';
import { reportKey } from './dynamodb-keys.ts';
import { reportSummary } from './dynamodb-report-summary.ts';
import type { Table } from './dynamodb-table.ts';
import { write } from './dynamodb-writer.ts';

/** The files of a report in a bucket, its summary in the table. Both are overwritten by a repeated run of the same day. */
export function s3ReportShelf(table: Table, bucket: string, client: S3Client = new S3Client({ maxAttempts: 3 })): ReportShelf {
  return {
    async put(name, contentType, body) {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: name, ContentType: contentType, Body: body }));
      return `s3://${bucket}/${name}`;
    },

    async publish(day, summary, at) {
      await write(table, { kind: 'put', item: { ...reportKey(day), summary, publishedAt: at } });
    },

    find: (day) => reportSummary(table, day),
  };
}
