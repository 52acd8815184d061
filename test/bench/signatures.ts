// How long it takes to verify one delivery of each provider, on its recorded delivery.

import { allSources } from '../../shared/sources/registry.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';
import { median, type Print, rounded } from './figure.ts';

const ROUNDS = 9;
const EACH = 100;

/** Median microseconds a verification. A fixture that no longer verifies is an error: its time would say nothing. */
export function signatureFigures(print: Print): void {
  for (const name of SOURCES.keys()) {
    const measured = verificationOf(name);
    if (measured !== undefined) print('verify-signature', rounded(measured.microseconds), 'µs', { provider: name, bytes: measured.bytes });
  }
}

const SOURCES = allSources({ country: 'US' });

/** Of one provider; undefined when nothing of it is recorded. */
export function verificationOf(name: string): { microseconds: number; bytes: number } | undefined {
  const [source, vector] = [SOURCES.get(name), fixtureOf(name)?.vectors[0]];
  if (source === undefined || vector === undefined) return undefined;
  const { delivery, now } = deliveryOf(vector);
  if (!source.verify(delivery, [vector.secret], now)) throw new Error(`the recorded delivery of ${name} does not verify`);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const from = performance.now();
    for (let done = 0; done < EACH; done++) source.verify(delivery, [vector.secret], now);
    return ((performance.now() - from) * 1000) / EACH;
  });
  return { microseconds: median(rounds), bytes: delivery.body.length };
}
