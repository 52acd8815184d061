// What automations post: our published lead, or a record of theirs in any nesting.

import { ContractError } from '../contracts/contract-error.ts';
import type { Delivery, Reading } from '../ports/signal-source.ts';
import { readSubmission } from './form-signal.ts';
import type { Locale } from './provider.ts';
import { mediaTypeOf, readForm } from './read-form.ts';
import { type JsonObject, type JsonValue, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import type { Field } from './stated-signal.ts';

const IDS = ['request_id', 'execution_id'];
const TIMES = ['submitted_at', 'created_at', 'created', 'date_created'];
/** About the automation itself. */
const SAID: ReadonlySet<string> = new Set([...IDS, 'test', 'source']);

/** A record by the names of its fields; a field inside others goes by its own name where that is clear, and by its path where it is not. */
export function readAutomation(source: string, delivery: Delivery, receivedAt: string, locale: Locale): Reading {
  const fields = mediaTypeOf(delivery) === 'application/json' ? leavesIn(readJson(new TextDecoder().decode(delivery.body))) : readForm(delivery);
  if (fields === undefined) return { kind: 'unreadable' };
  const of = (names: readonly string[]) => names.flatMap((name) => fields.find(([key, value]) => key === name && textOf(value) !== undefined)?.[1] ?? []).at(0);
  const test = ['true', true].includes(of(['test']) as string | boolean);
  const time = TIMES.find((name) => of([name]) !== undefined);
  const answers = fields.filter(([name]) => !SAID.has(name) && name !== time);
  const context = fields.filter(([name]) => name === 'source');
  return readSubmission({ source, id: [of(IDS)], at: time === undefined ? undefined : of([time]), answers, context, test }, delivery, receivedAt, locale);
}

/** The fields of the record, or of the one record in a list. Undefined when it is not JSON. */
function leavesIn(value: JsonValue | undefined): Field[] | undefined {
  if (value === undefined) return undefined;
  const record = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isObject(record)) throw new ContractError('the record', ['(whole)']);
  const leaves = [...leavesOf(record, '')];
  const count = new Map<string, number>();
  for (const { name } of leaves) count.set(name, (count.get(name) ?? 0) + 1);
  return leaves.map(({ name, path, value: leaf }): Field => [count.get(name) === 1 || path === name ? name : path, leaf]);
}

function* leavesOf(object: JsonObject, at: string): Generator<{ name: string; path: string; value: JsonValue }> {
  for (const [name, value] of Object.entries(object)) {
    const path = at === '' ? name : `${at}.${name}`;
    if (isObject(value)) yield* leavesOf(value, path);
    else yield { name: path.startsWith('consent.') ? path : name, path, value };
  }
}
