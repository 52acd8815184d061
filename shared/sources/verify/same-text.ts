import { timingSafeEqual } from 'node:crypto';

/** Whether a signature that arrived is the expected one. The byte length is compared first, since the constant-time comparison throws on unequal ones (LK-10). */
export function sameText(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received, 'utf8'), Buffer.from(expected, 'utf8')];
  return a.length === b.length && timingSafeEqual(a, b);
}
