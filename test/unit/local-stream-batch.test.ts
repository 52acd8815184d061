import { expect, test } from 'vitest';
import type { EngineClient } from '../../infra/local/services/dynamodb/client.ts';
import { type Batch, failureRecord, nextAfter, readVerdict, resumed, retryingOf, toBatches } from '../../infra/local/services/event-source/batch.ts';
import { reachedTheEnd, StreamReader, type StreamRecord } from '../../infra/local/services/event-source/stream.ts';

const record = (number: number, eventName = 'INSERT'): StreamRecord => ({
  eventID: String(number),
  eventName,
  dynamodb: { SequenceNumber: String(number), ApproximateCreationDateTime: 1000 },
});
const records = (...numbers: number[]) => numbers.map((number) => record(number));
const batchOf = (...numbers: number[]): Batch => ({ shardId: 's', records: records(...numbers), end: String(numbers.at(-1)), attempts: 0, throttles: 0, notBefore: 0 });
const forever = { bisects: false, maximumRetries: -1, maximumAgeSeconds: -1 };
const NOW = 1_000_000;

test('LA-05: batches hold only what passes the filter, and their position covers what does not', () => {
  const read = [record(1, 'MODIFY'), record(2), record(3, 'MODIFY'), record(4), record(5), record(6, 'MODIFY')];
  const batches = toBatches('s', read, ({ eventName }) => eventName === 'INSERT', 2);
  expect(batches.map((batch) => [batch.records.map(({ eventID }) => eventID), batch.end])).toEqual([
    [['2', '4'], '4'],
    [['5'], '6'],
  ]);
  expect(toBatches('s', read, () => false, 2)).toEqual([]);
});

test('LA-05: of ten records with the fourth failing, the first three are done and the rest is tried again', () => {
  const batch = batchOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  const verdict = readVerdict({ batchItemFailures: [{ itemIdentifier: '7' }, { itemIdentifier: '4' }] }, batch, true);
  expect(verdict).toEqual({ kind: 'from', sequenceNumber: '4' });
  const next = nextAfter(batch, verdict, forever, NOW);
  expect(next).toMatchObject({ kind: 'retry', doneUntil: '3', batches: [{ end: '10', notBefore: NOW + 1000 }] });
  expect(next.kind === 'retry' && next.batches[0]?.records.map(({ eventID }) => eventID)).toEqual(['4', '5', '6', '7', '8', '9', '10']);
});

test.each([
  ['an empty list', { batchItemFailures: [] }, 'done'],
  ['nothing', null, 'done'],
  ['null failures', { batchItemFailures: null }, 'done'],
  ['wrong case', { batchItemFailures: [{ ItemIdentifier: '1' }] }, 'failed'],
  ['an unknown record', { batchItemFailures: [{ itemIdentifier: '99' }] }, 'failed'],
  ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }, 'failed'],
  ['a null entry', { batchItemFailures: [null] }, 'failed'],
  ['something that is no list', { batchItemFailures: 'all' }, 'failed'],
])('LA-05: %s as the answer means %s', (_, answer, kind) => {
  expect(readVerdict(answer, batchOf(1, 2), true).kind).toBe(kind);
});

test('LA-05: without the setting, what the function says about records is not read', () => {
  expect(readVerdict({ batchItemFailures: [{ itemIdentifier: '1' }] }, batchOf(1), false)).toEqual({ kind: 'done' });
});

test('LA-01: a failed batch is tried again later and later, up to a minute apart, without end by default', () => {
  const pauses = [0, 1, 2, 5, 6, 50].map((attempts) => {
    const next = nextAfter({ ...batchOf(1), attempts }, { kind: 'failed' }, forever, NOW);
    return next.kind === 'retry' ? (next.batches[0]?.notBefore ?? 0) - NOW : next.kind;
  });
  expect(pauses).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
});

test('LA-04: a poison record is given up after the retries allowed, or once it is too old', () => {
  expect(nextAfter({ ...batchOf(1), attempts: 1 }, { kind: 'failed' }, { ...forever, maximumRetries: 2 }, NOW).kind).toBe('retry');
  expect(nextAfter({ ...batchOf(1), attempts: 2 }, { kind: 'failed' }, { ...forever, maximumRetries: 2 }, NOW)).toEqual({ kind: 'given-up', condition: 'RetryAttemptsExhausted' });
  expect(nextAfter(batchOf(1), { kind: 'failed' }, { ...forever, maximumAgeSeconds: 60 }, 1_000_000 + 61_000)).toEqual({ kind: 'given-up', condition: 'RecordAgeExceeded' });
});

