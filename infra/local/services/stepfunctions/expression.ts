import jsonata from 'jsonata';
import { evaluationError } from './failure.ts';
import { functionsAt } from './jsonata-functions.ts';

/** What an expression can see: `$states`, the workflow variables in reach, and the time. */
export type Scope = {
  states: { input: unknown; context: unknown; result?: unknown; errorOutput?: unknown };
  variables: Record<string, unknown>;
  now: number;
};

/** Only a string that begins with `{%` and ends with `%}` is an expression; everything else means itself. */
export function isExpression(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 4 && value.startsWith('{%') && value.endsWith('%}');
}

export function expressionText(value: string): string {
  return value.slice(2, -2).trim();
}

const compiled = new Map<string, jsonata.Expression>();

/** Compiles once per text. Throws JSONata's own error for a syntax error. */
export function compile(text: string): jsonata.Expression {
  const known = compiled.get(text);
  if (known) return known;
  const expression = jsonata(text);
  compiled.set(text, expression);
  return expression;
}

type JsonataFault = { code?: string; message?: string };

async function evaluateExpression(text: string, location: string, scope: Scope): Promise<unknown> {
  const about = `The JSONata expression '${text}' specified for the field '${location}'`;
  let value: unknown;
  try {
    value = await compile(text).evaluate(undefined, { ...functionsAt(scope.now), ...scope.variables, states: scope.states });
  } catch (fault) {
    const { code, message } = fault as JsonataFault;
    throw evaluationError(`${about} threw an error during evaluation. ${code ? `${code}: ` : ''}${message ?? String(fault)}`, location);
  }
  if (value === undefined) throw evaluationError(`${about} returned nothing (undefined).`, location);
  const plain = typeof value === 'function' || isLambda(value) ? undefined : JSON.stringify(value);
  if (plain === undefined) throw evaluationError(`${about} returned an unsupported result type.`, location);
  return JSON.parse(plain);
}

function isLambda(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('_jsonata_lambda' in value || '_jsonata_function' in value);
}

/** Replaces every expression in a JSON value. `field` names the place in error messages: `Arguments/Payload`. */
export async function evaluate(template: unknown, field: string, scope: Scope): Promise<unknown> {
  if (isExpression(template)) return evaluateExpression(expressionText(template), field, scope);
  if (Array.isArray(template)) {
    const items: unknown[] = [];
    for (const [index, item] of template.entries()) items.push(await evaluate(item, `${field}[${index}]`, scope));
    return items;
  }
  if (typeof template !== 'object' || template === null) return template;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(template)) entries.push([key, await evaluate(value, `${field}/${key}`, scope)]);
  return Object.fromEntries(entries);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Evaluates a field that must give a value of one type. */
export async function evaluateTo(type: 'array' | 'boolean' | 'number' | 'string', template: unknown, field: string, scope: Scope): Promise<unknown> {
  const value = await evaluate(template, field, scope);
  if (typeName(value) === type) return value;
  const about = isExpression(template) ? `The JSONata expression '${expressionText(template)}' specified for the field` : 'The value of the field';
  throw evaluationError(`${about} '${field}' returned an unexpected result type. Expected '${type}', but was '${typeName(value)}' for value: ${JSON.stringify(value)}`, field);
}

/** Evaluates a field that must give a whole number within bounds. */
export async function evaluateInteger(template: unknown, field: string, scope: Scope, bounds: { from: number; to: number }): Promise<number> {
  const value = (await evaluateTo('number', template, field, scope)) as number;
  if (Number.isInteger(value) && value >= bounds.from && value <= bounds.to) return value;
  throw evaluationError(`The field '${field}' must be an integer from ${bounds.from} to ${bounds.to}, but was: ${value}`, field);
}
