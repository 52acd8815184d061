// What every function has: its own bundle, role, log group and failure queue. A role starts with the right to write its own log and nothing else.

import path from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ApplicationLogLevel, Architecture, type CfnFunction, Code, Function as LambdaFunction, LoggingFormat, Runtime, SystemLogLevel } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueue } from './dead-letter-queue.ts';
import { acknowledgeWildcards } from './wildcards.ts';

export type BatonFunctionProps = {
  /** Folder under functions/. */
  name: string;
  /** Folder that holds one folder of code a function. */
  bundles: string;
  environment: Record<string, string>;
  memory?: number;
  timeoutSeconds?: number;
  /** How old an asynchronous invocation may be before it goes to the failure queue; only for functions that are invoked so. */
  maxEventAge?: Duration;
  /** Concurrency kept for this function alone: a number, or a token that may resolve to nothing. */
  reservedConcurrency?: number;
};

/** One function of Baton. */
export class BatonFunction extends Construct {
  readonly lambda: LambdaFunction;
  /** Where asynchronous invocations end that failed three times (EB-10, LA-02). */
  readonly failed: Queue | undefined;
  readonly #role: Role;

  constructor(scope: Construct, id: string, props: BatonFunctionProps) {
    super(scope, id);
    const logGroup = new LogGroup(this, 'Log', { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY });
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn);
    this.lambda = new LambdaFunction(this, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(path.join(props.bundles, props.name)),
      handler: 'index.handler',
      role: this.#role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: SystemLogLevel.WARN,
      memorySize: props.memory ?? 512,
      timeout: Duration.seconds(props.timeoutSeconds ?? 15),
      environment: props.environment,
    });
    if (props.reservedConcurrency !== undefined) (this.lambda.node.defaultChild as CfnFunction).reservedConcurrentExecutions = props.reservedConcurrency;
    this.failed = props.maxEventAge === undefined ? undefined : this.#onFailure(props.maxEventAge);
  }

  /** Adds one Allow to this function's role: these actions, on these resources. */
  allow(actions: string[], ...resources: string[]): void {
    this.#role.addToPolicy(new PolicyStatement({ effect: Effect.ALLOW, actions, resources }));
  }

  /** Adds one Allow on resources with a wildcard; `reason` says why no narrower one exists, and is the suppression's reason too. */
  allowWildcard({ actions, resources, reason, conditions }: { actions: string[]; resources: string[]; reason: string; conditions?: Record<string, Record<string, string>> }): void {
    this.#role.addToPolicy(new PolicyStatement({ effect: Effect.ALLOW, actions, resources, ...(conditions !== undefined && { conditions }) }));
    acknowledgeWildcards(this.#role, resources, reason);
  }

  #onFailure(maxEventAge: Duration): Queue {
    const failed = deadLetterQueue(this, 'Failed');
    // CDK's own destination would grant two more actions, which Lambda does not use.
    this.allow(['sqs:SendMessage'], failed.queueArn);
    this.lambda.configureAsyncInvoke({ retryAttempts: 2, maxEventAge, onFailure: { bind: () => ({ destination: failed.queueArn }) } });
    return failed;
  }
}
