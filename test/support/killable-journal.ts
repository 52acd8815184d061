// A journal that dies at a chosen write, as a process does under `kill -9`: what was committed stays, nothing more is written.

import type { DatabaseSync, StatementSync } from 'node:sqlite';

export type KillableJournal = { db: DatabaseSync; writes(): number; dead(): boolean };

const WRITES = /^\s*(INSERT|UPDATE|DELETE)/i;

/** Passes everything to `real` until write number `killAt`; from then on every use throws. An open transaction is undone, as the next process would. */
export function killableJournal(real: DatabaseSync, killAt: number): KillableJournal {
  let writes = 0;
  let dead = false;
  const die = (): never => {
    dead = true;
    if (real.isTransaction) real.exec('ROLLBACK');
    throw new Error('the process was killed');
  };
  const alive = (): void => {
    if (dead) throw new Error('the process was killed');
  };
  const onWrite = (sql: string): void => {
    if (!WRITES.test(sql)) return;
    if (writes === killAt) die();
    writes += 1;
  };
  const statement = (sql: string): Pick<StatementSync, 'run' | 'get' | 'all'> => {
    const prepared = real.prepare(sql);
    return {
      run(...values: never[]) {
        alive();
        onWrite(sql);
        return prepared.run(...values);
      },
      get(...values: never[]) {
        alive();
        return prepared.get(...values);
      },
      all(...values: never[]) {
        alive();
        return prepared.all(...values);
      },
    } as never;
  };
  const db = {
    exec(sql: string) {
      alive();
      real.exec(sql);
    },
    prepare(sql: string) {
      alive();
      return statement(sql);
    },
    get isTransaction() {
      return !dead && real.isTransaction;
    },
  };
  return { db: db as never, writes: () => writes, dead: () => dead };
}
