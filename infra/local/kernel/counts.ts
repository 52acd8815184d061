/** One kind of request to a service, and how often it was made since the boot. */
export type RequestCount = {
  /** Name of the function, `operator` for any other client. */
  caller: string;
  service: string;
  operation: string;
  requests: number;
  /** What the requests carried: items of a transaction or batch, entries of a PutEvents; otherwise one each. */
  entries: number;
  /** Bodies of the requests, in bytes. */
  bytes: number;
  /** How many were answered with an error. */
  refused: number;
};

type Counted = Omit<RequestCount, 'requests' | 'refused'> & { refused: boolean };

/** Counts requests, so that somebody can say what one thing costs. Kept in memory: the counts begin with the boot. */
export class Counts {
  readonly #requests = new Map<string, RequestCount>();

  add({ caller, service, operation, entries, bytes, refused }: Counted): void {
    const key = `${caller} ${service} ${operation}`;
    const counted = this.#requests.get(key) ?? { caller, service, operation, requests: 0, entries: 0, bytes: 0, refused: 0 };
    counted.requests += 1;
    counted.entries += entries;
    counted.bytes += bytes;
    counted.refused += refused ? 1 : 0;
    this.#requests.set(key, counted);
  }

  requests(): RequestCount[] {
    return [...this.#requests.values()].map((counted) => ({ ...counted })).sort((a, b) => name(a).localeCompare(name(b)));
  }
}

const name = ({ caller, service, operation }: RequestCount) => `${caller} ${service} ${operation}`;

/** Members that hold what a request carries, by operation. */
const CARRIED: Readonly<Record<string, string>> = { TransactWriteItems: 'TransactItems', TransactGetItems: 'TransactItems', PutEvents: 'Entries', SendMessageBatch: 'Entries' };

/** How many items or entries the body of a JSON request carries. */
export function entriesOf(operation: string, body: Buffer): number {
  if (operation === 'BatchGetItem') return batchKeys(body);
  const member = CARRIED[operation];
  if (member === undefined) return 1;
  const list = parsed(body)[member];
  return Array.isArray(list) ? list.length : 1;
}

function batchKeys(body: Buffer): number {
  const tables = (parsed(body).RequestItems ?? {}) as Record<string, { Keys?: unknown[] }>;
  return Object.values(tables).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
