import { parse } from '../contracts/contract-error.ts';
import { DeliveryItem } from '../contracts/table-items.ts';
import type { DeliveryBook } from '../ports/delivery-book.ts';
import { deliveryKey } from './dynamodb-keys.ts';
import { readRange, type Table } from './dynamodb-table.ts';
import { absent, write } from './dynamodb-writer.ts';

/** Long enough for any question about an offer. */
const KEPT_SECONDS = 400 * 24 * 60 * 60;

/** Reports as rows `DELIVERY#<provider>#<message id>` / `STATE#<state>`: one a state, so nothing is ever overwritten. */
export function dynamodbDeliveryBook(table: Table): DeliveryBook {
  return {
    async note(report) {
      const expiresAt = Math.floor(Date.parse(report.occurredAt) / 1000) + KEPT_SECONDS;
      await write(table, { kind: 'put', item: { ...deliveryKey(report), report, expiresAt }, condition: absent });
    },
    async reports(provider, messageId) {
      const { pk } = deliveryKey({ provider, messageId, state: 'sent' });
      const items = await readRange(table, pk, 'STATE#');
      return items.map((item) => parse(DeliveryItem, item, 'a stored delivery report').report).sort((a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt));
    },
  };
}
