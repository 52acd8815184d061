// In whose hours times are printed.

import { UsageError } from './command.ts';

export const ZONE_OPTION = { zone: { type: 'string', default: Intl.DateTimeFormat().resolvedOptions().timeZone } } as const;

export const ZONE_HELP = "  --zone ZONE      IANA zone of days and times (default: this machine's)";

/** The zone by its own name. Throws `UsageError` for anything else. */
export function knownZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new UsageError(`--zone takes an IANA zone such as America/Los_Angeles, not "${zone}".`);
  }
}
