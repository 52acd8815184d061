/** How long one run of `notify` may take. The template sets it as the function's time-out. */
export const NOTIFY_TIMEOUT_SECONDS = 30;

/** A claim that is older than this was left by a run that has ended, however it ended: the time-out, and ten seconds for clocks that differ (LA-03). */
export const CLAIM_LEASE_SECONDS = NOTIFY_TIMEOUT_SECONDS + 10;
