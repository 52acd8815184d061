import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

export type Machine = { arn: string; name: string; roleArn: string; definition: string; createdAt: number; revision: string };

const machineOf = (row: Record<string, unknown>): Machine => ({
  arn: String(row.arn),
  name: String(row.name),
  roleArn: String(row.role_arn),
  definition: String(row.definition),
  createdAt: Number(row.created_at),
  revision: String(row.revision),
});

/** State machines as the template last declared them. */
export class MachineTable {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Creates or changes a machine. Its creation date stays; running executions keep the definition they started with. */
  put(machine: Omit<Machine, 'revision'>): Machine {
    const revision = createHash('sha256').update(machine.definition).update(machine.roleArn).digest('hex').slice(0, 32);
    this.#db
      .prepare(
        `INSERT INTO sfn_machines (arn, name, role_arn, definition, created_at, revision) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (arn) DO UPDATE SET role_arn = excluded.role_arn, definition = excluded.definition, revision = excluded.revision`,
      )
      .run(machine.arn, machine.name, machine.roleArn, machine.definition, machine.createdAt, revision);
    return { ...machine, revision };
  }

  find(arn: string): Machine | undefined {
    const row = this.#db.prepare('SELECT * FROM sfn_machines WHERE arn = ?').get(arn);
    return row && machineOf(row);
  }

  list(): Machine[] {
    return this.#db.prepare('SELECT * FROM sfn_machines ORDER BY name').all().map(machineOf);
  }
}
