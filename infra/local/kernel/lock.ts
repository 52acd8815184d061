import { DatabaseSync } from 'node:sqlite';

const BUSY = 5;

/** Holds a data folder for this process alone. The system lets go of it when the process ends, however it ends. */
export function lockFolder(file: string, folder: string): () => void {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: 0 });
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const held = db;
    return () => held.close();
  } catch (fault) {
    db?.close();
    throw new Error(whyNot(fault, folder), { cause: fault });
  }
}

function whyNot(fault: unknown, folder: string): string {
  if ((fault as { errcode?: number }).errcode === BUSY) return `Another local runtime is using ${folder}. Stop it, or choose another folder with --data.`;
  return `${folder} cannot be used as data folder (${fault instanceof Error ? fault.message : String(fault)}). Choose another folder with --data.`;
}
