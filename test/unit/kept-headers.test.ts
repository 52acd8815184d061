// Which headers of a delivery are kept beside its bytes.

import { describe, expect, test } from 'vitest';
import { keptHeaders } from '../../functions/receive-webhook/kept-headers.ts';
import { packedHeaders } from '../../shared/adapters/raw-headers.ts';
import type { Delivery } from '../../shared/ports/signal-source.ts';
import { PROVIDERS } from '../../shared/sources/registry.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';

/** Their proof is itself the right to send: whoever could read it on the shelf could send as they do. */
const RIGHTS_IN_A_HEADER = ['cloudevents', 'contact-form-7', 'gravity-forms', 'make', 'postmark', 'vonage', 'zapier'];

const vectors = PROVIDERS.flatMap((provider) => (fixtureOf(provider.name)?.vectors ?? []).map((vector) => [vector.id, provider, vector] as const));

/** As the shelf gives it back: the content type is kept as that of the object. */
const asKept = (delivery: Delivery): Delivery => ({ ...delivery, headers: { ...keptHeaders(delivery.headers), 'content-type': delivery.headers['content-type'] ?? '' } });

describe('D-3: what is kept', () => {
  test.each(vectors)('%s is proved again from what is kept, unless its proof gives a right', (_id, { name, verification, prepare }, vector) => {
    const { delivery, now } = deliveryOf(vector);
    if (prepare !== undefined || !verification.verify(delivery, [vector.secret], now)) return; // SNS brings its proof in the body and needs a certificate
    const again = verification.verify(asKept(delivery), [vector.secret], now);
    if (!again) expect(RIGHTS_IN_A_HEADER).toContain(name);
    expect(JSON.stringify(keptHeaders(delivery.headers))).not.toContain(vector.secret);
  });

  test('most providers are proved again, so that the rule above says something', () => {
    const provable = vectors.filter(([, { verification }, vector]) => {
      const { delivery, now } = deliveryOf(vector);
      return verification.verify(asKept(delivery), [vector.secret], now);
    });
    expect(new Set(provable.map(([, { name }]) => name)).size).toBeGreaterThan(18);
  });

  test.each([
    ['authorization', 'Bearer abc'],
    ['cookie', 'session=1'],
    ['set-cookie', 'session=1'],
    ['x-webhook-token', 'abc'],
    ['x-signature-token', 'abc'],
    ['proxy-authorization', 'Basic YTpi'],
    ['x-api-key', 'abc'],
    ['x-timestamp-secret', 'abc'],
    ['x-my-signature', 'Bearer abc'],
    ['x-forwarded-for', '203.0.113.9'],
    ['user-agent', 'x'],
    ['content-length', '7'],
  ])('PI-02: %s: %s is not', (name, value) => {
    expect(keptHeaders({ [name]: value, 'webhook-id': 'msg_1' })).toEqual({ 'webhook-id': 'msg_1' });
  });

  test('never more than the shelf takes, the ids before what is long', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x-${index}-signature`, 's'.repeat(200)]));
    const kept = keptHeaders({ ...many, 'webhook-id': 'msg_1', 'x-long-signature': 'l'.repeat(5000) });
    expect(kept['webhook-id']).toBe('msg_1');
    expect(kept).not.toHaveProperty('x-long-signature');
    expect(`baton-headers${packedHeaders(kept)}`.length).toBeLessThanOrEqual(2048);
    expect(packedHeaders(keptHeaders({ 'a-signature': '屋'.repeat(999) })).length).toBeLessThanOrEqual(2000);
  });
});
