// Counts for alarms, in CloudWatch's embedded format: a log line, so counting can never fail a request. Dimensions are never personal (PI-07).

import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Namespace of every figure below; the alarms in infra/constructs name it too. */
export const METRIC_NAMESPACE = 'Baton';

/** The figures Baton counts. An alarm watches `ReportPublished`; the others are for people. */
export type MetricName = 'ReportPublished' | 'ContractErrors' | 'WakeupStale' | 'MessagesSent' | 'MessagesRefused' | 'Repaired' | 'Accepted' | 'WaitsFailed' | 'SignalConflicts';

const metrics = new Metrics({ namespace: METRIC_NAMESPACE });

/** Counts one thing now, without dimensions. */
export function count(name: MetricName, value = 1): void {
  metrics.singleMetric().addMetric(name, MetricUnit.Count, value);
}
