import * as z from 'zod/mini';
import { MessageUnsettledEvent } from './message-unsettled-event.ts';
import { ReceiptEvent } from './receipt-event.ts';
import { ReportPublishedEvent } from './report-event.ts';

/** Everything that `notify` hears of: a receipt, a published report, or a message that nobody knows the outcome of. */
export const NoticeEvent = z.union([ReceiptEvent, ReportPublishedEvent, MessageUnsettledEvent]);
export type NoticeEvent = z.output<typeof NoticeEvent>;
