import { expect, test } from 'vitest';
import { ERASED, erasedPacket, erasedSignal, mayBeErased } from '../../shared/domain/erasure.ts';
import { STATES } from '../../shared/domain/handoff.ts';
import { aPacket, aSignal, DANA, NOW } from '../support/builders.ts';

const SAID = 'Pettigrew';
const stated = {
  contact: { name: SAID, email: `${SAID}@example.com`, phone: SAID, language: 'es', prefers: 'sms' as const },
  request: { words: SAID, category: 'roof-inspection', product: 'slate', timing: SAID, regulated: SAID, safety: 'yes' as const },
  location: { postalCode: SAID, city: SAID, region: SAID, country: SAID },
  consent: { sms: 'denied' as const },
  account: { matches: [SAID] },
  more: { [SAID]: SAID },
};

test('PI-05: of a packet stay the kind of work, the language, the consent and where the facts came from', () => {
  const packet = aPacket({
    ...stated,
    answers: [{ question: SAID, answer: SAID, by: DANA, at: NOW }],
    alsoStated: [{ path: 'contact.phone', value: SAID, system: 'website', eventId: 'e' }],
    bookings: [{ source: 'calendly', ids: [SAID], state: 'booked', changedAt: NOW, host: SAID }],
    generated: { generator: 'g', generatorVersion: '1', at: NOW, summary: SAID, draft: SAID },
  });
  const erased = erasedPacket(packet);
  expect(JSON.stringify(erased)).not.toContain(SAID);
  expect(erased).toMatchObject({
    version: packet.version,
    contact: { name: ERASED, language: 'es' },
    request: { category: 'roof-inspection', product: 'slate' },
    consent: { sms: 'denied' },
  });
  expect(erased.sources).toEqual(packet.sources);
  expect(erasedPacket(erased)).toEqual(erased);
});

test('PI-05: of a signal stays that it came, under the id by which it is known when it comes again', () => {
  const signal = aSignal({ ...stated, threads: [`mail:${SAID}`], booking: { id: SAID }, reference: { system: 'meta', id: SAID }, rawRef: 'raw/website/a', notALead: 'opt-out' });
  const erased = erasedSignal(signal);
  expect(JSON.stringify(erased)).not.toContain(SAID);
  const { source, eventId, kind, receivedAt } = signal;
  expect(erased).toMatchObject({ source, eventId, kind, receivedAt, rawRef: 'raw/website/a', notALead: 'opt-out' });
  expect(erasedSignal(erased)).toEqual(erased);
});

test('PI-05: nobody is erased while somebody works for them', () => {
  expect(STATES.filter((state) => mayBeErased({ state }))).toEqual(['next-step-confirmed', 'closed']);
});
