// The functions with their environments. What each may do is in permissions.ts.

import { type CfnCondition, Duration, Fn } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ConfigurationSet } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import { NOTIFY_TIMEOUT_SECONDS } from '../../shared/contracts/message-lease.ts';
import { FETCH_SECRETS_PREFIX, SOURCE_SECRETS_PREFIX } from '../../shared/contracts/secret-names.ts';
import { BatonFunction, type BatonFunctionProps } from './baton-function.ts';
import type { Parameters } from './parameters.ts';

export type Secrets = { baton: Secret; website: Secret; typeform: Secret; twilio: Secret };

export type Given = {
  bundles: string;
  table: Table;
  bus: EventBus;
  bucket: Bucket;
  rawBucket: Bucket;
  secrets: Secrets;
  api: HttpApi;
  mailReports: ConfigurationSet;
  parameters: Parameters;
};

/** Names of all functions, as in the template. */
export type Functions = Record<
  | 'receiveWebhook'
  | 'openHandoff'
  | 'resolveCandidates'
  | 'requestAcceptance'
  | 'advanceClock'
  | 'raiseException'
  | 'awaitNextStep'
  | 'answerOffer'
  | 'publishReceipts'
  | 'notify'
  | 'wakeWorkflow'
  | 'reportOrphans'
  | 'suppressContact'
  | 'noteDelivery'
  | 'carryOutOrder'
  | 'reconcile',
  BatonFunction
>;

/** Requests that may run at once in each pool: intake and clicks cannot starve each other (LA-11). Derived in infra/README.md. */
const POOLS = { intake: 100, clicks: 50 };

export function batonFunctions(scope: Construct, { bundles, table, bus, bucket, rawBucket, secrets, api, mailReports, parameters }: Given): Functions {
  const make = (id: string, name: string, environment: Record<string, string>, more: Partial<BatonFunctionProps> = {}) =>
    new BatonFunction(scope, id, { name, bundles, environment, ...more });
  const HANDOFF_TABLE = table.tableName;
  const HANDOFF_BUS = bus.eventBusName;
  const BATON_SECRET = secrets.baton.secretArn;
  const PUBLIC_URL = parameters.publicUrl(api);
  const { mailFrom: MAIL_FROM, smsFrom: SMS_FROM, opsEmail: OPS_EMAIL, reportZone: REPORT_ZONE, defaultCountry: DEFAULT_COUNTRY } = parameters.values;
  const pool = (size: number): number => poolOf(parameters.pools, size);

  return {
    receiveWebhook: make(
      'ReceiveWebhook',
      'receive-webhook',
      {
        HANDOFF_BUS,
        PUBLIC_URL,
        WEBSITE_SECRET: secrets.website.secretArn,
        TYPEFORM_SECRET: secrets.typeform.secretArn,
        TWILIO_SECRET: secrets.twilio.secretArn,
        SOURCE_SECRETS_PREFIX,
        RAW_BUCKET: rawBucket.bucketName,
        DEFAULT_COUNTRY,
      },
      { timeoutSeconds: 10, reservedConcurrency: pool(POOLS.intake) },
    ),
    openHandoff: make('OpenHandoff', 'open-handoff', { HANDOFF_TABLE, BATON_SECRET, FETCH_SECRETS_PREFIX }, { maxEventAge: Duration.hours(6), timeoutSeconds: 20 }),
    resolveCandidates: make('ResolveCandidates', 'resolve-candidates', { HANDOFF_TABLE }),
    requestAcceptance: make('RequestAcceptance', 'request-acceptance', { HANDOFF_TABLE, HANDOFF_BUS, BATON_SECRET }),
    advanceClock: make('AdvanceClock', 'advance-clock', { HANDOFF_TABLE, BATON_SECRET }),
    raiseException: make('RaiseException', 'raise-exception', { HANDOFF_TABLE, HANDOFF_BUS, BATON_SECRET }),
    awaitNextStep: make('AwaitNextStep', 'await-next-step', { HANDOFF_TABLE, HANDOFF_BUS }),
    answerOffer: make(
      'AnswerOffer',
      'answer-offer',
      { HANDOFF_TABLE, BATON_SECRET, FETCH_SECRETS_PREFIX },
      { maxEventAge: Duration.hours(1), timeoutSeconds: 10, memory: 1024, reservedConcurrency: pool(POOLS.clicks) },
    ),
    publishReceipts: make('PublishReceipts', 'publish-receipts', { HANDOFF_BUS }, { timeoutSeconds: 30 }),
    notify: make(
      'Notify',
      'notify',
      { HANDOFF_TABLE, HANDOFF_BUS, PUBLIC_URL, MAIL_FROM, MAIL_CONFIGURATION_SET: mailReports.configurationSetName, BATON_SECRET, SMS_FROM, OPS_EMAIL, FETCH_SECRETS_PREFIX },
      { maxEventAge: Duration.hours(1), timeoutSeconds: NOTIFY_TIMEOUT_SECONDS },
    ),
    suppressContact: make('SuppressContact', 'suppress-contact', { HANDOFF_TABLE, BATON_SECRET }, { maxEventAge: Duration.hours(6) }),
    carryOutOrder: make('CarryOutOrder', 'carry-out-order', { HANDOFF_TABLE, BATON_SECRET }, { maxEventAge: Duration.hours(6), timeoutSeconds: 30 }),
    noteDelivery: make('NoteDelivery', 'note-delivery', { HANDOFF_TABLE, HANDOFF_BUS }, { maxEventAge: Duration.hours(6) }),
    wakeWorkflow: make('WakeWorkflow', 'wake-workflow', { HANDOFF_TABLE }, { maxEventAge: Duration.hours(1) }),
    reportOrphans: make(
      'ReportOrphans',
      'report-orphans',
      { HANDOFF_TABLE, HANDOFF_BUS, REPORT_BUCKET: bucket.bucketName, REPORT_ZONE },
      { maxEventAge: Duration.hours(6), timeoutSeconds: 120, memory: 1024 },
    ),
    reconcile: make('Reconcile', 'reconcile', { HANDOFF_TABLE, HANDOFF_BUS }, { maxEventAge: Duration.minutes(30), timeoutSeconds: 120, memory: 1024 }),
  };
}

/** The size of a pool, or no value when the account is too small for pools. */
const poolOf = (pools: CfnCondition, size: number): number => Fn.conditionIf(pools.logicalId, size, { Ref: 'AWS::NoValue' }) as unknown as number;
