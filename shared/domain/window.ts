// When a window ends. Wall time today; business time comes behind the same function.

import type { Calendar, Window } from './policy.ts';

/** The instant a window that starts at `startsAt` ends. `calendars` is what a window may name; wall time ignores it. */
export function deadlineAfter(startsAt: string, window: Window, _calendars: readonly Calendar[]): string {
  return new Date(Date.parse(startsAt) + window.seconds * 1000).toISOString();
}
