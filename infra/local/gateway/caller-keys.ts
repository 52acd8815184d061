import { createHash } from 'node:crypto';
import type { Caller } from '../kernel/types.ts';

type Role = Extract<Caller, { kind: 'role' }>;

/** Access key ids of the roles that functions run under. Any other key belongs to the operator. */
export class CallerKeys {
  readonly #roles = new Map<string, Role>();

  /** The access key id of a role; the same role always gets the same one. */
  keyOf(role: Role): string {
    const key = `BATON${createHash('sha256').update(`${role.roleArn} ${role.name}`).digest('hex').slice(0, 15).toUpperCase()}`;
    this.#roles.set(key, role);
    return key;
  }

  callerOf(accessKeyId: string): Caller {
    return this.#roles.get(accessKeyId) ?? { kind: 'operator' };
  }
}
