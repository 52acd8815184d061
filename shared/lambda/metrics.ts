// Counts for alarms, in CloudWatch's embedded format: a log line, so counting can never fail a request. Dimensions are never personal (PI-07).

import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { METRICS } from '../contracts/metric-names.ts';

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

const metrics = new Metrics({ namespace: METRICS.namespace, serviceName: METRICS.service });

/** Counts one thing now. */
export function count(name: MetricName, value = 1): void {
  metrics.singleMetric().addMetric(name, MetricUnit.Count, value);
}

/** Says how long something has lasted, in seconds. */
export function measure(name: MetricName, seconds: number): void {
  metrics.singleMetric().addMetric(name, MetricUnit.Seconds, seconds);
}
