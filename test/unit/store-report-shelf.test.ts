import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, it } from 'vitest';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { s3ReportShelf } from '../../shared/adapters/s3-report-shelf.ts';
import { testClient } from '../support/dynamodb.ts';

const s3 = mockClient(S3Client);
beforeEach(() => void s3.reset());
const shelf = () => s3ReportShelf(dynamodbTable('T', { client: testClient('http://127.0.0.1:9') }), 'reports', new S3Client({ region: 'us-east-1' }));

it('M-01: a file of a report is stored under its name, with its type, and its address is given back', async () => {
  s3.on(PutObjectCommand).resolves({});
  expect(await shelf().put('2026-03-02/orphans.csv', 'text/csv; charset=utf-8', 'handoff\n')).toBe('s3://reports/2026-03-02/orphans.csv');
  expect(s3.commandCalls(PutObjectCommand)[0]?.args[0].input).toEqual({
    Bucket: 'reports',
    Key: '2026-03-02/orphans.csv',
    ContentType: 'text/csv; charset=utf-8',
    Body: 'handoff\n',
  });
});

it('M-01: a file that could not be stored is a fault, never a quiet gap', async () => {
  s3.on(PutObjectCommand).rejects(Object.assign(new Error('Access Denied'), { name: 'AccessDenied' }));
  await expect(shelf().put('a.csv', 'text/csv', '')).rejects.toThrow('Access Denied');
});
