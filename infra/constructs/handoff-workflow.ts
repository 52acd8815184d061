import { readFileSync } from 'node:fs';
import path from 'node:path';
import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { BatonFunction } from './baton-function.ts';
import { acknowledgeWildcards } from './wildcards.ts';

const DEFINITION = path.join(import.meta.dirname, '..', '..', 'statemachines', 'handoff.asl.json');

/** The functions the definition names as `${Name}`. */
export type Steps = Record<'ResolveCandidates' | 'RequestAcceptance' | 'RaiseException' | 'AwaitNextStep' | 'AdvanceClock', BatonFunction>;

/**
 * The machine that waits for people. Its role may invoke its five functions and all their versions (`fn` and `fn:*`, so that
 * executions in flight survive a change to versions, SF-22), and nothing else of Baton. The log holds no execution data (PI-01).
 */
export function handoffWorkflow(scope: Construct, steps: Steps): StateMachine {
  const stack = Stack.of(scope);
  const role = new Role(scope, 'WorkflowRole', {
    assumedBy: new ServicePrincipal('states.amazonaws.com', { conditions: { StringEquals: { 'aws:SourceAccount': stack.account } } }),
  });
  for (const step of Object.values(steps)) {
    const versions = `${step.lambda.functionArn}:*`;
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [step.lambda.functionArn, versions] }));
    acknowledgeWildcards(role, [versions], 'executions in flight must reach every version of the function (SF-22)');
  }
  const machine = new StateMachine(scope, 'HandoffWorkflow', {
    stateMachineType: StateMachineType.STANDARD,
    definitionBody: DefinitionBody.fromString(JSON.stringify(JSON.parse(readFileSync(DEFINITION, 'utf8')))),
    definitionSubstitutions: Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, step.lambda.functionArn])),
    role,
    logs: {
      // Named, because only this prefix escapes the size limit of the account's log delivery policy (CD-06).
      destination: new LogGroup(scope, 'WorkflowLog', {
        logGroupName: `/aws/vendedlogs/states/${stack.stackName}-handoff`,
        retention: RetentionDays.ONE_MONTH,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
      level: LogLevel.ALL,
      includeExecutionData: false,
    },
  });
  acknowledgeWildcards(role, ['*'], 'log delivery of Step Functions knows no resource; CDK adds it with the log');
  Validations.of(machine).acknowledge({ id: 'AwsSolutions-SF2', reason: 'receipts are the trace of a handoff; X-Ray would keep a second one for 30 days' });
  return machine;
}