test('LA-04: a batch is halved until the poison record stands alone; splitting uses up no retries', () => {
  const settings = { bisects: true, maximumRetries: 1, maximumAgeSeconds: -1 };
  const next = nextAfter({ ...batchOf(1, 2, 3), attempts: 1 }, { kind: 'failed' }, settings, NOW);
  expect(next.kind === 'retry' && next.batches.map((batch) => [batch.records.length, batch.end, batch.attempts])).toEqual([
    [2, '2', 1],
    [1, '3', 1],
  ]);
});

test('EB-10: the failure destination is told where the batch lies, not what was in it', () => {
  expect(failureRecord({ ...batchOf(3, 4), attempts: 2 }, 'RetryAttemptsExhausted', { streamArn: 'stream', functionArn: 'fn', requestId: 'r', now: NOW })).toEqual({
    requestContext: { requestId: 'r', functionArn: 'fn', condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: '1970-01-01T00:16:40.000Z',
    DDBStreamBatchInfo: {
      shardId: 's',
      startSequenceNumber: '3',
      endSequenceNumber: '4',
      approximateArrivalOfFirstRecord: '1970-01-01T00:16:40.000Z',
      approximateArrivalOfLastRecord: '1970-01-01T00:16:40.000Z',
      batchSize: 2,
      streamArn: 'stream',
    },
  });
});

test('B-3: after a restart a batch is cut as it was being tried, with the attempts it had; what no longer fits is tried as new', () => {
  const halved = nextAfter({ ...batchOf(1, 2, 3, 4), attempts: 1 }, { kind: 'failed' }, { ...forever, bisects: true }, NOW);
  const waiting = halved.kind === 'retry' ? [...halved.batches, batchOf(5)] : [];
  const kept = retryingOf(waiting);
  expect(kept.map(({ from, to, attempts }) => [from, to, attempts])).toEqual([
    ['1', '2', 1],
    ['3', '4', 1],
  ]);
  expect(resumed([batchOf(1, 2, 3, 4), batchOf(5)], kept)).toEqual(waiting);
  expect(resumed([batchOf(1, 2, 3, 4, 5)], kept).map(({ records: some, attempts }) => [some.length, attempts])).toEqual([
    [2, 1],
    [2, 1],
    [1, 0],
  ]);
  expect(resumed([batchOf(3, 4)], kept)).toEqual([batchOf(3, 4)]);
  expect(retryingOf([batchOf(1)])).toEqual([]);
});

test('LA-05: a read is known to have reached the end when it is far below what one read may give', () => {
  const sized = (count: number, bytes: number) => Array.from({ length: count }, (_, n) => ({ ...record(n), dynamodb: { SequenceNumber: String(n), SizeBytes: bytes } }));
  expect(reachedTheEnd(sized(999, 100))).toBe(true);
  expect(reachedTheEnd(sized(1000, 100))).toBe(false);
  expect(reachedTheEnd(sized(2, 300_000))).toBe(false);
  expect(reachedTheEnd(records(1))).toBe(false); // of unknown size
});

test('LA-05: a stream is asked for its shards once, and again when one ends, so that its children are read', async () => {
  const asked: string[] = [];
  const answers: Record<string, () => unknown> = {
    DescribeStream: () => ({ StreamDescription: { Shards: asked.length > 1 ? [{ ShardId: 'child', ParentShardId: 'parent' }, { ShardId: 'parent' }] : [{ ShardId: 'parent' }] } }),
    GetShardIterator: () => ({ ShardIterator: 'here' }),
    GetRecords: () => (asked.filter((one) => one === 'GetRecords').length < 3 ? { Records: [], NextShardIterator: 'next' } : { Records: [record(1)] }),
  };
  const call = async (operation: string) => {
    asked.push(operation);
    return answers[operation]?.();
  };
  const reader = new StreamReader({ call } as unknown as EngineClient, 'arn:stream');
  for (let n = 0; n < 2; n += 1) for (const shard of await reader.shards()) expect(await reader.read(shard, undefined, 'TRIM_HORIZON')).toEqual([]);
  expect(asked).toEqual(['DescribeStream', 'GetShardIterator', 'GetRecords', 'GetRecords']);
  expect(await reader.read('parent', undefined, 'TRIM_HORIZON')).toHaveLength(1);
  expect(await reader.shards()).toEqual(['parent', 'child']);
});
