// Who may do what: the least each function needs, written out. The local runtime enforces the same statements.

import { Arn, ArnFormat, Stack } from 'aws-cdk-lib';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { FETCH_SECRETS_PREFIX, SOURCE_SECRETS_PREFIX } from '../../shared/contracts/secret-names.ts';
import type { BatonFunction } from './baton-function.ts';
import type { Functions, Given } from './functions.ts';
import { checkItems, putItems, queryIndex, queryItems, readItems, updateItems } from './grants.ts';

export function permit(functions: Functions, { table, bus, bucket, rawBucket, secrets, mailReports, parameters }: Given, machine: StateMachine): void {
  const { receiveWebhook, openHandoff, resolveCandidates, requestAcceptance, advanceClock, raiseException, awaitNextStep } = functions;
  const { answerOffer, publishReceipts, notify, wakeWorkflow, reportOrphans, reconcile, suppressContact, noteDelivery, carryOutOrder } = functions;

  readItems(
    table,
    openHandoff,
    resolveCandidates,
    requestAcceptance,
    advanceClock,
    raiseException,
    awaitNextStep,
    answerOffer,
    notify,
    wakeWorkflow,
    reportOrphans,
    reconcile,
    carryOutOrder,
  );
  queryItems(table, carryOutOrder, answerOffer, notify, reportOrphans);
  queryIndex(table, 'by-person', carryOutOrder, resolveCandidates);
  queryIndex(table, 'open', reportOrphans, reconcile);
  putItems(
    table,
    openHandoff,
    resolveCandidates,
    requestAcceptance,
    advanceClock,
    raiseException,
    awaitNextStep,
    answerOffer,
    notify,
    reportOrphans,
    suppressContact,
    noteDelivery,
    carryOutOrder,
  );
  updateItems(table, openHandoff, resolveCandidates, requestAcceptance, advanceClock, raiseException, answerOffer, notify, wakeWorkflow, noteDelivery, carryOutOrder);
  checkItems(table, requestAcceptance, raiseException, awaitNextStep);

  for (const one of [receiveWebhook, requestAcceptance, raiseException, awaitNextStep, publishReceipts, reportOrphans, reconcile, noteDelivery, notify])
    one.allow(['events:PutEvents'], bus.eventBusArn);

  for (const one of [openHandoff, requestAcceptance, advanceClock, raiseException, answerOffer, notify, suppressContact, carryOutOrder])
    one.allow(['secretsmanager:GetSecretValue'], secrets.baton.secretArn);
  receiveWebhook.allow(['secretsmanager:GetSecretValue'], secrets.website.secretArn, secrets.typeform.secretArn, secrets.twilio.secretArn);
  allowSecretsBelow(receiveWebhook, SOURCE_SECRETS_PREFIX, 'one secret a source, made by a person with `baton source add` after the deployment');
  allowSecretsBelow(openHandoff, FETCH_SECRETS_PREFIX, 'one token a system that keeps answers to itself, made by a person with `baton source add`');
  for (const one of [notify, answerOffer])
    allowSecretsBelow(one, `${FETCH_SECRETS_PREFIX}slack`, 'the token that speaks in Slack, made by a person with `baton source add slack`; Secrets Manager adds six characters');

  reportOrphans.allowWildcard({ actions: ['s3:PutObject'], resources: [bucket.arnForObjects('reports/*')], reason: 'the names of the days to come are not known beforehand' });

  receiveWebhook.allowWildcard({
    actions: ['s3:PutObject'],
    resources: [rawBucket.arnForObjects('raw/*')],
    reason: 'deliveries are named by their content; no function may read them',
  });

  openHandoff.allow(['states:StartExecution'], machine.stateMachineArn);
  openHandoff.lambda.addEnvironment('HANDOFF_MACHINE', machine.stateMachineArn);
  reconcile.allow(['states:StartExecution'], machine.stateMachineArn);
  for (const one of [reconcile, reportOrphans]) {
    one.allowWildcard({
      actions: ['states:DescribeExecution'],
      resources: [executionsOf(machine)],
      reason: 'executions are named by handoff, so all of this one machine are meant',
    });
    one.lambda.addEnvironment('HANDOFF_MACHINE', machine.stateMachineArn);
  }
  wakeWorkflow.allowWildcard({
    actions: ['states:SendTaskSuccess'],
    resources: ['*'],
    reason: 'IAM cannot narrow it for tokens of a service integration; no other function has it (SF-06)',
  });

  allowMessages(functions, parameters.values.mailFrom, mailReports.configurationSetName);

  publishReceipts.allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], streamOf(table));
  publishReceipts.allowWildcard({ actions: ['dynamodb:ListStreams'], resources: ['*'], reason: 'Lambda needs it to make the mapping, and the action knows no resource' });
}

function allowMessages({ notify }: Functions, mailFrom: string, mailReports: string): void {
  const stack = Stack.of(notify);
  const of = (service: string, resource: string) => Arn.format({ service, resource, resourceName: '*' }, stack);
  notify.allowWildcard({
    actions: ['ses:SendEmail'],
    resources: [of('ses', 'identity'), Arn.format({ service: 'ses', resource: 'configuration-set', resourceName: mailReports }, stack)],
    reason: 'the identity may be the address or its domain; the condition fixes the sender',
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
  });
  notify.allowWildcard({
    actions: ['sms-voice:SendTextMessage'],
    resources: [of('sms-voice', 'phone-number'), of('sms-voice', 'pool'), of('sms-voice', 'sender-id')],
    reason: 'whether the account sends from a number, a pool or a sender id is decided outside this stack',
  });
}

/** Reads the secrets whose names begin so, and no others. */
function allowSecretsBelow(one: BatonFunction, prefix: string, reason: string): void {
  const below = Arn.format({ service: 'secretsmanager', resource: 'secret', arnFormat: ArnFormat.COLON_RESOURCE_NAME, resourceName: `${prefix}*` }, Stack.of(one));
  one.allowWildcard({ actions: ['secretsmanager:GetSecretValue'], resources: [below], reason });
}

function executionsOf(machine: StateMachine): string {
  return Arn.format({ service: 'states', resource: 'execution', arnFormat: ArnFormat.COLON_RESOURCE_NAME, resourceName: `${machine.stateMachineName}:*` }, Stack.of(machine));
}

function streamOf(table: Given['table']): string {
  const { tableStreamArn } = table;
  if (tableStreamArn === undefined) throw new Error('the table has no stream');
  return tableStreamArn;
}
