// What AWS says on the default event bus about messages of ours: mail by SES, text messages by End User Messaging.

import type { Announcement, DeliveryState } from '../domain/announcement.ts';
import type { JsonObject } from './read-json.ts';
import { sesAnnouncements } from './ses-events.ts';
import { textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { instantIn, objectIn } from './stated-signal.ts';

/** `TEXT_SUCCESSFUL` is the carrier's acceptance; `TEXT_UNKNOWN` after 72 hours says nothing (MS-06). */
const TEXT_STATES: ReadonlyMap<string, DeliveryState> = new Map([
  ['TEXT_QUEUED', 'sent'],
  ['TEXT_PENDING', 'sent'],
  ['TEXT_SENT', 'sent'],
  ['TEXT_SUCCESSFUL', 'sent'],
  ['TEXT_DELIVERED', 'delivered'],
  ['TEXT_BLOCKED', 'failed'],
  ['TEXT_CARRIER_BLOCKED', 'failed'],
  ['TEXT_CARRIER_UNREACHABLE', 'failed'],
  ['TEXT_INVALID', 'failed'],
  ['TEXT_INVALID_MESSAGE', 'failed'],
  ['TEXT_PROTECT_BLOCKED', 'failed'],
  ['TEXT_SPAM', 'failed'],
  ['TEXT_TTL_EXPIRED', 'failed'],
  ['TEXT_UNREACHABLE', 'failed'],
]);

/** What an event of `aws.ses` or `aws.sms-voice` states; nothing for any other. */
export function awsAnnouncements(source: string, detail: JsonObject, at: string): Announcement[] {
  if (source === 'aws.ses') return sesAnnouncements(detail, at);
  const type = textOf(detail.eventType) ?? '';
  const [state, messageId] = [TEXT_STATES.get(type), textOf(detail.messageId)];
  if (source !== 'aws.sms-voice' || state === undefined || messageId === undefined) return [];
  const reference = textOf(objectIn(detail.context).reference);
  const occurredAt = statedInstant(instantIn('milliseconds', detail.eventTimestamp) ?? '', at) ?? at;
  return [
    {
      kind: 'message.reported',
      provider: 'sms-voice',
      messageId: messageId.slice(0, 200),
      state,
      occurredAt,
      channel: 'sms',
      detail: type.slice(0, 100),
      ...(reference !== undefined && /^[!-~]{1,300}$/.test(reference) && { reference }),
    },
  ];
}
