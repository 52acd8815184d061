import type { Context, DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { METRICS } from '../../shared/contracts/metric-names.ts';
import { WaitTask } from '../../shared/contracts/workflow-task.ts';
import { env } from '../../shared/lambda/env.ts';
import { eventHandler } from '../../shared/lambda/event-handler.ts';
import { allowed, described } from '../../shared/lambda/logger.ts';
import { count } from '../../shared/lambda/metrics.ts';
import { redact } from '../../shared/lambda/redact.ts';
import { reportRepairs } from '../../shared/lambda/report-repairs.ts';
import { requestHandler } from '../../shared/lambda/request-handler.ts';
import { streamHandler } from '../../shared/lambda/stream-handler.ts';
import { taskHandler } from '../../shared/lambda/task-handler.ts';
import { capturedLog } from '../support/captured-log.ts';

const CONTEXT = {} as Context;
const ID = 'h-0123456789abcdef0123456789abcdef';

const logged = capturedLog();

describe('steps of the workflow', () => {
  const step = taskHandler(WaitTask, async ({ handoffId }) => ({ handoffId }));

  test('SF-22: a payload with fields of a later version is read', async () => {
    expect(await step({ handoffId: ID, taskToken: 't', later: true }, CONTEXT)).toEqual({ handoffId: ID });
  });

  test.each([undefined, null, {}, { handoffId: 'h-1', taskToken: 't' }, { handoffId: ID }, { handoffId: ID, taskToken: '' }, { handoffId: ID, taskToken: 'x'.repeat(2049) }])(
    'LA-04: a payload that misses its contract fails as ContractError, which no retrier matches (%#)',
    async (payload) => {
      await expect(step(payload, CONTEXT)).rejects.toMatchObject({ name: 'ContractError' });
    },
  );

  test('SF-05: the token is in no log line, also when the step fails', async () => {
    const failing = taskHandler(WaitTask, async () => {
      throw new Error('table is busy');
    });
    await expect(failing({ handoffId: ID, taskToken: 'AQCEAAAAKgAAAAMAAAAA' }, CONTEXT)).rejects.toThrow('table is busy');
    expect(logged().join()).toContain(ID);
    expect(logged().join()).not.toContain('AQCEAAAA');
  });
});

describe('events', () => {
  const Detail = z.object({ schemaVersion: z.literal('1'), count: z.number() });
  const anEvent = (detail: unknown, more: object = {}) => ({
    version: '0',
    id: 'e-1',
    source: 'baton.test',
    'detail-type': 'tested',
    account: '0',
    time: '2026-03-02T16:00:00Z',
    region: 'us-east-1',
    resources: [],
    detail,
    ...more,
  });

  test('a good event reaches the use case with its envelope', async () => {
    const seen: unknown[] = [];
    await eventHandler(Detail, async (...args) => void seen.push(args))(anEvent({ schemaVersion: '1', count: 2 }), CONTEXT);
    expect(seen).toEqual([
      [
        { schemaVersion: '1', count: 2 },
        { eventId: 'e-1', source: 'baton.test', detailType: 'tested', at: '2026-03-02T16:00:00Z', replay: false },
      ],
    ]);
  });

  test('EB-13: a replayed event says so', async () => {
    let replay: boolean | undefined;
    await eventHandler(Detail, async (_, envelope) => {
      replay = envelope.replay;
    })(anEvent({ schemaVersion: '1', count: 2 }, { 'replay-name': 'again' }), CONTEXT);
    expect(replay).toBe(true);
  });

  test('LA-04: malformed events succeed after they were set aside, counted and logged without their content', async () => {
    const kept: { eventId: string; body: string; because: string }[] = [];
    const handler = eventHandler(Detail, async () => Promise.reject(new Error('asked')), { quarantine: async (event) => void kept.push(event) });
    for (const detail of [null, 'x', {}, { schemaVersion: '2', count: 1 }, { schemaVersion: '1', count: 'ada@example.com' }]) await handler(anEvent(detail), CONTEXT);
    expect(kept).toHaveLength(5);
    expect(kept[4]?.body).toContain('ada@example.com');
    expect(kept[4]?.because).toBe('the event does not meet its contract at count');
    expect(logged().filter((line) => line.includes('event-refused'))).toHaveLength(5);
    expect(logged().join()).not.toContain('ada@');
  });

  test('LA-04: an event that cannot even be set aside is a fault, so that it is not lost', async () => {
    const handler = eventHandler(Detail, async () => {}, { quarantine: async () => Promise.reject(new Error('table is busy')) });
    await expect(handler(anEvent({}), CONTEXT)).rejects.toThrow('table is busy');
  });

  test('EB-10: a fault of the use case is thrown, so that Lambda tries again', async () => {
    await expect(eventHandler(Detail, async () => Promise.reject(new Error('table is busy')))(anEvent({ schemaVersion: '1', count: 1 }), CONTEXT)).rejects.toThrow('table is busy');
    expect(logged().join()).toContain('event-failed');
  });

  test('SC-08: a schedule whose payload misses its contract is a fault, never a quiet success', async () => {
    await expect(requestHandler(Detail, async () => {})({}, CONTEXT)).rejects.toMatchObject({ name: 'ContractError' });
  });
});

describe('the stream', () => {
  const Item = z.object({ n: z.string() });
  const record = (n: number, image: DynamoDBRecord['dynamodb'] = { NewImage: { n: { S: String(n) } } }): DynamoDBRecord => ({
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: `s${n}`, ...image },
  });
  const batch = (count: number) => ({ Records: Array.from({ length: count }, (_, n) => record(n)) });

  test('records come in order, at most ten at once', async () => {
    const groups: string[][] = [];
    expect(await streamHandler(Item, async (items) => void groups.push(items.map(({ n }) => n)))(batch(23), CONTEXT)).toEqual({ batchItemFailures: [] });
    expect(groups.map(({ length }) => length)).toEqual([10, 10, 3]);
    expect(groups.flat()).toEqual(Array.from({ length: 23 }, (_, n) => String(n)));
  });

  test('LA-05: a group that fails is answered by its first record, and nothing after it is touched', async () => {
    const groups: string[][] = [];
    const handler = streamHandler(Item, async (items) => {
      groups.push(items.map(({ n }) => n));
      if (items.some(({ n }) => n === '13')) throw new Error('the bus is busy');
    });
    expect(await handler(batch(30), CONTEXT)).toEqual({ batchItemFailures: [{ itemIdentifier: 's10' }] });
    expect(groups).toHaveLength(2);
  });

  test('LA-05: a record that cannot be read stops at itself, after everything before it is done', async () => {
    const seen: string[] = [];
    const Records = [record(0), record(1), record(2, { NewImage: { other: { S: 'x' } } }), record(3)];
    expect(await streamHandler(Item, async (items) => void seen.push(...items.map(({ n }) => n)))({ Records }, CONTEXT)).toEqual({ batchItemFailures: [{ itemIdentifier: 's2' }] });
    expect(seen).toEqual(['0', '1']);
  });

  test('a failure before an unreadable record is answered by the earlier of the two', async () => {
    const Records = [record(0), record(1, { NewImage: {} })];
    expect(await streamHandler(Item, async () => Promise.reject(new Error('busy')))({ Records }, CONTEXT)).toEqual({ batchItemFailures: [{ itemIdentifier: 's0' }] });
  });
});

