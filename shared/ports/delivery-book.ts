import type { MessageReported } from '../domain/announcement.ts';

/** What providers reported about messages. Facts are only ever added: a late one overwrites nothing, here or in a handoff (CC-04, MS-01). */
export interface DeliveryBook {
  /** Notes a report. The first of each state stands. */
  note(report: MessageReported): Promise<void>;
  /** Everything reported about a message, in the order it happened (consistent read). */
  reports(provider: string, messageId: string): Promise<MessageReported[]>;
}
