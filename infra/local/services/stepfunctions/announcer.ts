import type { Kernel } from '../../kernel/types.ts';
import { parseJson } from './tables.ts';

/** Tells the default bus about changes of status, in order. A change is in the journal with the step that made it, so it is told at least once. */
export class Announcer {
  readonly #kernel: Kernel;
  #flushing: Promise<void> | undefined;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    this.#flushing = this.#tellAll();
    try {
      await this.#flushing;
    } finally {
      this.#flushing = undefined;
    }
  }

  async #tellAll(): Promise<void> {
    const { db } = this.#kernel;
    for (let row = this.#first(); row; row = this.#first()) {
      try {
        await this.#kernel.services.events.putServiceEvent({
          source: 'aws.states',
          detailType: 'Step Functions Execution Status Change',
          resources: [String(row.execution)],
          detail: parseJson(row.detail),
        });
      } catch (fault) {
        this.#kernel.log({ service: 'states', message: 'A status change could not be announced; it stays in the journal.', fault: String(fault) });
        return;
      }
      db.prepare('DELETE FROM sfn_announcements WHERE id = ?').run(Number(row.id));
    }
  }

  #first(): Record<string, unknown> | undefined {
    return this.#kernel.db.prepare('SELECT id, execution, detail FROM sfn_announcements ORDER BY id LIMIT 1').get();
  }
}
