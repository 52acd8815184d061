// Counts for alarms, in CloudWatch's embedded format: a log line, so counting can never fail a request. Dimensions are never personal (PI-07).

import { METRICS } from '../contracts/metric-names.ts';
import { writeFigure } from './log-line.ts';

/** The figures Baton counts. Alarms watch those of `METRICS`; the others are for people. */
export type MetricName =
  | typeof METRICS.reportPublished
  | typeof METRICS.signalConflicts
  | typeof METRICS.oldestStandingStill
  | 'ContractErrors'
  | 'WakeupStale'
  | 'MessagesSent'
  | 'MessagesRefused'
  | 'Repaired'
  | 'Accepted'
  | 'WaitsFailed';

/** Counts one thing now. */
export function count(name: MetricName, value = 1): void {
  writeFigure(METRICS, { name, unit: 'Count', value });
}

/** Says how long something has lasted, in seconds. */
export function measure(name: MetricName, seconds: number): void {
  writeFigure(METRICS, { name, unit: 'Seconds', value: seconds });
}
