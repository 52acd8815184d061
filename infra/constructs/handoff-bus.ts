// The bus and its rules: one rule a consumer, one target a rule (EB-16), a function as the target, never the machine (EB-15).

import { Duration } from 'aws-cdk-lib';
import { EventBus, type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { ORDER_KINDS } from '../../shared/contracts/order-event.ts';
import type { BatonFunction } from './baton-function.ts';
import { deadLetterQueue } from './dead-letter-queue.ts';

/** Who says what on the bus. A rule matches a source and detail types, nothing cleverer (EB-11), and never what its own target says (EB-14). */
export const CONSUMERS = {
  OpenHandoff: { source: ['baton.intake'], detailType: ['signal.received', 'deliveries.counted'] },
  SuppressContact: { source: ['baton.intake', 'baton.delivery'], detailType: ['contact.opted-out', 'contact.opted-in'] },
  AnswerOffer: { source: ['baton.intake'], detailType: ['slack.answered'] },
  NoteDelivery: { source: ['baton.intake'], detailType: ['message.reported'] },
  Notify: {
    source: ['baton.handoff', 'baton.report', 'baton.workflow'],
    detailType: [
      'handoff.opened',
      'acceptance.requested',
      'backup.requested',
      'offer.reminded',
      'offer.accepted',
      'offer.superseded',
      'offer.withdrawn',
      'ownership.ended',
      'clarification.asked',
      'clarification.answered',
      'signal.linked',
      'exception.raised',
      'exception.escalated',
      'exception.cleared',
      'next-step.overdue',
      'report.published',
      'message.unsettled',
    ],
  },
  CarryOutOrder: { source: ['baton.ops', 'baton.delivery'], detailType: [...ORDER_KINDS, 'offer.undeliverable'] },
  /** Every detail type: what a generator must not ask for is refused with a receipt, not overlooked. */
  NotePrepared: { source: ['baton.ai'] },
  WakeWorkflow: {
    source: ['baton.handoff', 'baton.workflow'],
    detailType: [
      'offer.accepted',
      'offer.rejected',
      'offer.withdrawn',
      'offer.undeliverable',
      'ownership.ended',
      'duplicate.marked',
      'duplicate.separated',
      'clarification.asked',
      'clarification.answered',
      'exception.accepted',
      'exception.resolved',
      'exception.cleared',
      'next-step.confirmed',
      'handoff.closed',
      'wait.over',
    ],
  },
} as const satisfies Record<string, EventPattern>;

/** What AWS says on the default bus about messages of ours, and only of ours: they carry what they were about. */
export const DELIVERIES = {
  MailDelivery: {
    source: ['aws.ses'],
    detailType: ['Email Sent', 'Email Delivered', 'Email Delivery Delayed', 'Email Bounced', 'Email Complaint Received', 'Email Rejected', 'Email Rendering Failed'],
    detail: { mail: { tags: { 'baton-reference': [{ exists: true }] } } },
  },
  TextDelivery: { source: ['aws.sms-voice'], detailType: ['Text Message Delivery Status Updated'], detail: { context: { reference: [{ exists: true }] } } },
} as const satisfies Record<string, EventPattern>;

export type Consumption = { rule: Rule; undelivered: Queue };

export const handoffBus = (scope: Construct): EventBus => new EventBus(scope, 'HandoffBus', { description: 'Signals in, receipts out: what happened to every handoff.' });

/** Lets one function consume a pattern. Delivery is tried for `hours`; what the bus cannot hand over waits in the rule's own queue (EB-07, EB-08). */
export function consume(scope: Construct, id: string, props: { bus?: EventBus; pattern: EventPattern; target: BatonFunction; hours: number; description: string }): Consumption {
  const undelivered = deadLetterQueue(scope, `${id}Undelivered`);
  const rule = new Rule(scope, `${id}Rule`, {
    ...(props.bus !== undefined && { eventBus: props.bus }),
    description: props.description,
    eventPattern: props.pattern,
    targets: [new LambdaFunction(props.target.lambda, { deadLetterQueue: undelivered, maxEventAge: Duration.hours(props.hours), retryAttempts: 185 })],
  });
  return { rule, undelivered };
}
