import { randomUUID } from 'node:crypto';
import { parse } from '../contracts/contract-error.ts';
import { ClaimItem } from '../contracts/table-items.ts';
import type { HandoffId } from '../domain/ids.ts';
import { LINK_CHANNELS } from '../domain/link.ts';
import { TO_CUSTOMER } from '../domain/message-reference.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { Claim, ClaimBook } from '../ports/claim-book.ts';
import { claimKey, type Key, openEntry } from './dynamodb-keys.ts';
import { readItem, readItems, type Table } from './dynamodb-table.ts';
import { absent, write } from './dynamodb-writer.ts';

/** Claims on external effects: written before the effect, settled after it (architecture.md, decision 5). */
export function dynamodbClaimBook(table: Table): ClaimBook {
  return {
    async claim(id, effect, at) {
      const claimedBy = randomUUID();
      const claim: Claim = { handoffId: id, effect, claimedAt: at, attempts: 0 };
      const key = claimKey(id, effect);
      const first = await write(table, { kind: 'put', item: { ...key, claim, claimedBy, ...openEntry(at, key.pk) }, condition: absent });
      return first || isMine(table, key, claimedBy);
    },

    async settle(id, effect, result, detail, at) {
      const settled = await write(table, settling(claimKey(id, effect), { result, detail, settledAt: at }));
      if (!settled && (await findClaim(table, claimKey(id, effect))) === undefined) throw new Error(`effect ${effect} of ${id} cannot be settled: it was never claimed`);
    },

    trying: (id, effect) => write(table, counting(claimKey(id, effect))),

    hold: async (id, effect, because, outcome) => void (await write(table, holding(claimKey(id, effect), because, outcome === undefined ? 0 : 1))),

    async confirm(id, effect, providerId, at) {
      await write(table, settling(claimKey(id, effect), { result: 'sent', detail: providerId, settledAt: at }));
    },

    find: async (id, effect) => (await findClaim(table, claimKey(id, effect)))?.claim,

    async reclaim(claim, at) {
      const claimedBy = randomUUID();
      const key = claimKey(claim.handoffId, claim.effect);
      const taken = await write(table, reclaiming(key, claim, { at, claimedBy }));
      return taken || isMine(table, key, claimedBy);
    },
  };
}

/** The claims of every message that these receipts led to, in the order of the receipts. */
export async function claimsAbout(table: Table, id: HandoffId, receipts: readonly Receipt[]): Promise<Claim[]> {
  const keys = receipts.flatMap(({ kind, seq }) => [kind, TO_CUSTOMER].flatMap((what) => LINK_CHANNELS.map((channel) => claimKey(id, `${what}:${seq}:${channel}`))));
  const items = keys.length === 0 ? [] : await readItems(table, keys);
  return items.flatMap((item) => (item === undefined ? [] : [parse(ClaimItem, item, 'a stored claim').claim]));
}

/** The first result stands: a later one, such as a callback that came late, changes nothing (CC-04). */
const settling = (key: Key, values: { result: string; detail: string; settledAt: string }) => ({
  kind: 'update' as const,
  key,
  change: 'SET #claim.#result = :result, #claim.#detail = :detail, #settledAt = :settledAt REMOVE #openPk, #openSk',
  condition: UNSETTLED,
  names: { '#pk': 'pk', '#claim': 'claim', '#result': 'result', '#detail': 'detail', '#settledAt': 'settledAt', '#openPk': 'openPk', '#openSk': 'openSk' },
  values: { ':result': values.result, ':detail': values.detail, ':settledAt': values.settledAt },
});

const UNSETTLED = 'attribute_exists(#pk) AND attribute_not_exists(#claim.#result)';

const counting = (key: Key) => ({
  kind: 'update' as const,
  key,
  change: 'SET #claim.#attempts = #claim.#attempts + :one',
  condition: UNSETTLED,
  names: { '#pk': 'pk', '#claim': 'claim', '#result': 'result', '#attempts': 'attempts' },
  values: { ':one': 1 },
});

const holding = (key: Key, because: string, untried: 0 | 1) => ({
  kind: 'update' as const,
  key,
  change: 'SET #claim.#held = :because, #claim.#attempts = #claim.#attempts - :untried',
  condition: UNSETTLED,
  names: { '#pk': 'pk', '#claim': 'claim', '#result': 'result', '#held': 'held', '#attempts': 'attempts' },
  values: { ':because': because, ':untried': untried },
});

/** Succeeds only from the very attempt that the caller saw. */
function reclaiming(key: Key, claim: Claim, { at, claimedBy }: { at: string; claimedBy: string }) {
  const { openPk, openSk } = openEntry(at, key.pk);
  return {
    kind: 'update' as const,
    key,
    change: 'SET #claim.#claimedAt = :at, #claimedBy = :by, #openPk = :openPk, #openSk = :openSk REMOVE #claim.#held',
    condition: `#claim.#attempts = :seen AND #claim.#claimedAt = :since AND attribute_not_exists(#claim.#result) AND ${claim.held === undefined ? 'attribute_not_exists' : 'attribute_exists'}(#claim.#held)`,
    names: {
      '#claim': 'claim',
      '#held': 'held',
      '#attempts': 'attempts',
      '#claimedAt': 'claimedAt',
      '#claimedBy': 'claimedBy',
      '#result': 'result',
      '#openPk': 'openPk',
      '#openSk': 'openSk',
    },
    values: {
      ':seen': claim.attempts,
      ':since': claim.claimedAt,
      ':at': at,
      ':by': claimedBy,
      ':openPk': openPk,
      ':openSk': openSk,
    },
  };
}

/** Whether the claim that stands there is our own write, whose answer got lost (DB-01). */
async function isMine(table: Table, key: Key, claimedBy: string): Promise<boolean> {
  return (await findClaim(table, key))?.claimedBy === claimedBy;
}

async function findClaim(table: Table, key: Key) {
  const item = await readItem(table, key);
  return item === undefined ? undefined : parse(ClaimItem, item, 'a stored claim');
}
