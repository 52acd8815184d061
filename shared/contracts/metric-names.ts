/** Where every count of Baton is found in CloudWatch. The functions count here, and the alarms look here: one dimension, the same for all. */
export const METRICS = {
  namespace: 'Baton',
  service: 'baton',
  reportPublished: 'ReportPublished',
  signalConflicts: 'SignalConflicts',
  oldestStandingStill: 'OldestStandingStill',
} as const;
