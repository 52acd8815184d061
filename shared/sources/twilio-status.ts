// What Twilio reports about messages that were sent through it. The reports come in any order and prove little (CC-04, MS-06).

import type { Announcement, DeliveryState } from '../domain/announcement.ts';
import type { Reading } from '../ports/signal-source.ts';
import { statedPhone } from './stated-phone.ts';
import { choiceOf } from './stated-stop.ts';

const STATES: ReadonlyMap<string, DeliveryState> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
]);

/** The person opted out; Twilio had taken the message all the same (MS-09). */
const OPTED_OUT = '21610';

/** The report in a status callback; ignored while the message is on its way. */
export function readStatus(form: URLSearchParams, status: string, receivedAt: string): Reading {
  const state = STATES.get(status);
  const messageId = form.get('MessageSid') ?? form.get('SmsSid') ?? '';
  if (state === undefined || !/^[A-Z]{2}[0-9A-Za-z]{8,64}$/.test(messageId)) return { kind: 'ignored', because: 'message status callback' };
  const code = form.get('ErrorCode') ?? '';
  const announcements: Announcement[] = [
    { kind: 'message.reported', provider: 'twilio', messageId, state, occurredAt: receivedAt, channel: 'sms', ...(/^\d{1,6}$/.test(code) && { detail: code }) },
  ];
  const phone = statedPhone((form.get('To') ?? '').replace(/^[a-z]+:/, ''), 'US')?.number;
  if (code === OPTED_OUT && phone !== undefined)
    announcements.push(
      choiceOf({ source: 'twilio', eventId: `${messageId}:${status}`, occurredAt: receivedAt }, 'contact.opted-out', { channel: 'sms', address: phone }, 'refused-by-carrier'),
    );
  return { kind: 'signals', signals: [], announcements };
}
