// What wakes a person: a report that did not come, work that stands still, anything in a dead-letter queue, a workflow that ended badly, a bus that cannot deliver, two requests under one id.

import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IRule } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { METRICS } from '../../shared/contracts/metric-names.ts';

export type Watched = { queues: readonly Queue[]; machine: StateMachine; rules: readonly IRule[]; serverErrors: IMetric };

const FIVE_MINUTES = Duration.minutes(5);
/** The most metrics that one alarm may add up. */
const MOST_METRICS = 10;
/** Hours without a published report before it counts as missing: a day, and two for a late run (SC-08). */
const REPORT_HOURS = 26;
/** Three sweeps that repair what stands still, or say nothing at all, are a fault that no sweep repairs. */
const STILL_SWEEPS = 3;

/** Everything that is watched, and the topic that people subscribe to. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { queues, machine, rules, serverErrors }: Watched) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { displayName: 'Baton needs a person', enforceSSL: true });
    this.#missingReport();
    this.#standingStill();
    for (const queue of queues)
      this.#any(
        `${queue.node.path.split('/').slice(1).join('')}`,
        queue.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES, statistic: 'Maximum' }),
        'A dead-letter queue holds something: `baton redrive` shows what, and gives it once more to the function that should have had it.',
      );
    const endings = { Failed: machine.metricFailed, TimedOut: machine.metricTimedOut, Aborted: machine.metricAborted };
    for (const [name, metric] of Object.entries(endings)) {
      this.#any(
        `Executions${name}`,
        metric.call(machine, { period: FIVE_MINUTES, statistic: 'Sum' }),
        'A workflow ended without its handoff; reconcile replaces it, and a person should know why.',
      );
    }
    for (const name of ['FailedInvocations', 'InvocationsSentToDlq', 'InvocationsFailedToBeSentToDlq'])
      for (let from = 0; from < rules.length; from += MOST_METRICS)
        this.#any(`${name}${from === 0 ? '' : from / MOST_METRICS + 1}`, sumOver(rules.slice(from, from + MOST_METRICS), name), `The bus counts ${name} (EB-08).`);
    this.#any(
      'SignalConflicts',
      new Metric({ namespace: METRICS.namespace, metricName: METRICS.signalConflicts, dimensionsMap: { service: METRICS.service }, period: FIVE_MINUTES, statistic: 'Sum' }),
      'A source sent other content under an id it had used (WH-07): nothing opened for it; read it with `baton quarantine list`.',
    );
    this.#any('ServerErrors', serverErrors, 'The front door answers with 5xx: a signal or a click may have been turned away.');
  }

  #missingReport(): void {
    const metric = new Metric({
      namespace: METRICS.namespace,
      metricName: METRICS.reportPublished,
      dimensionsMap: { service: METRICS.service },
      period: Duration.hours(1),
      statistic: 'Sum',
    });
    const alarm = new Alarm(this, 'ReportMissing', {
      alarmDescription: `No orphan report was published for ${REPORT_HOURS} hours: nobody knows what is lost.`,
      metric,
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: REPORT_HOURS,
      datapointsToAlarm: REPORT_HOURS,
      treatMissingData: TreatMissingData.BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }

  /** Work that is stuck fails nowhere, so what it leaves in the table is measured, and so is the silence of whoever measures (OP-07). */
  #standingStill(): void {
    const alarm = new Alarm(this, 'StandingStill', {
      alarmDescription: 'Something is due and nobody does anything about it for a quarter of an hour, or the sweep that would say so does not run: `baton report` shows what.',
      metric: new Metric({
        namespace: METRICS.namespace,
        metricName: METRICS.oldestStandingStill,
        dimensionsMap: { service: METRICS.service },
        period: FIVE_MINUTES,
        statistic: 'Maximum',
      }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: STILL_SWEEPS,
      datapointsToAlarm: STILL_SWEEPS,
      treatMissingData: TreatMissingData.BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }

  #any(id: string, metric: IMetric, alarmDescription: string): void {
    const alarm = new Alarm(this, id, {
      alarmDescription,
      metric,
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}

function sumOver(rules: readonly IRule[], metricName: string): MathExpression {
  const usingMetrics = Object.fromEntries(
    rules.map((rule, at) => [`r${at}`, new Metric({ namespace: 'AWS/Events', metricName, dimensionsMap: { RuleName: rule.ruleName }, period: FIVE_MINUTES, statistic: 'Sum' })]),
  );
  return new MathExpression({
    expression: `SUM([${Object.keys(usingMetrics)
      .map((name) => `FILL(${name}, 0)`)
      .join(', ')}])`,
    usingMetrics,
    period: FIVE_MINUTES,
    label: metricName,
  });
}
