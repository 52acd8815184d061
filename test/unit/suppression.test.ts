// "No more messages", and what became of messages: noted once, in any order, and never in a handoff.

import { describe, expect, test } from 'vitest';
import { noteDelivery } from '../../functions/note-delivery/note-delivery.ts';
import { suppressContact } from '../../functions/suppress-contact/suppress-contact.ts';
import { fetchTextWith } from '../../shared/adapters/https-fetch-text.ts';
import { AnnouncementEvent, OfferUndeliverableEvent } from '../../shared/contracts/announcement-event.ts';
import { parse } from '../../shared/contracts/contract-error.ts';
import type { ContactChoice, MessageReported } from '../../shared/domain/announcement.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { stopMeaning } from '../../shared/sources/stated-stop.ts';
import { memoryClaimBook, memoryDeliveryBook, memorySuppressionBook } from '../support/memory-books.ts';
import { memoryEventBus } from '../support/memory-outside.ts';
import { memoryTable } from '../support/memory-table.ts';

const at = (minute: number) => `2026-03-02T17:${String(minute).padStart(2, '0')}:00.000Z`;
const choice = (kind: ContactChoice['kind'], minute: number): ContactChoice => ({
  kind,
  source: 'twilio',
  eventId: `e-${minute}`,
  occurredAt: at(minute),
  channel: 'sms',
  address: '+15035550142',
  because: 'keyword',
});

describe('stop words', () => {
  test.each(['ARRET', 'CANCEL', 'END', 'OPT-OUT', 'OPTOUT', 'QUIT', 'REMOVE', 'STOP', 'TD', 'UNSUBSCRIBE', 'STOPALL', 'REVOKE', ' stop ', 'Stop.', 'STOP please', 'stop!!'])(
    'MS-08: "%s" stops',
    (text) => {
      expect(stopMeaning(text)).toBe('opt-out');
    },
  );

  test.each(["don't stop", 'cancel my visit', 'stop by tomorrow', 'I live at the end', '', ' ', 'HELP'])('MS-08: "%s" does not', (text) => {
    expect(stopMeaning(text)).toBeUndefined();
  });

  test.each(['please no more texts', 'Stop texting me!!', 'take me off your list', 'no me escriban más'])('MS-10: "%s" asks for it in words', (text) => {
    expect(stopMeaning(text)).toBe('asks-to-stop');
  });

  test('WH-10: a long text is judged quickly', () => {
    for (const text of ['stop '.repeat(50_000), "don't ".repeat(40_000), '\u0000'.repeat(200_000)]) expect(() => stopMeaning(text)).not.toThrow();
  });
});

describe('suppress-contact', () => {
  test('MS-08: a stop shuts, a later start opens; in the other order as well', async () => {
    for (const order of [
      [choice('contact.opted-out', 1), choice('contact.opted-in', 2)],
      [choice('contact.opted-in', 2), choice('contact.opted-out', 1)],
    ]) {
      const suppressions = memorySuppressionBook(memoryTable());
      for (const one of order) await suppressContact({ suppressions }, one);
      expect(await suppressions.standing('sms', '+15035550142')).toBeUndefined();
    }
  });
});