describe('log lines', () => {
  test('PI-02: only listed fields come through, whoever passes more', () => {
    const careless = { handoffId: ID, email: 'ada@example.com', count: undefined } as Parameters<typeof allowed>[0];
    expect(allowed(careless)).toEqual({ handoffId: ID });
  });

  test('a fault is told with its causes, redacted', () => {
    const fault = new Error('outer', { cause: new Error('to ada@example.com') });
    expect(described(fault)).toMatchObject({ name: 'Error', message: 'outer', cause: { message: 'to [address]' } });
    expect(described(fault).at).toMatch(/^at .*lambda-frames\.test\.ts/);
    expect(described('just text')).toEqual({ name: 'NotAnError', message: 'string' });
  });

  test.each([
    ['GET /a/ABCDEFGH', 'GET /a/[link]'],
    ['ada@example.com is not verified', '[address] is not verified'],
    ['call +1 (503) 555-0100 now', 'call [number] now'],
    [`token ${'A1b2'.repeat(20)} is spent`, 'token [secret] is spent'],
    [`handoff ${ID} is busy`, `handoff ${ID} is busy`],
  ])('%s', (text, told) => expect(redact(text)).toBe(told));
});

describe('counts', () => {
  test('SC-08: a count is written with the very namespace and dimension that its alarm looks for', () => {
    count('ReportPublished');
    const [line = ''] = logged();
    expect(JSON.parse(line)).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Namespace: 'Baton', Dimensions: [['service']], Metrics: [{ Name: 'ReportPublished', Unit: 'Count' }] }] },
      service: 'baton',
      ReportPublished: 1,
    });
  });

  test('OP-07: a sweep that found nothing says so under the name that its alarm looks for; a look at one handoff says nothing', () => {
    const nothing = { restarted: [], nudged: [], beyondRepair: [], signals: 0, messages: 0 };
    reportRepairs(nothing);
    expect(logged()).toEqual([]);
    reportRepairs({ ...nothing, oldestStandingStillSeconds: 0 });
    expect(JSON.parse(logged()[0] ?? '')).toMatchObject({
      _aws: { CloudWatchMetrics: [{ Namespace: METRICS.namespace, Dimensions: [['service']], Metrics: [{ Name: METRICS.oldestStandingStill, Unit: 'Seconds' }] }] },
      [METRICS.oldestStandingStill]: 0,
    });
  });
});

describe('environment', () => {
  test('a variable that the stack forgot is named', () => {
    expect(() => env('NO_SUCH_VARIABLE')).toThrow('environment variable NO_SUCH_VARIABLE is not set for this function');
  });
});
