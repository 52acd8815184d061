import type { MappingSettings } from './settings.ts';
import type { StreamRecord } from './stream.ts';

/** Records handed over together. `end` is the position once all of them are done. */
export type Batch = { shardId: string; records: StreamRecord[]; end: string; attempts: number; throttles: number; notBefore: number };

/** Where a batch that is tried again lies in its shard, and how often it was tried: enough to go on after a restart. */
export type Retrying = { from: string; to: string; end: string } & Pick<Batch, 'attempts' | 'throttles' | 'notBefore'>;

/** What a function said about a batch. */
export type Verdict = { kind: 'done' } | { kind: 'from'; sequenceNumber: string } | { kind: 'failed' };

/** What follows for a batch: nothing more, another try of some of it, or giving it up. */
export type Next = { kind: 'done' } | { kind: 'retry'; batches: Batch[]; doneUntil?: string } | { kind: 'given-up'; condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded' };

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

/** Splits what was read into batches of records that pass the filter. Positions cover the filtered ones as well. */
export function toBatches(shardId: string, records: StreamRecord[], passes: (record: StreamRecord) => boolean, size: number): Batch[] {
  const batches: Batch[] = [];
  for (const record of records) {
    const last = batches.at(-1);
    const end = record.dynamodb.SequenceNumber;
    if (!passes(record)) {
      if (last) last.end = end;
    } else if (last && last.records.length < size) {
      last.records.push(record);
      last.end = end;
    } else {
      batches.push({ shardId, records: [record], end, attempts: 0, throttles: 0, notBefore: 0 });
    }
  }
  return batches;
}

/** The batches at the head of a shard that were tried before, as they are kept in the journal. */
export function retryingOf(waiting: readonly Batch[]): Retrying[] {
  const tried = waiting.findLastIndex(({ attempts, throttles }) => attempts > 0 || throttles > 0);
  return waiting.slice(0, tried + 1).flatMap(({ records, end, attempts, throttles, notBefore }) => {
    const [from, to] = [records[0]?.dynamodb.SequenceNumber, records.at(-1)?.dynamodb.SequenceNumber];
    return from === undefined || to === undefined ? [] : [{ from, to, end, attempts, throttles, notBefore }];
  });
}

/** Batches that were read again after a restart, cut as they were being tried, with what was counted. What no longer fits is tried as new. */
export function resumed(batches: readonly Batch[], kept: readonly Retrying[]): Batch[] {
  const tried: Batch[] = [];
  let rest = [...batches];
  for (const { from, to, end, ...counted } of kept) {
    const [first, ...others] = rest;
    if (first?.records[0]?.dynamodb.SequenceNumber !== from) break;
    const last = first.records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === to);
    const isWhole = last < 0 || last === first.records.length - 1;
    tried.push(isWhole ? { ...first, ...counted } : { ...first, records: first.records.slice(0, last + 1), end, ...counted });
    rest = isWhole ? others : [{ ...first, records: first.records.slice(last + 1) }, ...others];
  }
  return [...tried, ...rest];
}

/** Reads a function's answer by the contract of `ReportBatchItemFailures`: anything but named records of this batch fails all of it. */
export function readVerdict(answer: unknown, batch: Batch, reportsItems: boolean): Verdict {
  if (!reportsItems || answer === null || answer === undefined) return { kind: 'done' };
  const failures = (answer as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === undefined || failures === null) return { kind: 'done' };
  if (!Array.isArray(failures)) return { kind: 'failed' };
  if (failures.length === 0) return { kind: 'done' };
  const places = failures.map((failure: { itemIdentifier?: unknown } | null) => batch.records.findIndex((record) => record.dynamodb.SequenceNumber === failure?.itemIdentifier));
  const first = batch.records[Math.min(...places)];
  return places.includes(-1) || !first ? { kind: 'failed' } : { kind: 'from', sequenceNumber: first.dynamodb.SequenceNumber };
}

/** Decides what follows from a verdict, by the mapping's retry settings. */
export function nextAfter(batch: Batch, verdict: Verdict, settings: Pick<MappingSettings, 'bisects' | 'maximumRetries' | 'maximumAgeSeconds'>, now: number): Next {
  if (verdict.kind === 'done') return { kind: 'done' };
  const from = verdict.kind === 'from' ? batch.records.findIndex((record) => record.dynamodb.SequenceNumber === verdict.sequenceNumber) : 0;
  const rest = batch.records.slice(from);
  const doneUntil = from > 0 ? batch.records[from - 1]?.dynamodb.SequenceNumber : undefined;
  const attempts = from > 0 ? 1 : batch.attempts + 1;
  const splits = settings.bisects && rest.length > 1;
  const giveUp = from === 0 && !splits ? reasonToGiveUp({ ...batch, attempts }, settings, now) : undefined;
  if (giveUp) return { kind: 'given-up', condition: giveUp };
  const pause = Math.min(FIRST_PAUSE * 2 ** (attempts - 1), LONGEST_PAUSE);
  const again: Batch = { ...batch, records: rest, attempts, notBefore: now + pause };
  return { kind: 'retry', batches: splits ? halves(again) : [again], ...(doneUntil === undefined ? {} : { doneUntil }) };
}

function reasonToGiveUp(
  batch: Batch,
  settings: Pick<MappingSettings, 'maximumRetries' | 'maximumAgeSeconds'>,
  now: number,
): 'RetryAttemptsExhausted' | 'RecordAgeExceeded' | undefined {
  const oldest = (batch.records[0]?.dynamodb.ApproximateCreationDateTime ?? now / 1000) * 1000;
  if (settings.maximumAgeSeconds >= 0 && now - oldest > settings.maximumAgeSeconds * 1000) return 'RecordAgeExceeded';
  return settings.maximumRetries >= 0 && batch.attempts > settings.maximumRetries ? 'RetryAttemptsExhausted' : undefined;
}

/** Two halves; a split does not use up retries. */
function halves(batch: Batch): Batch[] {
  const middle = Math.ceil(batch.records.length / 2);
  const [left, right] = [batch.records.slice(0, middle), batch.records.slice(middle)];
  const attempts = batch.attempts - 1;
  return [
    { ...batch, records: left, end: left.at(-1)?.dynamodb.SequenceNumber ?? batch.end, attempts },
    { ...batch, records: right, attempts },
  ];
}

/** What a failure destination is told about a batch that was given up: where it lies in the stream, not what was in it. */
export function failureRecord(
  batch: Batch,
  condition: string,
  { streamArn, functionArn, requestId, now }: { streamArn: string; functionArn: string; requestId: string; now: number },
): Record<string, unknown> {
  const [first, last] = [batch.records[0], batch.records.at(-1)];
  const arrival = (record: StreamRecord | undefined) => new Date((record?.dynamodb.ApproximateCreationDateTime ?? now / 1000) * 1000).toISOString();
  return {
    requestContext: { requestId, functionArn, condition, approximateInvokeCount: batch.attempts + 1 },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    DDBStreamBatchInfo: {
      shardId: batch.shardId,
      startSequenceNumber: first?.dynamodb.SequenceNumber,
      endSequenceNumber: last?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: batch.records.length,
      streamArn,
    },
  };
}
