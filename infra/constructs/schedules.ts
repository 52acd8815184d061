import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { BatonFunction } from './baton-function.ts';
import { deadLetterQueue } from './dead-letter-queue.ts';

type ScheduleProps = {
  target: BatonFunction;
  /** `cron(...)` or `rate(...)`; only EventBridge Scheduler knows zones (SC-03). */
  expression: string;
  zone?: string;
  /** How long a missed start may be made up for, in seconds. */
  maximumAgeSeconds: number;
  description: string;
};

/** Starts a function by the clock. Delivery is at least once; the scheduled instant in the input is the key of the run (SC-06). */
export function schedule(scope: Construct, id: string, props: ScheduleProps): Queue {
  const undelivered = deadLetterQueue(scope, `${id}Undelivered`);
  const role = new Role(scope, `${id}Role`, {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } } }),
  });
  role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [props.target.lambda.functionArn] }));
  role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [undelivered.queueArn] }));
  const cfn = new CfnSchedule(scope, `${id}Schedule`, {
    description: props.description,
    scheduleExpression: props.expression,
    ...(props.zone !== undefined && { scheduleExpressionTimezone: props.zone }),
    flexibleTimeWindow: { mode: 'OFF' },
    state: 'ENABLED',
    target: {
      arn: props.target.lambda.functionArn,
      roleArn: role.roleArn,
      input: JSON.stringify({ schemaVersion: '1', scheduledAt: '<aws.scheduler.scheduled-time>' }),
      retryPolicy: { maximumEventAgeInSeconds: props.maximumAgeSeconds, maximumRetryAttempts: 20 },
      deadLetterConfig: { arn: undelivered.queueArn },
    },
  });
  cfn.node.addDependency(role);
  return undelivered;
}
