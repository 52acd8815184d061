// The frame around a consumer of the table's stream: in order, in groups, and honest about where it stopped (LA-05).

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type * as z from 'zod/mini';
import { parse } from '../contracts/contract-error.ts';
import { logger } from './logger.ts';

/** How many items one call of `handle` gets at most: what one PutEvents takes. */
const GROUP = 10;

/**
 * Makes a stream consumer of a use case. Items come in the order of the stream, at most ten a call, and at least once.
 * When a group fails, its first record is answered as the place to go on from; Lambda then repeats from there, halves the
 * batch, and after the last attempt moves a record that never works to the dead-letter queue without holding up the rest.
 */
export function streamHandler<Schema extends z.core.$ZodType>(schema: Schema, handle: (items: z.output<Schema>[]) => Promise<void>) {
  return middy<DynamoDBStreamEvent, DynamoDBBatchResponse>().handler(async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const records = event.Records;
    for (let from = 0; from < records.length; from += GROUP) {
      const stopped = await carryOut(schema, records.slice(from, from + GROUP), handle);
      if (stopped !== undefined) return { batchItemFailures: [{ itemIdentifier: stopped }] };
    }
    return { batchItemFailures: [] };
  });
}

/** The sequence number to go on from, or undefined when the whole group is done. */
async function carryOut<Schema extends z.core.$ZodType>(
  schema: Schema,
  group: DynamoDBRecord[],
  handle: (items: z.output<Schema>[]) => Promise<void>,
): Promise<string | undefined> {
  const items: z.output<Schema>[] = [];
  let unreadable: string | undefined;
  for (const record of group) {
    try {
      items.push(parse(schema, unmarshall((record.dynamodb?.NewImage ?? {}) as Record<string, AttributeValue>), 'the stream record'));
    } catch (error) {
      unreadable = sequenceOf(record);
      logger.error('record-unreadable', 'A stream record misses its contract', error);
      break;
    }
  }
  try {
    if (items.length > 0) await handle(items);
    return unreadable;
  } catch (error) {
    logger.error('group-failed', 'A group of stream records could not be handled', error, { count: items.length });
    return sequenceOf(group[0]);
  }
}

function sequenceOf(record: DynamoDBRecord | undefined): string {
  const sequence = record?.dynamodb?.SequenceNumber;
  if (sequence === undefined) throw new Error('a stream record came without a sequence number');
  return sequence;
}
