import { parse } from '../contracts/contract-error.ts';
import { SuppressionItem } from '../contracts/table-items.ts';
import type { SuppressedChannel } from '../domain/announcement.ts';
import type { ContactSeal } from '../ports/seal.ts';
import type { SuppressionBook } from '../ports/suppression-book.ts';
import { sortable, suppressionKey } from './dynamodb-keys.ts';
import { readItem, type Table } from './dynamodb-table.ts';
import { write } from './dynamodb-writer.ts';

/** Suppressions as rows `SUPPRESSION#<keyed hash>` / `CHANNEL#<channel>`, which no TTL removes. */
export function dynamodbSuppressionBook(table: Table, seal: ContactSeal): SuppressionBook {
  const keyOf = async (channel: SuppressedChannel, address: string) =>
    suppressionKey(await seal.reference({ ...(address.includes('@') ? { email: address } : { phone: address }), fallback: '' }), channel);
  return {
    async note({ kind, source, eventId, occurredAt, channel, address, because }) {
      const changedAt = sortable(occurredAt);
      const shuts = kind === 'contact.opted-out';
      const item = { ...(await keyOf(channel, address)), standing: shuts ? 'shut' : 'open', because, source, eventId, changedAt };
      const text = `attribute_not_exists(#pk) OR #changedAt ${shuts ? '<=' : '<'} :changedAt`;
      await write(table, { kind: 'put', item, condition: { text, names: { '#pk': 'pk', '#changedAt': 'changedAt' }, values: { ':changedAt': changedAt } } });
    },
    async standing(channel, address) {
      const item = await readItem(table, await keyOf(channel, address));
      if (item === undefined) return undefined;
      const { standing, because, source, eventId, changedAt } = parse(SuppressionItem, item, 'a stored suppression');
      return standing === 'open' ? undefined : { because, source, eventId, since: changedAt };
    },
  };
}
