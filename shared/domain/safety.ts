// Whether a request is one of safety, which nothing may hold up (E-04). The firm says by which words and categories, or the source states it; nothing is inferred.

import type { Packet } from './packet.ts';
import type { Contract } from './policy.ts';

/** Why the request is urgent for safety, in words that name rules and never what the customer wrote; undefined when it is not. */
export function safetyOf({ request }: Pick<Packet, 'request'>, { safety }: Pick<Contract, 'safety'>): string | undefined {
  if (request.safety === 'yes') return 'the source states that it is a matter of safety';
  const category = safety?.categories?.find((one) => plain(one) === plain(request.category ?? ''));
  if (category !== undefined) return `${category} is a matter of safety`;
  const words = ` ${plain(request.words ?? '')} `;
  const named = safety?.words?.find((one) => words.includes(` ${plain(one)} `));
  return named === undefined ? undefined : `the words name “${named}”, which is a matter of safety`;
}

/** Letters and digits with single spaces between them, so that case, accents’ form and punctuation do not hide a word. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
