import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Quarantine } from '../ports/quarantine.ts';
import type { TimeSource } from '../ports/time-source.ts';

const KEPT_SECONDS = 90 * 24 * 60 * 60;
/** An item may hold 400 KB; an event on the bus 256 KB and more (EB-06). */
const LARGEST_BODY = 300_000;

/** Quarantine as rows `QUARANTINE#<event id>` / `EVENT` of the handoff table, removed by TTL. */
export function dynamodbQuarantine(tableName: string, time: TimeSource, client = DynamoDBDocumentClient.from(new DynamoDBClient({}))): Quarantine {
  return {
    async keep({ eventId, source, body, because }) {
      const at = time.now();
      const expiresAt = Math.floor(Date.parse(at) / 1000) + KEPT_SECONDS;
      const Item = { pk: `QUARANTINE#${eventId || 'unnamed'}`, sk: 'EVENT', source, body: body.slice(0, LARGEST_BODY), because, at, expiresAt };
      await client.send(new PutCommand({ TableName: tableName, Item }));
    },
  };
}
