import { type Context, conditionHolds, NotEvaluable } from './condition.ts';
import { matchesWildcard } from './wildcard.ts';

/** One statement of a policy document, lists made explicit. */
export type Statement = {
  effect: 'Allow' | 'Deny';
  sid: string;
  actions: { negated: boolean; patterns: readonly string[] };
  resources: { negated: boolean; patterns: readonly string[] };
  principals: { kind: string; name: string }[] | undefined;
  condition: unknown;
};

const KNOWN = ['Effect', 'Sid', 'Action', 'NotAction', 'Resource', 'NotResource', 'Principal', 'Condition'];

const list = (value: unknown): string[] => (value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String));

const either = (raw: Record<string, unknown>, name: string): Statement['actions'] => {
  const negated = raw[`Not${name}`] !== undefined;
  return { negated, patterns: list(raw[negated ? `Not${name}` : name]) };
};

const principalsOf = (value: unknown): Statement['principals'] => {
  if (value === undefined) return undefined;
  if (value === '*') return [{ kind: '*', name: '*' }];
  return Object.entries(value as Record<string, unknown>).flatMap(([kind, names]) => list(names).map((name) => ({ kind, name })));
};

const readStatement = (raw: Record<string, unknown>, index: number): Statement => {
  const unknown = Object.keys(raw).filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0) throw new Error(`policy statement ${index} uses ${unknown.join(', ')}, which is not supported (supported: ${KNOWN.join(', ')})`);
  if (raw.Effect !== 'Allow' && raw.Effect !== 'Deny') throw new Error(`policy statement ${index} needs an Effect of Allow or Deny`);
  const statement = { effect: raw.Effect, sid: String(raw.Sid ?? index), actions: either(raw, 'Action'), resources: either(raw, 'Resource') };
  const variable = statement.resources.patterns.find((pattern) => pattern.includes('$' + '{'));
  if (variable !== undefined) throw new Error(`policy statement ${index} uses a policy variable, which is not supported: ${variable}`);
  return { ...statement, effect: raw.Effect, principals: principalsOf(raw.Principal), condition: raw.Condition };
};

/** Reads a policy document; throws on anything it would otherwise ignore. */
export const readPolicy = (document: unknown): Statement[] => {
  const raw = (document as { Statement?: unknown } | undefined)?.Statement;
  if (raw === undefined) throw new Error('a policy document needs a Statement');
  return (Array.isArray(raw) ? raw : [raw]).map((one, index) => readStatement(one as Record<string, unknown>, index));
};

/** What somebody asks to do. */
export type Ask = { action: string; resource: string; context: Context };

export type Verdict =
  | { kind: 'applies'; action: string; resource: string }
  | { kind: 'not' }
  /** Action and resource match, but the condition needs something this runtime cannot know. */
  | { kind: 'unclear'; because: string };

const covers = (part: Statement['actions'], value: string, fold: boolean): string | undefined => {
  const matching = part.patterns.find((pattern) => (fold ? matchesWildcard(pattern.toLowerCase(), value.toLowerCase()) : matchesWildcard(pattern, value)));
  if (!part.negated) return matching;
  return matching === undefined ? `not ${part.patterns.join(', ')}` : undefined;
};

/** Whether a statement speaks about this request. */
export const judge = (statement: Statement, ask: Ask): Verdict => {
  const action = covers(statement.actions, ask.action, true);
  const resource = statement.resources.patterns.length === 0 ? '*' : covers(statement.resources, ask.resource, false);
  if (action === undefined || resource === undefined) return { kind: 'not' };
  try {
    return conditionHolds(statement.condition, ask.context) ? { kind: 'applies', action, resource } : { kind: 'not' };
  } catch (error) {
    if (error instanceof NotEvaluable) return { kind: 'unclear', because: error.message };
    throw error;
  }
};

const namesPrincipal = (statement: Statement, kind: string, name: string): boolean =>
  statement.principals?.some((principal) => principal.kind === '*' || (principal.kind === kind && (principal.name === '*' || principal.name === name))) ?? false;

/** Whether a resource's own policy lets a principal in: some statement allows it and none denies it. Unclear conditions count against the caller. */
export const resourcePolicyAllows = (statements: readonly Statement[], principal: { kind: 'Service' | 'AWS'; name: string }, ask: Ask): boolean => {
  const about = statements.filter((statement) => namesPrincipal(statement, principal.kind, principal.name));
  const denied = about.some((statement) => statement.effect === 'Deny' && judge(statement, ask).kind !== 'not');
  return !denied && about.some((statement) => statement.effect === 'Allow' && judge(statement, ask).kind === 'applies');
};
