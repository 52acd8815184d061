// List prices and default quotas of AWS, us-east-1, without free tiers, as the pages named beside them had them. Check them
// before you rely on the cost: `npm run bench` multiplies, it does not ask AWS. Looked up were DynamoDB's prices and the rates
// of EventBridge, SES and SMS; the rest is as it was known then.

/** When these were last compared with the pages. Quotas differ by region and account; new accounts start lower. */
export const AS_OF = '2025-11';

/** Dollars for one unit of what `Usage` counts. */
export const PRICES = {
  httpRequests: { dollars: 1.0 / 1e6, source: 'aws.amazon.com/api-gateway/pricing, HTTP APIs' },
  invocations: { dollars: 0.2 / 1e6, source: 'aws.amazon.com/lambda/pricing, requests' },
  gbSeconds: { dollars: 0.0000133334, source: 'aws.amazon.com/lambda/pricing, duration, arm64' },
  writeUnits: { dollars: 0.625 / 1e6, source: 'aws.amazon.com/dynamodb/pricing/on-demand, write request units' },
  readItems: { dollars: 0.125 / 1e6, source: 'aws.amazon.com/dynamodb/pricing/on-demand, read request units' },
  eventsPut: { dollars: 1.0 / 1e6, source: 'aws.amazon.com/eventbridge/pricing, custom events' },
  transitions: { dollars: 0.025 / 1e3, source: 'aws.amazon.com/step-functions/pricing, standard workflows' },
  emails: { dollars: 0.1 / 1e3, source: 'aws.amazon.com/ses/pricing, outbound' },
  objectsPut: { dollars: 0.005 / 1e3, source: 'aws.amazon.com/s3/pricing, PUT requests, Standard' },
  secretReads: { dollars: 0.05 / 1e4, source: 'aws.amazon.com/secrets-manager/pricing, API calls' },
  objectPuts: { dollars: 0.005 / 1e3, source: 'aws.amazon.com/s3/pricing, PUT requests' },
  logBytes: { dollars: 0.5 / 1e9, source: 'aws.amazon.com/cloudwatch/pricing, log ingestion' },
} as const;

/** A text message costs what its country and carrier ask; this is one part to the United States, carrier fees on top. Shown apart. */
export const TEXT_MESSAGE = { dollars: 0.0058, source: 'aws.amazon.com/end-user-messaging/pricing, United States' };

export type Quota = { name: string; perSecond: number; raise: string; source: string };

/** Rates that are limited, and what of one handoff counts against each. Rates a second, as they are sustained, not as they burst. */
export const QUOTAS: Readonly<
  Record<string, Quota & { of: 'emails' | 'texts' | 'starts' | 'transitions' | 'wakeUps' | 'eventsPut' | 'deliveries' | 'busySeconds' | 'signals' | 'httpRequests' }>
> = {
  texts: {
    name: 'SMS parts a second of one US toll-free number, one part a message',
    of: 'texts',
    perSecond: 3,
    raise: 'more numbers in a pool, a short code (100 a second), or people without a number in roster.yaml',
    source: 'End User Messaging user guide, message parts per second',
  },
  emails: {
    name: 'SES sending rate after leaving the sandbox (1 a second in it)',
    of: 'emails',
    perSecond: 14,
    raise: 'Service Quotas: SES sending rate, and the daily quota beside it; grows by itself with a good reputation',
    source: 'SES developer guide, sending quotas',
  },
  intake: {
    name: 'throttle of POST /in/{source} in this template',
    of: 'signals',
    perSecond: 100,
    raise: 'infra/constructs/front-door.ts, together with the concurrency of receive-webhook',
    source: 'infra/constructs/front-door.ts',
  },
  api: {
    name: 'throttle of all routes in this template',
    of: 'httpRequests',
    perSecond: 200,
    raise: 'infra/constructs/front-door.ts; the account allows 10,000',
    source: 'infra/constructs/front-door.ts',
  },
  starts: {
    name: 'Step Functions StartExecution refill',
    of: 'starts',
    perSecond: 300,
    raise: 'Service Quotas: StartExecution (150 in smaller regions)',
    source: 'Step Functions developer guide, quotas',
  },
  transitions: {
    name: 'Step Functions StateTransition refill',
    of: 'transitions',
    perSecond: 5000,
    raise: 'Service Quotas: state transitions (800 in smaller regions)',
    source: 'Step Functions developer guide, quotas',
  },
  wakeUps: {
    name: 'Step Functions SendTaskSuccess refill',
    of: 'wakeUps',
    perSecond: 500,
    raise: 'Service Quotas: SendTaskSuccess',
    source: 'Step Functions developer guide, quotas',
  },
  events: {
    name: 'EventBridge PutEvents',
    of: 'eventsPut',
    perSecond: 10_000,
    raise: 'Service Quotas: PutEvents (600 in smaller regions)',
    source: 'EventBridge user guide, quotas',
  },
  deliveries: {
    name: 'EventBridge invocations of targets',
    of: 'deliveries',
    perSecond: 18_750,
    raise: 'Service Quotas: invocations (750 in smaller regions)',
    source: 'EventBridge user guide, quotas',
  },
  concurrency: {
    name: 'Lambda concurrent executions, less the 150 reserved for intake and clicks',
    of: 'busySeconds',
    perSecond: 850,
    raise: 'Service Quotas: concurrent executions',
    source: 'Lambda developer guide, quotas',
  },
};
