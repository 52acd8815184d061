import { describe, expect, test } from 'vitest';
import { FUNCTION_NAMES, listed, lookInto, type Properties, synthesizedTemplate } from '../support/synthesized.ts';

const template = synthesizedTemplate({ thorough: true });
const { ofType, properties, statements, holders } = lookInto(template);

describe('what must never be lost', () => {
  test('CD-01: the logical ids and keys of everything stateful are what they always were', () => {
    const stateful = Object.entries(template.Resources).filter(([, { Type }]) => ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'].includes(Type));
    expect(stateful.map(([id]) => id).sort()).toEqual([
      'BatonSecret5ADE34C1',
      'HandoffTable4F7B5F4C',
      'RawBucket0C3EE094',
      'ReportBucket577F0FCD',
      'TwilioSecretA2B44BC3',
      'TypeformSecret2018A2DF',
      'WebsiteSecretA202C22D',
    ]);
    expect(properties('AWS::DynamoDB::Table')[0].KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
  });

  test('CD-01: it is retained on deletion and on replacement', () => {
    for (const [id, { Type, DeletionPolicy, UpdateReplacePolicy }] of Object.entries(template.Resources)) {
      if (['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret'].includes(Type))
        expect([id, DeletionPolicy, UpdateReplacePolicy]).toEqual([id, 'Retain', 'Retain']);
    }
  });

  test('CD-01: the table is protected, recoverable, encrypted, streamed and expires only by TTL', () => {
    expect(properties('AWS::DynamoDB::Table')[0]).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  test('CD-02: nothing retained has a physical name', () => {
    for (const [, { DeletionPolicy, Properties: given }] of Object.entries(template.Resources)) {
      if (DeletionPolicy === 'Retain') for (const name of ['TableName', 'BucketName', 'Name']) expect(given).not.toHaveProperty(name);
    }
  });

  test('CD-03: no export binds another stack', () => {
    for (const output of Object.values(template.Outputs)) expect(output).not.toHaveProperty('Export');
  });

  test('CD-05: the indexes are these two, with keys only', () => {
    const indexes = properties('AWS::DynamoDB::Table')[0].GlobalSecondaryIndexes as Properties[];
    expect(indexes.map(({ IndexName, Projection }) => [IndexName, Projection.ProjectionType])).toEqual([
      ['open', 'KEYS_ONLY'],
      ['by-person', 'KEYS_ONLY'],
    ]);
  });

  test('CD-08: no deployment makes a new value for a secret: what it is generated from is what it always was', () => {
    const given = properties('AWS::SecretsManager::Secret').map(({ Description: _, ...rest }) => rest);
    expect(given).toEqual(Array(4).fill({ GenerateSecretString: { PasswordLength: 44, ExcludePunctuation: true, RequireEachIncludedType: true } }));
    expect(ofType('AWS::SecretsManager::RotationSchedule')).toEqual([]);
  });

  test('DB-19: decisions are written in one Region: one table without replicas, and no function that is told of a Region', () => {
    expect(ofType('AWS::DynamoDB::GlobalTable')).toEqual([]);
    expect(properties('AWS::DynamoDB::Table')).toHaveLength(1);
    for (const name of ['Replicas', 'ReplicaSpecification', 'GlobalTableWitnesses']) expect(properties('AWS::DynamoDB::Table')[0]).not.toHaveProperty(name);
    const region = /(?:^|[.:/])(?:us|eu|ap|ca|sa|me|af|il|mx)-[a-z]+-\d(?:$|[.:/])/;
    expect(region.test('arn:aws:dynamodb:us-west-2:1:table/x')).toBe(true);
    for (const { Environment } of properties('AWS::Lambda::Function')) expect(JSON.stringify(Environment ?? {}).replaceAll('"', '/')).not.toMatch(region);
  });

  test('PI-03: no archive keeps events for ever, because there is none', () => {
    expect(ofType('AWS::Events::Archive')).toEqual([]);
  });
});

describe('functions', () => {
  test('the thirteen functions of the architecture, one bundle each', () => {
    expect(properties('AWS::Lambda::Function')).toHaveLength(FUNCTION_NAMES.length);
  });

  test('LA-08: one pinned runtime, one architecture, ESM handler', () => {
    for (const one of properties('AWS::Lambda::Function')) expect(one).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
  });

  test('CD-04: every function writes JSON to a log group of its own that expires within 30 days, and nothing sets retention behind the back', () => {
    const groups = new Map(ofType('AWS::Logs::LogGroup').map(([id, { Properties: given }]) => [id, given.RetentionInDays as number]));
    const used = properties('AWS::Lambda::Function').map(({ LoggingConfig }) => LoggingConfig);
    for (const logging of used) {
      expect(logging.LogFormat).toBe('JSON');
      expect(groups.get(logging.LogGroup.Ref)).toBeLessThanOrEqual(30);
    }
    expect(new Set(used.map((logging) => logging.LogGroup.Ref)).size).toBe(FUNCTION_NAMES.length);
    for (const days of groups.values()) expect(days).toBeLessThanOrEqual(30);
    expect(Object.values(template.Resources).filter(({ Type }) => Type.startsWith('Custom::') || Type === 'AWS::CloudFormation::CustomResource')).toEqual([]);
  });

  test('LA-02, EB-10: whatever is invoked asynchronously has two retries, a largest age and a failure queue', () => {
    const configured = new Set(properties('AWS::Lambda::EventInvokeConfig').map(({ FunctionName }) => FunctionName.Ref));
    for (const one of properties('AWS::Lambda::EventInvokeConfig')) {
      expect(one.MaximumRetryAttempts).toBe(2);
      expect(one.MaximumEventAgeInSeconds).toBeLessThanOrEqual(21_600);
      expect(template.Resources[one.DestinationConfig.OnFailure.Destination['Fn::GetAtt'][0]]?.Type).toBe('AWS::SQS::Queue');
    }
    const targets = [...properties('AWS::Events::Rule').flatMap(({ Targets }) => Targets), ...properties('AWS::Scheduler::Schedule').map(({ Target }) => Target)];
    for (const { Arn } of targets) expect(configured).toContain(Arn['Fn::GetAtt'][0]);
  });

  test('LA-11: intake and clicks have concurrency of their own, which a small account can turn off', () => {
    const pools = properties('AWS::Lambda::Function').flatMap(({ ReservedConcurrentExecutions }) =>
      ReservedConcurrentExecutions === undefined ? [] : [ReservedConcurrentExecutions],
    );
    expect(pools).toEqual(expect.arrayContaining([{ 'Fn::If': ['Pools', 100, { Ref: 'AWS::NoValue' }] }, { 'Fn::If': ['Pools', 50, { Ref: 'AWS::NoValue' }] }]));
    expect(pools).toHaveLength(2);
    expect(template.Parameters.ConcurrencyPools?.Default).toBe('on');
  });

  test('LA-05: the stream is read with partial batches, bisection, bounded retries, a queue, and receipts only', () => {
    const [mapping] = properties('AWS::Lambda::EventSourceMapping');
    expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'], BisectBatchOnFunctionError: true, StartingPosition: 'TRIM_HORIZON' });
    expect(mapping.MaximumRetryAttempts).toBeGreaterThan(0);
    expect(mapping.DestinationConfig.OnFailure.Destination).toBeDefined();
    expect(JSON.parse(mapping.FilterCriteria.Filters[0].Pattern)).toEqual({ eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'RECEIPT#' }] } } } });
  });
});

