// One way to write a log line. A line is a constant code with a constant sentence, and only the fields listed here (PI-02).

import { Logger } from '@aws-lambda-powertools/logger';
import { redact } from './redact.ts';
import { sourcePlace } from './source-place.ts';

/** Everything a log line may carry. Ids and counts; a new field is added here, by somebody who thought about personal data. */
export type LogFields = {
  handoffId?: string | undefined;
  commandId?: string | undefined;
  effect?: string | undefined;
  eventId?: string | undefined;
  source?: string | undefined;
  detailType?: string | undefined;
  kind?: string | undefined;
  outcome?: string | undefined;
  because?: string | undefined;
  status?: number | undefined;
  count?: number | undefined;
  paths?: readonly string[] | undefined;
};

const ALLOWED: ReadonlySet<string> = new Set<keyof LogFields>([
  'handoffId',
  'commandId',
  'effect',
  'eventId',
  'source',
  'detailType',
  'kind',
  'outcome',
  'because',
  'status',
  'count',
  'paths',
]);

const powertools = new Logger({ serviceName: process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'baton' });

/** What happened, for whoever reads the log; `code` is what a query or an alarm looks for. */
export const logger = {
  info: (code: string, sentence: string, fields: LogFields = {}) => powertools.info(sentence, { code, ...allowed(fields) }),
  warn: (code: string, sentence: string, fields: LogFields = {}) => powertools.warn(sentence, { code, ...allowed(fields) }),
  error: (code: string, sentence: string, fault: unknown, fields: LogFields = {}) => powertools.error(sentence, { code, ...allowed(fields), fault: described(fault) }),
};

/** Only the listed fields, whatever a caller without types passes. */
export const allowed = (fields: LogFields): Record<string, unknown> => Object.fromEntries(Object.entries(fields).filter(([key, value]) => ALLOWED.has(key) && value !== undefined));

type Described = { name: string; message: string; at?: string; cause?: Described };

/** A fault with its causes: name, redacted message and the place it came from. */
export function described(fault: unknown, depth = 0): Described {
  if (!(fault instanceof Error)) return { name: 'NotAnError', message: typeof fault };
  const at = fault.stack
    ?.split('\n')
    .find((line) => line.trim().startsWith('at '))
    ?.trim();
  return {
    name: fault.name,
    message: redact(fault.message),
    ...(at !== undefined && { at: sourcePlace(at) }),
    ...(fault.cause !== undefined && depth < 3 && { cause: described(fault.cause, depth + 1) }),
  };
}
