import type { HttpRequest } from '@smithy/types';
import { expect, it } from 'vitest';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { s3ReportShelf } from '../../shared/adapters/s3-report-shelf.ts';
import { testClient } from '../support/dynamodb.ts';

/** A shelf over a bucket that answers with these statuses in turn. */
function shelf(statuses: number[]) {
  const asked: HttpRequest[] = [];
  const send = async (request: HttpRequest) => {
    asked.push(request);
    return { statusCode: statuses[asked.length - 1] ?? 500, headers: {} };
  };
  const credentials = async () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'test-only' });
  return { asked, shelf: s3ReportShelf(dynamodbTable('T', { client: testClient('http://127.0.0.1:9') }), 'reports', { region: 'us-east-1', credentials, send }) };
}

it('M-01: a file of a report is stored under its name, with its type, and its address is given back', async () => {
  const { asked, shelf: reports } = shelf([200]);
  expect(await reports.put('2026-03-02/orphans.csv', 'text/csv; charset=utf-8', 'handoff\ncafé\n')).toBe('s3://reports/2026-03-02/orphans.csv');
  expect(asked).toMatchObject([
    { method: 'PUT', hostname: 'reports.s3.us-east-1.amazonaws.com', path: '/2026-03-02/orphans.csv', headers: { 'content-type': 'text/csv; charset=utf-8' } },
  ]);
  expect(Buffer.from(asked[0]?.body as Uint8Array).toString('utf8')).toBe('handoff\ncafé\n');
});

it('M-01: a bucket that is busy for a moment is asked again', async () => {
  const { asked, shelf: reports } = shelf([503, 500, 200]);
  await expect(reports.put('a.csv', 'text/csv', '')).resolves.toBe('s3://reports/a.csv');
  expect(asked).toHaveLength(3);
});

it('M-01: a file that could not be stored is a fault, never a quiet gap', async () => {
  const { asked, shelf: reports } = shelf([403, 403, 403, 200]);
  const fault = await reports.put('a.csv', 'text/csv', '').catch((error: Error) => error);
  expect(fault).toMatchObject({ message: 'a.csv of the report could not be stored', cause: { message: 'S3 answered 403' } });
  expect(asked).toHaveLength(3);
});