describe('note-delivery', () => {
  const claims = memoryClaimBook(memoryTable());
  const offer = `h-${'1'.repeat(32)}:acceptance.requested:2:email`;
  const report = (state: MessageReported['state'], reference = offer): MessageReported => ({
    kind: 'message.reported',
    provider: 'ses',
    messageId: 'm-1',
    state,
    occurredAt: at(1),
    channel: 'email',
    reference,
  });

  test('O-08, MS-02: a bounce of an offer is noted and announced at once', async () => {
    const [deliveries, bus] = [memoryDeliveryBook(memoryTable()), memoryEventBus()];
    await noteDelivery({ deliveries, claims, bus }, [report('bounced')]);
    expect(await deliveries.reports('ses', 'm-1')).toHaveLength(1);
    expect(bus.published).toMatchObject([{ source: 'baton.delivery', detailType: 'offer.undeliverable' }]);
    expect(parse(OfferUndeliverableEvent, bus.published[0]?.detail, 'it')).toMatchObject({
      handoffId: `h-${'1'.repeat(32)}`,
      effect: 'acceptance.requested:2:email',
      state: 'bounced',
    });
  });

  test('CC-04, MS-06: nothing follows from sent, delayed, delivered, complained, or from a message that is no offer', async () => {
    const [deliveries, bus] = [memoryDeliveryBook(memoryTable()), memoryEventBus()];
    const states = ['sent', 'delayed', 'delivered', 'complained'] as const;
    await noteDelivery({ deliveries, claims, bus }, [
      ...states.map((state) => report(state)),
      report('bounced', 'h-x:report:1'),
      report('failed', `h-${'1'.repeat(32)}:offer.accepted:5:email`),
    ]);
    expect(bus.published).toEqual([]);
  });

  test('CC-04: late and repeated reports in any order add facts and take none back', async () => {
    const deliveries = memoryDeliveryBook(memoryTable());
    for (const state of ['bounced', 'delivered', 'sent', 'bounced'] as const) await noteDelivery({ deliveries, claims, bus: memoryEventBus() }, [report(state)]);
    expect((await deliveries.reports('ses', 'm-1')).map(({ state }) => state).sort()).toEqual(['bounced', 'delivered', 'sent']);
  });

  test('E-05, MS-05: whatever the provider says of a message whose outcome nobody knows, it has it; a result that stands, stands', async () => {
    const [id, effect, later] = [handoffId(`h-${'1'.repeat(32)}`), 'acceptance.requested:2:email', 'offer.accepted:5:email'];
    const known = memoryClaimBook(memoryTable());
    await known.claim(id, effect, at(0));
    await known.claim(id, later, at(0));
    await known.settle(id, later, 'refused', 'outcome unknown after 2 attempts', at(0));
    const deps = { deliveries: memoryDeliveryBook(memoryTable()), claims: known, bus: memoryEventBus() };
    await noteDelivery(deps, [report('sent'), report('sent', `${id}:${later}`), report('sent', `${id}:never.claimed:1:email`), report('sent', 'h-x:report:1')]);
    expect(await known.find(id, effect)).toMatchObject({ result: 'sent', detail: 'm-1' });
    expect(await known.find(id, later)).toMatchObject({ result: 'refused' });
    expect(await known.find(id, 'never.claimed:1:email')).toBeUndefined();
  });

  test('a complaint that AWS reports shuts the address', async () => {
    const bus = memoryEventBus();
    await noteDelivery({ deliveries: memoryDeliveryBook(memoryTable()), claims, bus }, [
      { ...choice('contact.opted-out', 1), channel: 'email', address: 'ana@example.com', because: 'complaint' },
    ]);
    expect(bus.published).toMatchObject([{ source: 'baton.delivery', detailType: 'contact.opted-out' }]);
    expect(parse(AnnouncementEvent, bus.published[0]?.detail, 'it').announcement).toMatchObject({ because: 'complaint' });
  });
});

describe('fetching text', () => {
  const answering = (response: () => Response | Promise<never>) => (async () => response()) as typeof fetch;
  test('WH-08: only https, no redirect, no error answer, nothing large', async () => {
    expect(
      await fetchTextWith(
        answering(() => new Response('pem')),
        'https://sns.us-east-1.amazonaws.com/x',
      ),
    ).toBe('pem');
    expect(
      await fetchTextWith(
        answering(() => new Response('pem')),
        'http://sns.us-east-1.amazonaws.com/x',
      ),
    ).toBeUndefined();
    expect(
      await fetchTextWith(
        answering(() => new Response('no', { status: 404 })),
        'https://x',
      ),
    ).toBeUndefined();
    expect(
      await fetchTextWith(
        answering(() => new Response('x'.repeat(64_001))),
        'https://x',
      ),
    ).toBeUndefined();
    expect(
      await fetchTextWith(
        answering(() => Promise.reject(new TypeError('redirect'))),
        'https://x',
      ),
    ).toBeUndefined();
    let options: RequestInit | undefined;
    await fetchTextWith(
      (async (_url: unknown, given: RequestInit) => {
        options = given;
        return new Response('');
      }) as typeof fetch,
      'https://x',
    );
    expect(options).toMatchObject({ redirect: 'error', credentials: 'omit' });
  });
});
