// How long it takes to verify one delivery of each provider, on its recorded delivery.

import { allSources } from '../../shared/sources/registry.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';
import { median, type Print, rounded } from './figure.ts';

const ROUNDS = 9;
const EACH = 100;

/** Median microseconds a verification. A fixture that no longer verifies is an error: its time would say nothing. */
export function signatureFigures(print: Print): void {
  for (const [name, source] of allSources({ country: 'US' })) {
    const vector = fixtureOf(name)?.vectors[0];
    if (vector === undefined) continue;
    const { delivery, now } = deliveryOf(vector);
    if (!source.verify(delivery, [vector.secret], now)) throw new Error(`the recorded delivery of ${name} does not verify`);
    const rounds = Array.from({ length: ROUNDS }, () => {
      const from = performance.now();
      for (let done = 0; done < EACH; done++) source.verify(delivery, [vector.secret], now);
      return ((performance.now() - from) * 1000) / EACH;
    });
    print('verify-signature', rounded(median(rounds)), 'µs', { provider: name, bytes: delivery.body.length });
  }
}
