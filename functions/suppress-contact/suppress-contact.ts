// "No more messages" takes effect at once, also for staff: the book is asked before every send (MS-08, MS-14, MS-15).

import type { ContactChoice } from '../../shared/domain/announcement.ts';
import type { SuppressionBook } from '../../shared/ports/suppression-book.ts';

/** Notes the choice behind an announcement. Harmless to repeat, and in any order. */
export async function suppressContact({ suppressions }: { suppressions: SuppressionBook }, choice: ContactChoice): Promise<void> {
  await suppressions.note(choice);
}
