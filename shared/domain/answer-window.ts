// How long somebody may take to answer, by what kind of request it is (C-06). The most specific rule counts: the one that names the most of
// signal, channel, product and urgency. `baton policy check` refuses two rules that name equally many and could both be meant.

import type { Handoff } from './handoff.ts';
import type { AnswerWindow, Contract, Policy } from './policy.ts';
import type { Signal } from './signal.ts';
import { names } from './source-name.ts';

/** Which of the contract's windows a request gets, by its number from 1, and by what; undefined when the steps' own count. */
export function windowOf(signal: Pick<Signal, 'kind' | 'source' | 'request'>, { windows = [] }: Pick<Contract, 'windows'>): { rule: number; because: string } | undefined {
  const fitting = windows.map((one, index) => ({ ...one, index })).filter(({ when }) => fits(when, signal));
  const [best] = fitting.sort((a, b) => named(b.when) - named(a.when) || a.index - b.index);
  return best === undefined ? undefined : { rule: best.index + 1, because: whenText(best.when) };
}

/** The policy as it asks about this handoff: every step with the window of the rule that it opened by. */
export function askedBy(handoff: Pick<Handoff, 'windowRule'>, policy: Policy): Policy {
  const rule = policy.contract.windows?.[(handoff.windowRule ?? 0) - 1];
  if (rule === undefined) return policy;
  const { window, warnAt } = rule;
  const ask = policy.contract.ask.map(({ warnAt: _, ...step }) => ({ ...step, window, ...(warnAt !== undefined && { warnAt }) }));
  return { ...policy, contract: { ...policy.contract, ask } };
}

/** Why somebody is asked, and, where that is not the step's own, what their time to answer follows from. */
export function withWindow(rule: string, { windowRule }: Pick<Handoff, 'windowRule'>, { contract }: Pick<Policy, 'contract'>): string {
  const window = contract.windows?.[(windowRule ?? 0) - 1];
  return window === undefined ? rule : `${rule} · time to answer by ${whenText(window.when)}`;
}

/** Whether two rules name equally many things and could both be meant by one request. */
export const isAmbiguous = (one: AnswerWindow['when'], other: AnswerWindow['when']): boolean =>
  named(one) === named(other) && KEYS.every((key) => one[key] === undefined || other[key] === undefined || one[key].some((value) => other[key]?.includes(value)));

/** What a rule names, in words for a receipt: never what the customer wrote. */
const whenText = (when: AnswerWindow['when']): string => KEYS.flatMap((key) => (when[key] === undefined ? [] : [`${key} ${when[key].join(' or ')}`])).join(', ');

const KEYS = ['signal', 'channel', 'product', 'urgency'] as const;
const named = (when: AnswerWindow['when']): number => KEYS.filter((key) => when[key] !== undefined).length;

function fits({ signal, channel, product, urgency }: AnswerWindow['when'], { kind, source, request }: Pick<Signal, 'kind' | 'source' | 'request'>): boolean {
  const states = (list: readonly string[] | undefined, stated: string | undefined) => list === undefined || list.some((one) => one.toLowerCase() === stated?.trim().toLowerCase());
  return (
    states(signal, kind) &&
    (channel === undefined || names(channel, source) !== undefined) &&
    states(product, request.product ?? request.category) &&
    states(urgency, request.timing)
  );
}
