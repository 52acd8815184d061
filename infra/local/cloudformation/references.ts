import { INTRINSICS, intrinsicName } from './intrinsics.ts';

/** What an expression mentions: names it refers to, conditions it depends on, and intrinsics nobody knows here. */
export type Mentions = { names: Set<string>; conditions: Set<string>; unknown: Set<string> };

/** Collects, without resolving anything, what `value` mentions. */
export function mentionsOf(value: unknown, mentions: Mentions = { names: new Set(), conditions: new Set(), unknown: new Set() }): Mentions {
  const name = intrinsicName(value);
  if (name !== undefined) return mentionsOfIntrinsic(name, (value as Record<string, unknown>)[name], mentions);
  if (Array.isArray(value)) for (const entry of value) mentionsOf(entry, mentions);
  else if (typeof value === 'object' && value !== null) for (const entry of Object.values(value)) mentionsOf(entry, mentions);
  else if (typeof value === 'string' && value.includes('{{resolve:')) mentions.unknown.add('{{resolve:…}}');
  return mentions;
}

function mentionsOfIntrinsic(name: string, argument: unknown, mentions: Mentions): Mentions {
  if (!INTRINSICS[name]) mentions.unknown.add(name);
  if (name === 'Ref') mentions.names.add(String(argument));
  else if (name === 'Fn::GetAtt') mentions.names.add(String(Array.isArray(argument) ? argument[0] : String(argument).split('.')[0]));
  else if (name === 'Condition') mentions.conditions.add(String(argument));
  else if (name === 'Fn::Sub') mentionsOfSub(argument, mentions);
  else {
    if (name === 'Fn::If' && Array.isArray(argument)) mentions.conditions.add(String(argument[0]));
    mentionsOf(argument, mentions);
  }
  return mentions;
}

function mentionsOfSub(argument: unknown, mentions: Mentions): void {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
  mentionsOf(variables, mentions);
  const own = (variables ?? {}) as Record<string, unknown>;
  for (const [, name = ''] of String(pattern).matchAll(/\$\{([^!}][^}]*)\}/g)) {
    if (!Object.hasOwn(own, name)) mentions.names.add(name.split('.')[0] ?? name);
  }
}
