import { createHash } from 'node:crypto';
import { ACCOUNT, AwsError, REGION } from '../../kernel/types.ts';
import { readRetryPolicy } from '../eventbridge/rules.ts';
import { boundedOr, type Input, optionalText, recordOf, requiredText } from '../protocol/input.ts';
import { InvalidExpression } from './cron.ts';
import { type Expression, readExpression } from './expression.ts';

export type ScheduleTarget = { arn: string; roleArn: string; input: string | undefined; deadLetterArn: string | undefined; maximumAttempts: number; maximumAgeSeconds: number };

/** A schedule as AWS keeps it. */
export type Definition = {
  name: string;
  group: string;
  arn: string;
  expression: Expression;
  startAt: number | undefined;
  endAt: number | undefined;
  enabled: boolean;
  windowMinutes: number;
  deleteAfterCompletion: boolean;
  target: ScheduleTarget;
  /** What was asked for, as it is shown again. */
  raw: Input;
};

const SUPPORTED = /^arn:aws:(lambda:[^:]+:\d+:function:|sqs:[^:]+:\d+:|states:[^:]+:\d+:stateMachine:)/;
const invalid = (message: string): AwsError => new AwsError('ValidationException', message);

/** Seconds since 1970 from a client, ISO text from a template. */
const instantOf = (input: Input, name: string): number | undefined => {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  const at = typeof value === 'number' ? value * 1000 : Date.parse(String(value));
  if (!Number.isFinite(at)) throw invalid(`${name} is not a time: ${String(value)}`);
  return at;
};

const windowOf = (input: Input): number => {
  const window = recordOf(input, 'FlexibleTimeWindow');
  if (window.Mode === 'OFF') return 0;
  if (window.Mode !== 'FLEXIBLE') throw invalid('FlexibleTimeWindow.Mode must be OFF or FLEXIBLE');
  return boundedOr(window, 'MaximumWindowInMinutes', 0, [1, 1440]);
};

const targetOf = (input: Input): ScheduleTarget => {
  const target = recordOf(input, 'Target');
  const arn = requiredText(target, 'Arn');
  if (!SUPPORTED.test(arn)) throw invalid(`a schedule cannot have ${arn} as its target here (supported: Lambda functions, SQS queues, state machines)`);
  const unknown = Object.keys(target).filter((name) => !['Arn', 'RoleArn', 'Input', 'RetryPolicy', 'DeadLetterConfig'].includes(name));
  if (unknown.length > 0) throw invalid(`The local runtime does not support ${unknown.join(', ')} in a schedule's target`);
  return {
    arn,
    roleArn: requiredText(target, 'RoleArn'),
    input: optionalText(target, 'Input'),
    deadLetterArn: optionalText(recordOf(target, 'DeadLetterConfig'), 'Arn'),
    ...readRetryPolicy(target),
  };
};

const expressionOf = (input: Input): Expression => {
  try {
    return readExpression(requiredText(input, 'ScheduleExpression'), optionalText(input, 'ScheduleExpressionTimezone') ?? 'UTC');
  } catch (error) {
    if (error instanceof InvalidExpression) throw invalid(`Invalid Schedule Expression: ${error.message}`);
    throw error;
  }
};

/** Reads a schedule from a template or a request. Throws `ValidationException` for what AWS refuses. */
export const readDefinition = (name: string, input: Input): Definition => {
  const group = optionalText(input, 'GroupName') ?? 'default';
  const target = targetOf(input);
  if (target.input !== undefined && target.arn.startsWith('arn:aws:lambda')) JSON.parse(target.input);
  return {
    name,
    group,
    arn: `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/${group}/${name}`,
    expression: expressionOf(input),
    startAt: instantOf(input, 'StartDate'),
    endAt: instantOf(input, 'EndDate'),
    enabled: input.State !== 'DISABLED',
    windowMinutes: windowOf(input),
    deleteAfterCompletion: input.ActionAfterCompletion === 'DELETE',
    target,
    raw: input,
  };
};

/** Where in its flexible window a firing falls: the same place every time it is computed. */
export const windowOffset = (definition: Definition, scheduledAt: number): number => {
  if (definition.windowMinutes === 0) return 0;
  const hash = createHash('sha256').update(`${definition.arn} ${scheduledAt}`).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * definition.windowMinutes) * 60_000;
};
