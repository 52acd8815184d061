import type { Kernel } from '../../kernel/types.ts';
import type { EngineClient } from './client.ts';
import type { LocalTable } from './table.ts';

const EVERY_MILLISECONDS = 6 * 3600 * 1000;

type Page = { Items?: Record<string, unknown>[]; LastEvaluatedKey?: unknown };
export type ExpiryParts = { kernel: Kernel; client: EngineClient; keysOf: (table: string) => Promise<string[]>; onDeleted: (table: string) => void };

/**
 * Deletes items whose time to live has passed, by the runtime's clock (the database knows only the real one).
 * Within hours, where AWS promises days: nothing may rely on the moment.
 */
export function expireItems(table: LocalTable, parts: ExpiryParts): void {
  if (table.expiryAttribute === undefined) return;
  const { kernel } = parts;
  const id = `dynamodb expiry ${table.name}`;
  const next = (): void =>
    kernel.agenda.at(kernel.time.now() + EVERY_MILLISECONDS, id, async () => {
      await sweep(table.name, table.expiryAttribute ?? '', parts);
      next();
    });
  next();
}

async function sweep(tableName: string, attribute: string, { kernel, client, keysOf, onDeleted }: ExpiryParts): Promise<void> {
  const now = Math.floor(kernel.time.now() / 1000);
  const keys = await keysOf(tableName);
  const names = Object.fromEntries([...keys, attribute].map((name, at) => [`#n${at}`, name]));
  let start: unknown;
  do {
    const page: Page = await client.call<Page>('Scan', {
      TableName: tableName,
      FilterExpression: `#n${keys.length} < :now`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':now': { N: String(now) } },
      ProjectionExpression: keys.map((_, at) => `#n${at}`).join(', '),
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    for (const key of page.Items ?? []) {
      await client.call('DeleteItem', { TableName: tableName, Key: key });
      onDeleted(tableName);
    }
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
}
