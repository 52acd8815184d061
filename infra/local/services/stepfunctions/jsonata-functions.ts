import { createHash, randomUUID } from 'node:crypto';
import jsonata from 'jsonata';

/** An argument a function of Step Functions does not accept; becomes an evaluation error. */
class ArgumentError extends Error {}

function requireThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ArgumentError(message);
}

function partition(array: unknown, size: unknown): unknown[][] {
  requireThat(Array.isArray(array), '$partition needs an array.');
  requireThat(Number.isInteger(size) && (size as number) > 0, '$partition needs a positive integer as chunk size.');
  const chunk = size as number;
  return Array.from({ length: Math.ceil(array.length / chunk) }, (_, index) => array.slice(index * chunk, (index + 1) * chunk));
}

/** Both ends belong to the range; at most 1,000 numbers, as on AWS. */
function range(first: unknown, last: unknown, step: unknown): number[] {
  const [from, to, by] = [first, last, step].map(Number) as [number, number, number];
  requireThat([from, to, by].every(Number.isFinite) && by !== 0, '$range needs three numbers, the last one not zero.');
  const length = Math.max(0, Math.floor((to - from) / by) + 1);
  requireThat(length <= 1000, '$range makes at most 1000 numbers.');
  return Array.from({ length }, (_, index) => from + index * by);
}

const DIGESTS: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' };

function hash(content: unknown, algorithm: unknown): string {
  const digest = DIGESTS[String(algorithm)];
  requireThat(digest !== undefined, `$hash knows ${Object.keys(DIGESTS).join(', ')}.`);
  requireThat(content !== undefined, '$hash needs content.');
  return createHash(digest)
    .update(typeof content === 'string' ? content : JSON.stringify(content))
    .digest('hex');
}

/** With a seed the number is the same every time. Which number differs from AWS, whose generator is not documented. */
function random(seed: unknown): number {
  if (seed === undefined) return Math.random();
  const digest = createHash('sha256').update(JSON.stringify(seed)).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

function parse(text: unknown): unknown {
  requireThat(typeof text === 'string', '$parse needs a string of JSON.');
  return JSON.parse(text);
}

const fromMillis = jsonata('$fromMillis($at, $picture, $zone)');
const fromMillisPlain = jsonata('$fromMillis($at)');

/** What Step Functions adds to JSONata, and JSONata's own clock tied to the runtime's time. */
export function functionsAt(now: number): Record<string, unknown> {
  return {
    partition,
    range,
    hash,
    random,
    parse,
    uuid: () => randomUUID(),
    millis: () => now,
    now: (picture?: string, zone?: string) => (picture === undefined ? fromMillisPlain.evaluate({}, { at: now }) : fromMillis.evaluate({}, { at: now, picture, zone })),
    eval: () => {
      throw new ArgumentError('$eval is not available in Step Functions; use $parse.');
    },
  };
}
