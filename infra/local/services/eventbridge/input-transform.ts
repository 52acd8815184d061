import { isRecord } from '../protocol/input.ts';

/** How a rule turns the event into what the target gets. */
export type TargetInput =
  | { kind: 'event' }
  | { kind: 'constant'; json: string }
  | { kind: 'path'; path: string }
  | { kind: 'template'; paths: Record<string, string>; template: string };

/** What the predefined variables stand for. */
export type RuleFacts = { ruleArn: string; ruleName: string; ingestedAt: string };

const STEP = /\.([A-Za-z0-9_-]+)|\[(\d+)\]|\['([^']+)'\]/y;

/** The steps of a JSON path as EventBridge reads it (`$.detail.list[0]`). Throws on anything else, wildcards among them. */
export const readPath = (path: string): (string | number)[] => {
  if (!path.startsWith('$')) throw new Error(`the JSON path ${path} must begin with $`);
  const steps: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const from = STEP.lastIndex;
    const step = STEP.exec(path);
    if (step === null) throw new Error(`the JSON path ${path} is not supported from "${path.slice(from)}" (supported: .name, ['name'], [0])`);
    steps.push(step[2] === undefined ? (step[1] ?? step[3] ?? '') : Number(step[2]));
  }
  return steps;
};

const pick = (event: unknown, path: string): unknown =>
  readPath(path).reduce<unknown>((value, step) => {
    if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined;
    return isRecord(value) ? value[step] : undefined;
  }, event);

const predefined = (event: unknown, facts: RuleFacts): Record<string, unknown> => ({
  'aws.events.rule-arn': facts.ruleArn,
  'aws.events.rule-name': facts.ruleName,
  'aws.events.event.ingestion-time': facts.ingestedAt,
  'aws.events.event': withoutDetail(event),
  'aws.events.event.json': event,
});

const withoutDetail = (event: unknown): unknown => {
  if (!isRecord(event)) return event;
  const { detail: _, ...rest } = event;
  return rest;
};

/** Inside quotes a value appears as text without quotes of its own; outside, as JSON. A value that is not there is empty text. */
const render = (value: unknown, quoted: boolean): string => {
  if (!quoted) return value === undefined ? '""' : JSON.stringify(value);
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  return JSON.stringify(text).slice(1, -1);
};

const fill = (template: string, values: Record<string, unknown>): string => {
  let quoted = false;
  return template.replace(/\\.|"|<([^<>\s]+)>/g, (found, name: string | undefined) => {
    if (found === '"') quoted = !quoted;
    return name === undefined || !Object.hasOwn(values, name) ? found : render(values[name], quoted);
  });
};

const asJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return JSON.stringify(text);
  }
};

/** The JSON text a target gets for this event. */
export const targetPayload = (input: TargetInput, event: unknown, facts: RuleFacts): string => {
  if (input.kind === 'constant') return input.json;
  if (input.kind === 'path') return JSON.stringify(pick(event, input.path) ?? null);
  if (input.kind === 'event') return JSON.stringify(event);
  const values = Object.fromEntries(Object.entries(input.paths).map(([name, path]) => [name, pick(event, path)]));
  return asJson(fill(input.template, { ...predefined(event, facts), ...values }));
};

/** Reads the input settings of a rule's target. At most one of them may be given, as on AWS. */
export const readTargetInput = (target: Record<string, unknown>): TargetInput => {
  const given = ['Input', 'InputPath', 'InputTransformer'].filter((name) => target[name] !== undefined);
  if (given.length > 1) throw new Error(`only one of Input, InputPath, InputTransformer may be given, not ${given.join(' and ')}`);
  if (target.Input !== undefined) return { kind: 'constant', json: JSON.stringify(JSON.parse(String(target.Input))) };
  if (target.InputPath !== undefined) return path(String(target.InputPath));
  if (!isRecord(target.InputTransformer)) return { kind: 'event' };
  const paths = (target.InputTransformer.InputPathsMap ?? {}) as Record<string, string>;
  for (const each of Object.values(paths)) readPath(each);
  return { kind: 'template', paths, template: String(target.InputTransformer.InputTemplate ?? '') };
};

const path = (text: string): TargetInput => {
  readPath(text);
  return { kind: 'path', path: text };
};
