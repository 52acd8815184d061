// Whether a request is one of safety, which nothing may hold up (E-04). The firm says by which words and categories, or the source states it; nothing is inferred.

import { laterWords } from './later-words.ts';
import type { Packet } from './packet.ts';
import type { Contract } from './policy.ts';

type Facts = Pick<Packet, 'request'> & Partial<Pick<Packet, 'more' | 'answers' | 'alsoStated'>>;
type Rules = Pick<Contract, 'safety'>;

/** Why the request is urgent for safety, in words that name rules and never what the customer wrote; undefined when it is not. */
export const safetyOf = (facts: Facts, contract: Rules): string | undefined => safetyReasons(facts, contract)[0];

/**
 * Why a new version of the packet is urgent for safety, by a reason that the version before did not give; undefined when it gives
 * none. Whatever was looked at once, by the owner of the exception, takes a request from nobody a second time.
 */
export function newlyUrgent(before: Packet, after: Packet, contract: Rules): string | undefined {
  const known = safetyReasons(before, contract);
  return safetyReasons(after, contract).find((reason) => !known.includes(reason));
}

function safetyReasons(facts: Facts, { safety }: Rules): string[] {
  const states = (path: string, first: string | undefined) => [first ?? '', ...(facts.alsoStated ?? []).filter((one) => one.path === path).map(({ value }) => value)];
  const stated = states('request.safety', facts.request.safety).includes('yes') ? ['the source states that it is a matter of safety'] : [];
  const categories = states('request.category', facts.request.category).map(plain);
  const words = [...states('request.words', facts.request.words), ...laterWords(facts), ...(facts.answers ?? []).map(({ answer }) => answer)].map((text) => ` ${plain(text)} `);
  return [
    ...stated,
    ...(safety?.categories ?? []).filter((one) => categories.includes(plain(one))).map((one) => `${one} is a matter of safety`),
    ...(safety?.words ?? []).filter((one) => words.some((text) => text.includes(` ${plain(one)} `))).map((one) => `the words name “${one}”, which is a matter of safety`),
  ];
}

/** Letters and digits with single spaces between them, so that case, accents’ form and punctuation do not hide a word. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
