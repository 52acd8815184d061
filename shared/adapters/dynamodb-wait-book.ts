import { randomUUID } from 'node:crypto';
import { parse } from '../contracts/contract-error.ts';
import { WaitItem } from '../contracts/table-items.ts';
import type { HandoffId } from '../domain/ids.ts';
import type { StoredWait, WaitBook } from '../ports/handoff-store.ts';
import { headKey, waitKey } from './dynamodb-keys.ts';
import { readItem, type Table } from './dynamodb-table.ts';
import { sameVersion } from './dynamodb-transition.ts';
import { transact, write } from './dynamodb-writer.ts';

/** Task tokens beside the rows they wait for. A token never leaves the table except to `wake-workflow`. */
export function dynamodbWaitBook(table: Table): WaitBook {
  return {
    async remember(handoff, wait) {
      const written = await transact(table, [
        { kind: 'check', key: headKey(handoff.id), condition: sameVersion(handoff.version) },
        { kind: 'put', item: { ...waitKey(handoff.id), ...wait }, condition: newer(wait) },
      ]);
      if (written.kind === 'written') return 'remembered';
      // The row moved on; or else only the second condition failed: this very token, or a later attempt's, stands there.
      return written.reasons[0] === 'ConditionalCheckFailed' || (await movedOn(table, handoff.id, handoff.version)) ? 'stale' : 'remembered';
    },

    async find(id) {
      const item = await findItem(table, id);
      if (item === undefined) return undefined;
      const { wokenBy: _, ...wait } = item;
      return wait;
    },

    async markWoken(id, token, at) {
      const wokenBy = randomUUID();
      const marked = await write(table, {
        kind: 'update',
        key: waitKey(id),
        change: 'SET #wokenAt = :at, #wokenBy = :by',
        condition: '#token = :token AND attribute_not_exists(#wokenAt)',
        names: { '#wokenAt': 'wokenAt', '#wokenBy': 'wokenBy', '#token': 'token' },
        values: { ':at': at, ':by': wokenBy, ':token': token },
      });
      // A lost answer makes our own mark look like somebody else's (DB-01).
      return marked || (await findItem(table, id))?.wokenBy === wokenBy;
    },
  };
}

/** A later attempt's token replaces an earlier one (SF-04); the same token again must not lose its mark. */
const newer = ({ token, storedAt }: StoredWait) => ({
  text: 'attribute_not_exists(#pk) OR (#token <> :token AND #storedAt <= :storedAt)',
  names: { '#pk': 'pk', '#token': 'token', '#storedAt': 'storedAt' },
  values: { ':token': token, ':storedAt': storedAt },
});

async function movedOn(table: Table, id: HandoffId, version: number): Promise<boolean> {
  const head = await readItem(table, headKey(id));
  return head?.version !== version;
}

async function findItem(table: Table, id: HandoffId) {
  const item = await readItem(table, waitKey(id));
  return item === undefined ? undefined : parse(WaitItem, item, `the stored wait of ${id}`);
}