describe('rights', () => {
  test('SF-06: exactly one function may wake a workflow, on every resource, and none may fail or beat', () => {
    expect(holders('states:SendTaskSuccess')).toMatchObject([{ Resource: '*', policy: expect.stringMatching(/^WakeWorkflow/) }]);
    expect(statements.flatMap(({ Action }) => listed(Action)).filter((action) => /SendTask(Failure|Heartbeat)/.test(action))).toEqual([]);
  });

  test('SF-22: the machine may invoke its five functions and all their versions, and nothing else of Baton', () => {
    const invoked = holders('lambda:InvokeFunction').filter(({ policy }) => policy.startsWith('WorkflowRole'));
    expect(invoked).toHaveLength(5);
    for (const { Resource } of invoked) {
      const [plain, versions] = Resource as [{ 'Fn::GetAtt': [string, string] }, unknown];
      expect(versions).toEqual({ 'Fn::Join': ['', [plain, ':*']] });
    }
  });

  test('no role may do everything of a service, and only three kinds of right know no resource', () => {
    for (const { Action } of statements) for (const action of listed(Action)) expect(action).not.toContain('*');
    const anywhere = statements.filter(({ Resource }) => listed(Resource as string).includes('*')).flatMap(({ Action }) => listed(Action));
    expect([...new Set(anywhere)].filter((action) => !action.startsWith('logs:')).sort()).toEqual(['dynamodb:ListStreams', 'states:SendTaskSuccess']);
  });

  test('only the functions that decide may write the table; the front door of signals may not even read it', () => {
    const writers = holders('dynamodb:PutItem').map(({ policy }) => policy.replace(/Role.*/, ''));
    expect(writers.sort()).toEqual([
      'AdvanceClock',
      'AnswerOffer',
      'AwaitNextStep',
      'CarryOutOrder',
      'NoteDelivery',
      'Notify',
      'OpenHandoff',
      'RaiseException',
      'ReportOrphans',
      'RequestAcceptance',
      'ResolveCandidates',
      'SuppressContact',
    ]);
    expect(statements.filter(({ policy, Action }) => policy.startsWith('ReceiveWebhook') && listed(Action).some((action) => action.startsWith('dynamodb:')))).toEqual([]);
  });

  test('nobody may delete an item, a bucket object or a queue message', () => {
    expect(statements.flatMap(({ Action }) => listed(Action)).filter((action) => /^(dynamodb|s3|sqs|events|secretsmanager):(Delete|Purge|Remove)/.test(action))).toEqual([]);
  });

  test('PI-04: deliveries as they came are encrypted, closed to the public, asked for over TLS only, and gone after 30 days; one function may put them and none may read them', () => {
    const [rawId = ''] = ofType('AWS::S3::Bucket').find(([id]) => id.startsWith('RawBucket')) ?? [];
    const bucket = template.Resources[rawId]?.Properties;
    expect(bucket).toMatchObject({
      BucketEncryption: { ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }] },
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true },
      LifecycleConfiguration: { Rules: [{ ExpirationInDays: 30, Status: 'Enabled' }] },
    });
    expect(bucket).not.toHaveProperty('VersioningConfiguration');
    const policy = properties('AWS::S3::BucketPolicy').find(({ Bucket }) => Bucket.Ref === rawId);
    expect(policy?.PolicyDocument.Statement).toMatchObject([{ Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }]);
    const onRaws = statements.filter(({ Resource }) => JSON.stringify(Resource).includes(rawId));
    expect(onRaws).toMatchObject([{ Action: 's3:PutObject', policy: expect.stringMatching(/^ReceiveWebhook/) }]);
    expect(JSON.stringify(onRaws[0]?.Resource)).toContain('/raw/*');
  });

  test('LK-26: nobody rewrites links: the set that mail goes through has no tracking domain, and tells of no click and no opening', () => {
    const [set] = properties('AWS::SES::ConfigurationSet');
    expect(properties('AWS::SES::ConfigurationSet')).toHaveLength(1);
    for (const name of ['TrackingOptions', 'VdmOptions']) expect(set ?? {}).not.toHaveProperty(name);
    const told = properties('AWS::SES::ConfigurationSetEventDestination').flatMap(({ EventDestination }) => EventDestination.MatchingEventTypes as string[]);
    expect(told).toContain('delivery');
    expect(told.filter((type) => /click|open|subscription/i.test(type))).toEqual([]);
  });

  test('mail leaves under one sender address only', () => {
    expect(holders('ses:SendEmail')).toMatchObject([{ Condition: { StringEquals: { 'ses:FromAddress': { Ref: 'MailFrom' } } } }]);
  });
});
