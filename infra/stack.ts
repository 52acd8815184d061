// One stack: the template that runs on a laptop and on AWS. Logical ids of table, secrets and bucket never change (CD-01; test/unit/stack.test.ts holds them).

import { CfnOutput, type CfnResource, Stack, type StackProps } from 'aws-cdk-lib';
import type { IRule } from 'aws-cdk-lib/aws-events';
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { Alarms } from './constructs/alarms.ts';
import type { BatonFunction } from './constructs/baton-function.ts';
import { deadLetterQueue } from './constructs/dead-letter-queue.ts';
import { eventSchemas } from './constructs/event-schemas.ts';
import { frontDoor, openFrontDoor } from './constructs/front-door.ts';
import { batonFunctions, type Functions, type Given } from './constructs/functions.ts';
import { generatedSecret } from './constructs/generated-secrets.ts';
import { CONSUMERS, consume, DELIVERIES, handoffBus } from './constructs/handoff-bus.ts';
import { handoffTable } from './constructs/handoff-table.ts';
import { handoffWorkflow } from './constructs/handoff-workflow.ts';
import { mailReports } from './constructs/mail-reports.ts';
import { Parameters } from './constructs/parameters.ts';
import { permit } from './constructs/permissions.ts';
import { rawBucket } from './constructs/raw-bucket.ts';
import { reportBucket } from './constructs/report-bucket.ts';
import { schedule } from './constructs/schedules.ts';

/** Everything Baton is made of. `bundles` is the folder with one folder of code a function. */
export class BatonStack extends Stack {
  constructor(scope: Construct, id: string, { bundles, ...props }: StackProps & { bundles: string }) {
    super(scope, id, props);
    const given: Given = {
      bundles,
      parameters: new Parameters(this, 'Parameters'),
      table: handoffTable(this),
      bus: handoffBus(this),
      bucket: reportBucket(this),
      rawBucket: rawBucket(this),
      secrets: {
        baton: generatedSecret(this, 'BatonSecret', 'Keys of links, receipts and pseudonyms are derived from this.'),
        website: generatedSecret(this, 'WebsiteSecret', 'Signs POST /in/website (Standard Webhooks: whsec_ and this).'),
        typeform: generatedSecret(this, 'TypeformSecret', 'Signs POST /in/typeform.'),
        twilio: generatedSecret(this, 'TwilioSecret', 'Auth token of the Twilio account: replace it with yours.'),
      },
      api: frontDoor(this),
      mailReports: mailReports(this),
    };
    const functions = batonFunctions(this, given);
    const { resolveCandidates, requestAcceptance, raiseException, awaitNextStep, advanceClock } = functions;
    const machine = handoffWorkflow(this, {
      ResolveCandidates: resolveCandidates,
      RequestAcceptance: requestAcceptance,
      RaiseException: raiseException,
      AwaitNextStep: awaitNextStep,
      AdvanceClock: advanceClock,
    });
    permit(functions, given, machine);
    const stage = openFrontDoor(this, given.api, { intake: functions.receiveWebhook, pages: functions.answerOffer });

    const { rules, queues } = this.#connect(functions, given, machine);
    rulesFirst(rules, [functions.receiveWebhook, functions.publishReceipts]);
    eventSchemas(this);
    new Alarms(this, 'Alarms', { queues, rules, machine, serverErrors: stage.metricServerError() });
    this.#outputs(given, machine);
  }

