import { DatabaseSync } from 'node:sqlite';

/** Holds a data folder for this process alone. The system lets go of it when the process ends, however it ends. */
export function lockFolder(file: string, folder: string): () => void {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (fault) {
    db.close();
    throw new Error(`Another local runtime is using ${folder}. Stop it, or choose another folder with --data.`, { cause: fault });
  }
  return () => db.close();
}
