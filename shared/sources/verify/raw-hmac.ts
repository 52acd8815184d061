// Family: HMAC over the exact bytes of the body, with or without a signed timestamp in front (WH-01, WH-06).

import { createHmac } from 'node:crypto';
import type { Delivery } from '../../ports/signal-source.ts';
import type { Verification } from '../provider.ts';
import { sameText } from './same-text.ts';

/** HMAC-SHA256 of the raw bytes, in base64. */
export const rawHmac = (key: string | Uint8Array, body: Uint8Array): string => createHmac('sha256', key).update(body).digest('base64');

type Digest = {
  algorithm?: 'sha1' | 'sha256';
  encoding: 'hex' | 'base64';
  /** The key that a secret stands for; undefined when it is none. Without it the text itself is the key. */
  keyOf?: (secret: string) => Uint8Array | undefined;
};

function digest({ algorithm = 'sha256', encoding, keyOf }: Digest, secret: string, front: string, body: Uint8Array): string | undefined {
  const key = keyOf === undefined ? secret : keyOf(secret);
  if (key === undefined || key.length === 0) return undefined;
  return createHmac(algorithm, key).update(front, 'utf8').update(body).digest(encoding);
}

const fits = (received: readonly string[], expected: string | undefined): boolean => expected !== undefined && received.some((one) => sameText(one, expected));

export type BodyHmac = Digest & {
  /** Name of the header that carries the signature, lower case. */
  header: string;
  /** Text before the signature in that header, such as `sha256=`. */
  prefix?: string;
  /** Constant text that is signed in front of the body. */
  front?: string;
};

/** A signature over the body alone. Nothing dates it, so only the event id stops a replay. */
export function bodyHmac({ header, prefix = '', front = '', ...how }: BodyHmac): Verification {
  const signatureOf = (secret: string, body: Uint8Array) => digest(how, secret, front, body);
  return {
    verify({ headers, body }, secrets) {
      const received = headers[header] ?? '';
      return received.startsWith(prefix) && secrets.some((secret) => fits([received.slice(prefix.length)], signatureOf(secret, body)));
    },
    sign: (delivery, secret) => withHeaders(delivery, { [header]: `${prefix}${signatureOf(secret, delivery.body) ?? ''}` }),
  };
}

/** Where a delivery carries the signed time and the signatures, and how it is written. */
export type TimedLayout = {
  find(headers: Readonly<Record<string, string>>): { time: string; signatures: readonly string[] } | undefined;
  write(time: string, signature: string): Record<string, string>;
};

/** How the signed time is written: Unix seconds, Unix milliseconds, or ISO text. */
export type TimeUnit = 'seconds' | 'milliseconds' | 'iso';

export type TimedHmac = Digest & {
  layout: TimedLayout;
  unit: TimeUnit;
  /** What is signed in front of the body, made of the time as it was sent. */
  front(time: string): string;
  /** How far the signed time may be from now, both ways: 300 seconds unless the provider says otherwise. */
  toleranceSeconds?: number;
};

/** A signature over a time and the body; refused when that time is not near. */
export function timedHmac({ layout, unit, front, toleranceSeconds = 300, ...how }: TimedHmac): Verification {
  return {
    verify({ headers, body }, secrets, now) {
      const found = layout.find(headers);
      if (found === undefined) return false;
      const at = millisecondsOf(found.time, unit);
      if (at === undefined || Math.abs(Date.parse(now) - at) > toleranceSeconds * 1000) return false;
      return secrets.some((secret) => fits(found.signatures, digest(how, secret, front(found.time), body)));
    },
    sign(delivery, secret, now) {
      const time = written(now, unit);
      return withHeaders(delivery, layout.write(time, digest(how, secret, front(time), delivery.body) ?? ''));
    },
  };
}

/** One header for the time, one for the signature. */
export const twoHeaders = (signatureHeader: string, timeHeader: string, prefix = ''): TimedLayout => ({
  find(headers) {
    const { [signatureHeader]: signature, [timeHeader]: time } = headers;
    if (signature === undefined || time === undefined || !signature.startsWith(prefix)) return undefined;
    return { time, signatures: [signature.slice(prefix.length)] };
  },
  write: (time, signature) => ({ [timeHeader]: time, [signatureHeader]: `${prefix}${signature}` }),
});

/** One header of the form `t=<time>,<key>=<signature>`; several signatures while a secret is replaced, one time only. */
export const pairsHeader = (header: string, key: string): TimedLayout => ({
  find(headers) {
    const pairs = (headers[header] ?? '')
      .slice(0, 2000)
      .split(',')
      .map((pair): [string, string] => {
        const [name = '', ...value] = pair.trim().split('=');
        return [name, value.join('=')];
      });
    const of = (wanted: string) => pairs.flatMap(([name, value]) => (name === wanted ? [value] : []));
    const [time, ...others] = of('t');
    return time === undefined || others.length > 0 ? undefined : { time, signatures: of(key) };
  },
  write: (time, signature) => ({ [header]: `t=${time},${key}=${signature}` }),
});

/** The instant a written time means, in milliseconds; undefined when it is not written that way. */
export function millisecondsOf(time: string, unit: TimeUnit): number | undefined {
  if (unit === 'iso') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(time) ? Date.parse(time) : undefined;
  if (!/^\d{1,15}$/.test(time)) return undefined;
  return unit === 'seconds' ? Number(time) * 1000 : Number(time);
}

function written(now: string, unit: TimeUnit): string {
  const milliseconds = Date.parse(now);
  if (unit === 'iso') return new Date(milliseconds).toISOString();
  return String(unit === 'seconds' ? Math.floor(milliseconds / 1000) : milliseconds);
}

/** The delivery with headers added or replaced. */
export const withHeaders = (delivery: Delivery, headers: Record<string, string>): Delivery => ({ ...delivery, headers: { ...delivery.headers, ...headers } });
