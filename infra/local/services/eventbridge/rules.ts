import { ACCOUNT, REGION, type Resource } from '../../kernel/types.ts';
import { boundedOr, type Input, optionalText, recordOf, recordsOf, requiredText } from '../protocol/input.ts';
import { readTargetInput, type TargetInput } from './input-transform.ts';
import { compilePattern, type EventPattern } from './pattern.ts';
import { busName } from './put-events.ts';

export type Target = { id: string; arn: string; input: TargetInput; deadLetterArn: string | undefined; maximumAttempts: number; maximumAgeSeconds: number; raw: Input };

export type Rule = { name: string; arn: string; bus: string; enabled: boolean; description: string; patternText: string; pattern: EventPattern; targets: Target[] };

const DAY = 86_400;
const SUPPORTED = /^arn:aws:(lambda:[^:]+:\d+:function:|sqs:[^:]+:\d+:)/;

/** The retry settings of a target, within AWS's limits; its defaults are 185 attempts in 24 hours (EB-07). */
export const readRetryPolicy = (target: Input, shortestAge = 60): { maximumAttempts: number; maximumAgeSeconds: number } => {
  const policy = recordOf(target, 'RetryPolicy');
  return { maximumAttempts: boundedOr(policy, 'MaximumRetryAttempts', 185, [0, 185]), maximumAgeSeconds: boundedOr(policy, 'MaximumEventAgeInSeconds', DAY, [shortestAge, DAY]) };
};

const readTarget = (raw: Input): Target => {
  const arn = requiredText(raw, 'Arn');
  if (!SUPPORTED.test(arn)) throw new Error(`a rule cannot have ${arn} as its target here (supported: Lambda functions, SQS queues)`);
  return { id: requiredText(raw, 'Id'), arn, input: readTargetInput(raw), deadLetterArn: optionalText(recordOf(raw, 'DeadLetterConfig'), 'Arn'), ...readRetryPolicy(raw), raw };
};

/** Reads a rule of the template. Throws for anything AWS would refuse at deployment. */
export const readRule = ({ logicalId, properties }: Resource): Rule => {
  const name = String(properties.Name ?? logicalId);
  const bus = busName(properties.EventBusName);
  if (properties.EventPattern === undefined) throw new Error('a rule needs an EventPattern here; schedules belong to EventBridge Scheduler (SC-03)');
  const targets = recordsOf(properties, 'Targets').map(readTarget);
  if (targets.length > 5) throw new Error(`a rule has at most five targets, not ${targets.length}`);
  const arn = `arn:aws:events:${REGION}:${ACCOUNT}:rule/${bus === 'default' ? '' : `${bus}/`}${name}`;
  const patternText = JSON.stringify(properties.EventPattern);
  const state = properties.State ?? 'ENABLED';
  return {
    name,
    arn,
    bus,
    enabled: state !== 'DISABLED',
    description: String(properties.Description ?? ''),
    patternText,
    pattern: compilePattern(properties.EventPattern),
    targets,
  };
};
