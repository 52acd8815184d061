// What is known of a meeting.

import type { PersonId } from './ids.ts';

/** A meeting that stands. `heldBy` owned the request when it was made or taken over, and does no longer. */
export type Meeting = { from: 'booking' | 'promise'; at?: string; heldBy?: PersonId };

/** What an arrival says of a meeting. */
export type MeetingNews = { at?: string; canceled?: true };
