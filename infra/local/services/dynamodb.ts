import { AwsError, type AwsRequest, type AwsResponse, type AwsService, type Kernel, type Provisioned, type Provisioner, type Resource } from '../kernel/types.ts';
import { DESCRIBING, OPERATIONS, tablesWritten } from './dynamodb/actions.ts';
import { EngineClient } from './dynamodb/client.ts';
import { type Engine, startEngine } from './dynamodb/engine.ts';
import { expireItems } from './dynamodb/expiry.ts';
import { type LocalTable, makeTable, provisionedTable, TABLE_PROPERTIES } from './dynamodb/table.ts';

/** DynamoDB: a real database behind the permission check, with tables from the template. */
export class DynamoDb implements AwsService, Provisioner {
  readonly signingName = 'dynamodb';
  readonly protocol = 'json-1.0';
  readonly properties = TABLE_PROPERTIES;
  readonly client: EngineClient;
  readonly engineName: string;
  readonly #kernel: Kernel;
  readonly #engine: Engine;
  readonly #tables = new Map<string, LocalTable>();
  readonly #onWrite: ((table: string) => void)[] = [];

  constructor(kernel: Kernel, engine: Engine) {
    this.#kernel = kernel;
    this.#engine = engine;
    this.engineName = engine.name;
    this.client = new EngineClient(engine.endpoint);
  }

  /** Calls `listener` after each write that succeeded, with the table's name. */
  onWrite(listener: (table: string) => void): void {
    this.#onWrite.push(listener);
  }

  tables(): LocalTable[] {
    return [...this.#tables.values()];
  }

  async provision(resource: Resource): Promise<Provisioned> {
    const table = await makeTable(this.client, resource);
    this.#tables.set(table.name, table);
    const keys = (resource.properties.KeySchema as { AttributeName: string }[]).map((key) => key.AttributeName);
    expireItems(table, { kernel: this.#kernel, client: this.client, keysOf: async () => keys, onDeleted: (name) => this.#written([name]) });
    return provisionedTable(table);
  }

  async handle({ operation, body, caller, headers }: AwsRequest): Promise<AwsResponse> {
    const needs = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
    if (!needs)
      throw new AwsError(
        'UnknownOperationException',
        `DynamoDB operation ${operation} does not exist in the local runtime (supported: ${Object.keys(OPERATIONS).join(', ')}). Tables come from the template.`,
      );
    const input = readInput(body);
    for (const { action, resource } of needs(input)) this.#kernel.iam.authorize(caller, action, resource);
    const answer = await this.client.send(headers['x-amz-target'] ?? `DynamoDB_20120810.${operation}`, body, DESCRIBING.has(operation));
    if (answer.status < 300) this.#written(tablesWritten(operation, input));
    return answer;
  }

  async stop(): Promise<void> {
    this.client.stop();
    await this.#engine.stop();
  }

  #written(tables: readonly string[]): void {
    for (const table of tables) for (const listener of this.#onWrite) listener(table);
  }
}

/** Starts the database and puts DynamoDB in front of it. */
export async function dynamoDb(kernel: Kernel, dataDir: string): Promise<DynamoDb> {
  return new DynamoDb(kernel, await startEngine(dataDir));
}

function readInput(body: Buffer): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(body.toString('utf8') || '{}');
    if (typeof input === 'object' && input !== null) return input as Record<string, unknown>;
  } catch {
    // Falls through: the same answer as for JSON that is not an object.
  }
  throw new AwsError('SerializationException', 'The request body is not a JSON object.');
}
