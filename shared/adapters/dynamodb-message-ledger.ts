import * as z from 'zod/mini';
import { parse } from '../contracts/contract-error.ts';
import { instant } from '../contracts/receipt.ts';
import { EMPTY_LEDGER, type Ledger } from '../domain/message-limit.ts';
import type { MessageLedger } from '../ports/message-ledger.ts';
import { type Key, ledgerKey } from './dynamodb-keys.ts';
import { readItem, type Table } from './dynamodb-table.ts';
import { sameVersion } from './dynamodb-transition.ts';
import { absent, write } from './dynamodb-writer.ts';

const message = z.string().check(z.describe('Handoff and effect.'));
const LedgerItem = z.object({
  version: z.int(),
  sent: z.array(z.object({ message, at: instant('When it took its place.'), carries: z.exactOptional(z.array(message)) })),
  waiting: z.array(z.object({ message, since: instant('Since when it waits.'), until: instant('Until when it is of use.'), asks: z.exactOptional(z.literal(true)) })),
});

/** Everything that is said to one person on one channel meets here, so a crowd is let in one by one. */
const ATTEMPTS = 24;

/** One item for each person and channel, bounded by the limit and by what may wait. */
export function dynamodbMessageLedger(table: Table): MessageLedger {
  return {
    read: async (person, channel) => (await standing(table, ledgerKey(person, channel))).ledger,
    async admit(person, channel, decide) {
      const key = ledgerKey(person, channel);
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { version, ledger } = await standing(table, key);
        const admission = decide(ledger);
        if (!('ledger' in admission) || admission.ledger === undefined) return admission;
        const { sent, waiting } = admission.ledger;
        const condition = version === 0 ? absent : sameVersion(version);
        if (await write(table, { kind: 'put', item: { ...key, version: version + 1, sent, waiting }, condition })) return admission;
      }
      throw new Error(`what ${person} is sent by ${channel} kept changing under ${ATTEMPTS} attempts`);
    },
  };
}

async function standing(table: Table, key: Key): Promise<{ version: number; ledger: Ledger }> {
  const item = await readItem(table, key);
  if (item === undefined) return { version: 0, ledger: EMPTY_LEDGER };
  const { version, sent, waiting } = parse(LedgerItem, item, 'what a person was sent');
  return { version, ledger: { sent, waiting } };
}
