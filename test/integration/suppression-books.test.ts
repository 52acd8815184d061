import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContactChoice, MessageReported } from '../../shared/domain/announcement.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

const at = (minute: number) => `2026-03-02T17:${String(minute).padStart(2, '0')}:00.000Z`;
const choice = (kind: ContactChoice['kind'], minute: number, address: string): ContactChoice => ({
  kind,
  source: 'twilio',
  eventId: `e-${minute}`,
  occurredAt: at(minute),
  channel: 'sms',
  address,
  because: 'keyword',
});
const report = (state: MessageReported['state'], minute: number, messageId: string): MessageReported => ({
  kind: 'message.reported',
  provider: 'ses',
  messageId,
  state,
  occurredAt: at(minute),
  channel: 'email',
});

describe.each(storeKinds('suppression-books'))('suppressions and deliveries $name', ({ start }) => {
  let stores: Stores;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await start();
    stop = started.stop;
    stores = await started.fresh();
  });
  afterAll(() => stop());

  it('MS-15: a stop concerns the address on that channel alone', async () => {
    await stores.suppressions.note(choice('contact.opted-out', 1, '+15035550101'));
    expect(await stores.suppressions.standing('sms', '+15035550101')).toEqual({ because: 'keyword', source: 'twilio', eventId: 'e-1', since: at(1) });
    expect(await stores.suppressions.standing('email', '+15035550101')).toBeUndefined();
    expect(await stores.suppressions.standing('sms', '+15035550102')).toBeUndefined();
  });

  it('ID-09: an email address is the same in any case', async () => {
    await stores.suppressions.note({ ...choice('contact.opted-out', 1, 'Ana@Example.com'), channel: 'email', because: 'complaint' });
    expect(await stores.suppressions.standing('email', 'ana@example.com')).toMatchObject({ because: 'complaint' });
  });

  it('MS-08: the later choice stands in whatever order they come, and at the same instant the one that shuts', async () => {
    const orders: [string, ContactChoice['kind'], number][][] = [
      [
        ['+15035550111', 'contact.opted-out', 1],
        ['+15035550111', 'contact.opted-in', 2],
        ['+15035550111', 'contact.opted-out', 1],
      ],
      [
        ['+15035550112', 'contact.opted-in', 2],
        ['+15035550112', 'contact.opted-out', 1],
      ],
      [
        ['+15035550113', 'contact.opted-in', 1],
        ['+15035550113', 'contact.opted-out', 2],
      ],
      [
        ['+15035550114', 'contact.opted-out', 2],
        ['+15035550114', 'contact.opted-in', 2],
      ],
      [
        ['+15035550115', 'contact.opted-in', 2],
        ['+15035550115', 'contact.opted-out', 2],
      ],
    ];
    for (const order of orders) for (const [address, kind, minute] of order) await stores.suppressions.note(choice(kind, minute, address));
    const shut = await Promise.all([111, 112, 113, 114, 115].map(async (n) => (await stores.suppressions.standing('sms', `+15035550${n}`)) !== undefined));
    expect(shut).toEqual([false, false, true, true, true]);
  });

  it('CC-04: reports are added once a state, and read in the order things happened', async () => {
    await stores.deliveries.note(report('bounced', 5, 'm-1'));
    await stores.deliveries.note(report('delivered', 3, 'm-1'));
    await stores.deliveries.note(report('delivered', 9, 'm-1'));
    await stores.deliveries.note(report('sent', 1, 'm-2'));
    expect(await stores.deliveries.reports('ses', 'm-1')).toEqual([report('delivered', 3, 'm-1'), report('bounced', 5, 'm-1')]);
    expect(await stores.deliveries.reports('ses', 'm-3')).toEqual([]);
  });
});