  /** Stream, rules and schedules, and every queue that something may end in. */
  #connect(functions: Functions, given: Given, machine: StateMachine): { rules: IRule[]; queues: Queue[] } {
    const { bus } = given;
    const { openHandoff, notify, wakeWorkflow, reportOrphans, reconcile, suppressContact, noteDelivery, carryOutOrder, answerOffer } = functions;
    const consumptions = [
      consume(this, 'OpenHandoff', { bus, pattern: CONSUMERS.OpenHandoff, target: openHandoff, hours: 24, description: 'A signal opens a handoff.' }),
      consume(this, 'Notify', { bus, pattern: CONSUMERS.Notify, target: notify, hours: 1, description: 'People hear what concerns them.' }),
      consume(this, 'WakeWorkflow', { bus, pattern: CONSUMERS.WakeWorkflow, target: wakeWorkflow, hours: 1, description: 'An answer ends the wait for it.' }),
      consume(this, 'SuppressContact', { bus, pattern: CONSUMERS.SuppressContact, target: suppressContact, hours: 24, description: 'No more messages, at once.' }),
      consume(this, 'NoteDelivery', { bus, pattern: CONSUMERS.NoteDelivery, target: noteDelivery, hours: 24, description: 'What providers report about messages.' }),
      consume(this, 'CarryOutOrder', {
        bus,
        pattern: CONSUMERS.CarryOutOrder,
        target: carryOutOrder,
        hours: 24,
        description: 'Orders of staff, and messages that did not arrive.',
      }),
      consume(this, 'NotePrepared', {
        bus,
        pattern: CONSUMERS.NotePrepared,
        target: carryOutOrder,
        hours: 1,
        description: 'What generators say: texts are kept apart, anything else is refused.',
      }),
      consume(this, 'AnswerOffer', { bus, pattern: CONSUMERS.AnswerOffer, target: answerOffer, hours: 1, description: 'A click in Slack answers an offer.' }),
      consume(this, 'MailDelivery', { pattern: DELIVERIES.MailDelivery, target: noteDelivery, hours: 24, description: 'What SES says about our mail.' }),
      consume(this, 'TextDelivery', { pattern: DELIVERIES.TextDelivery, target: noteDelivery, hours: 24, description: 'What AWS says about our text messages.' }),
      consume(this, 'EndedWorkflow', {
        pattern: {
          source: ['aws.states'],
          detailType: ['Step Functions Execution Status Change'],
          detail: { stateMachineArn: [machine.stateMachineArn], status: ['FAILED', 'TIMED_OUT', 'ABORTED'] },
        },
        target: reconcile,
        hours: 1,
        description: 'A workflow that ended badly is replaced (SF-10).',
      }),
    ];
    const schedules = [
      schedule(this, 'ReportOrphans', {
        target: reportOrphans,
        expression: 'cron(0 6 * * ? *)',
        zone: given.parameters.values.reportZone,
        maximumAgeSeconds: 6 * 60 * 60,
        description: 'The orphan report, daily at 06:00 local time: no change of daylight saving time skips or repeats that hour (SC-02).',
      }),
      schedule(this, 'Reconcile', { target: reconcile, expression: 'rate(5 minutes)', maximumAgeSeconds: 300, description: 'Repairs what a crash or an outage left behind.' }),
    ];
    const failures = Object.values(functions).flatMap(({ failed }) => (failed === undefined ? [] : [failed]));
    return {
      rules: consumptions.map(({ rule }) => rule),
      queues: [...consumptions.map(({ undelivered }) => undelivered), ...schedules, ...failures, this.#stream(functions, given)],
    };
  }

  /** The table's stream feeds `publish-receipts`, receipts only; a record that never works ends in the queue, and does not hold up the rest (LA-05). */
  #stream({ publishReceipts }: Functions, { table }: Given): Queue {
    const unpublished = deadLetterQueue(this, 'Unpublished');
    publishReceipts.allow(['sqs:SendMessage'], unpublished.queueArn);
    new EventSourceMapping(this, 'ReceiptStream', {
      target: publishReceipts.lambda,
      eventSourceArn: table.tableStreamArn ?? '',
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: 20,
      parallelizationFactor: 4,
      onFailure: { bind: () => ({ destination: unpublished.queueArn }) },
      filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT'), dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('RECEIPT#') } } } })],
    });
    return unpublished;
  }

  #outputs({ api, bus, table, bucket, rawBucket, secrets, parameters }: Given, machine: StateMachine): void {
    const output = (name: string, value: string, description: string) => new CfnOutput(this, name, { value, description });
    output('WebhookUrl', `${api.apiEndpoint}/in`, 'Where sources deliver: <this>/website, <this>/typeform, <this>/twilio.');
    output('BusName', bus.eventBusName, 'Bus for partners: source baton.intake, detail-type signal.received; examples/partner shows how.');
    output('TableName', table.tableName, 'The table that decides.');
    output('MachineArn', machine.stateMachineArn, 'The machine that waits.');
    output('ReportBucketName', bucket.bucketName, 'The daily reports.');
    output('RawBucketName', rawBucket.bucketName, 'Deliveries as they came, for 30 days.');
    output('MailFrom', parameters.values.mailFrom, 'Sender of every e-mail; `baton ready` looks whether it may send.');
    output('SmsFrom', parameters.values.smsFrom, 'Sender of every text message.');
    output('BatonSecretArn', secrets.baton.secretArn, 'Root of all keys.');
    output('WebsiteSecretArn', secrets.website.secretArn, 'Key of /in/website.');
    output('TypeformSecretArn', secrets.typeform.secretArn, 'Key of /in/typeform.');
    output('TwilioSecretArn', secrets.twilio.secretArn, 'Key of /in/twilio.');
  }
}

/** Who speaks on the bus and hears nothing from it is deployed after every rule: what is said before a rule stands is never matched (EB-12). */
function rulesFirst(rules: readonly IRule[], speakers: readonly BatonFunction[]): void {
  for (const { lambda } of speakers) for (const rule of rules) (lambda.node.defaultChild as CfnResource).addResourceDependency(rule.node.defaultChild as CfnResource);
}
