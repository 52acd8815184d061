import { DatabaseSync } from 'node:sqlite';

/**
 * Dynoxide numbers each record of a stream one higher than the highest there is, and finds that one, like the next to read, by looking at
 * all of them: among 20,000 records a write takes fourteen times as long as among 500. This index gives both at once. It only orders what
 * the database keeps itself; a version that keeps it in another way goes on without.
 */
export function orderStreams(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    const kept = db.prepare("SELECT name FROM pragma_table_info('_stream_records') WHERE name IN ('table_name', 'sequence_number')").all();
    if (kept.length === 2) db.exec('CREATE INDEX IF NOT EXISTS local_stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))');
  } finally {
    db.close();
  }
}
