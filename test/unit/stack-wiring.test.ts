import { App, Stack, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import { ACCESS_LOG } from '../../infra/constructs/front-door.ts';
import { lookInto, type Properties, synthesizedTemplate } from '../support/synthesized.ts';

const template = synthesizedTemplate();
const { ofType, properties, holders } = lookInto(template);

describe('events', () => {
  test('EB-07, EB-08: every target of a rule has both retry values and a queue of its own', () => {
    const queues: string[] = [];
    for (const { Targets } of properties('AWS::Events::Rule')) {
      for (const target of Targets) {
        expect(target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: expect.any(Number), MaximumRetryAttempts: expect.any(Number) });
        queues.push(target.DeadLetterConfig.Arn['Fn::GetAtt'][0]);
      }
    }
    expect(new Set(queues).size).toBe(queues.length);
  });

  test('EB-09, OP-01: dead letters are encrypted by SQS itself and kept as long as SQS can', () => {
    for (const queue of properties('AWS::SQS::Queue')) {
      expect(queue).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 24 * 60 * 60 });
      expect(queue).not.toHaveProperty('KmsMasterKeyId');
    }
  });

  test('EB-15, EB-16: a rule has one target, and it is a function', () => {
    for (const { Targets } of properties('AWS::Events::Rule')) {
      expect(Targets).toHaveLength(1);
      expect(template.Resources[Targets[0].Arn['Fn::GetAtt'][0]]?.Type).toBe('AWS::Lambda::Function');
    }
  });

  test('EB-11: rules look at source and detail type, and at nothing clever', () => {
    for (const { EventPattern } of properties('AWS::Events::Rule')) {
      const own = EventPattern.source.every((source: string) => source.startsWith('baton.'));
      // Whatever a generator says has to be heard, so that what it must not ask for is refused with a receipt.
      if (EventPattern.source.join() === 'baton.ai') continue;
      expect(Object.keys(EventPattern).sort()).toEqual(own ? ['detail-type', 'source'] : ['detail', 'detail-type', 'source']);
    }
  });

  test('EB-12: who puts signals and receipts on the bus is deployed after every rule', () => {
    const rules = ofType('AWS::Events::Rule').map(([id]) => id);
    const speakers = ofType('AWS::Lambda::Function').filter(([id]) => /^(ReceiveWebhook|PublishReceipts)/.test(id));
    expect(speakers).toHaveLength(2);
    for (const [, resource] of speakers) expect((resource as Properties).DependsOn).toEqual(expect.arrayContaining(rules));
  });

  test('EB-14: no function hears what it says', () => {
    const heard = (id: string) => properties('AWS::Events::Rule').find(({ Targets }) => Targets[0].Arn['Fn::GetAtt'][0].startsWith(id)).EventPattern;
    expect(heard('OpenHandoff')).toEqual({ source: ['baton.intake'], 'detail-type': ['signal.received', 'deliveries.counted'] });
    expect(
      holders('events:PutEvents')
        .map(({ policy }) => policy.replace(/Role.*/, ''))
        .sort(),
    ).toEqual(['AwaitNextStep', 'NoteDelivery', 'Notify', 'PublishReceipts', 'RaiseException', 'ReceiveWebhook', 'Reconcile', 'ReportOrphans', 'RequestAcceptance']);
  });

  test('D: clicks in Slack reach who answers offers, and only two functions may speak in Slack', () => {
    const [rule] = properties('AWS::Events::Rule').filter(({ EventPattern }) => EventPattern['detail-type']?.includes('slack.answered'));
    expect(rule).toMatchObject({ EventPattern: { source: ['baton.intake'] }, Targets: [{ Arn: { 'Fn::GetAtt': [expect.stringMatching(/^AnswerOffer/), 'Arn'] } }] });
    const speakers = holders('secretsmanager:GetSecretValue').filter(({ Resource }) => JSON.stringify(Resource).includes('baton/fetch/slack*'));
    expect(speakers.map(({ policy }) => policy.replace(/Role.*/, '')).sort()).toEqual(['AnswerOffer', 'Notify']);
  });

  test('SF-10: an execution that fails, times out or is aborted is heard on the default bus', () => {
    const [rule] = properties('AWS::Events::Rule').filter(({ EventPattern }) => EventPattern.source.includes('aws.states'));
    expect(rule).not.toHaveProperty('EventBusName');
    expect(rule.EventPattern.detail).toMatchObject({ status: ['FAILED', 'TIMED_OUT', 'ABORTED'] });
  });
});

describe('the schema registry', () => {
  const heard = properties('AWS::Events::Rule').flatMap(({ EventPattern }) => (EventPattern.source.includes('baton.intake') ? EventPattern['detail-type'] : []));

  test('D: every inbound event that somebody hears is described, by source and detail type', () => {
    const described = properties('AWS::EventSchemas::Schema').map(({ SchemaName }) => SchemaName);
    expect(described).toEqual(expect.arrayContaining(heard.map((detailType: string) => `baton.intake@${detailType}`)));
    expect(described).toContain('baton.intake@customer.replied');
  });

  test('D: a schema is draft 4, names its event, and fits what the registry takes', () => {
    for (const { SchemaName, Type, Content } of properties('AWS::EventSchemas::Schema')) {
      const schema = JSON.parse(Content);
      expect([Type, schema.$schema]).toEqual(['JSONSchemaDraft4', 'http://json-schema.org/draft-04/schema#']);
      expect(`${schema['x-amazon-events-source']}@${schema['x-amazon-events-detail-type']}`).toBe(SchemaName);
      expect(SchemaName).toMatch(/^[0-9A-Za-z_.@-]{1,385}$/);
      expect(Content.length).toBeLessThan(100_000);
      expect(Content).not.toMatch(/"const":/);
    }
  });
});

describe('schedules', () => {
  test('SC-02: the report runs at a local hour that no change of daylight saving time skips or repeats', () => {
    const report = properties('AWS::Scheduler::Schedule').find(({ ScheduleExpression }) => ScheduleExpression.startsWith('cron'));
    expect(report).toMatchObject({ ScheduleExpression: 'cron(0 6 * * ? *)', ScheduleExpressionTimezone: { Ref: 'ReportZone' } });
  });

  test('SC-03: no rule of the bus keeps a schedule', () => {
    for (const rule of properties('AWS::Events::Rule')) expect(rule).not.toHaveProperty('ScheduleExpression');
  });

  test('SC-06: every schedule says which instant it stands for, retries, and has a queue', () => {
    for (const { Target } of properties('AWS::Scheduler::Schedule')) {
      expect(JSON.parse(Target.Input)).toEqual({ schemaVersion: '1', scheduledAt: '<aws.scheduler.scheduled-time>' });
      expect(Target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: expect.any(Number), MaximumRetryAttempts: expect.any(Number) });
      expect(Target.DeadLetterConfig.Arn).toBeDefined();
    }
  });
});

describe('the machine', () => {
  const [machine] = properties('AWS::StepFunctions::StateMachine');

  test('PI-01: its log holds no execution data', () => {
    expect(machine).toMatchObject({ StateMachineType: 'STANDARD', LoggingConfiguration: { IncludeExecutionData: false, Level: 'ALL' } });
  });

  test('CD-06: its log group escapes the limit of the delivery policy', () => {
    const named = properties('AWS::Logs::LogGroup').flatMap(({ LogGroupName }) => (LogGroupName === undefined ? [] : [LogGroupName]));
    expect(named.sort()).toEqual(['/aws/vendedlogs/http/Baton', '/aws/vendedlogs/states/Baton-handoff']);
  });

  test('every name in the definition is substituted by a function', () => {
    const names = [...new Set([...machine.DefinitionString.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))].sort();
    expect(Object.keys(machine.DefinitionSubstitutions).sort()).toEqual(names);
    expect(names).toHaveLength(5);
  });
});

describe('the front door', () => {
  test('the routes are these', () => {
    expect(
      properties('AWS::ApiGatewayV2::Route')
        .map(({ RouteKey }) => RouteKey)
        .sort(),
    ).toEqual(['ANY /a/{proxy+}', 'ANY /in', 'ANY /in/{proxy+}', 'GET /.well-known/baton-keys.json', 'POST /in/{source}']);
  });

  test('LK-19: the access log knows no path, no query, no client', () => {
    const { AccessLogSettings, StageName } = properties('AWS::ApiGatewayV2::Stage')[0];
    expect(StageName).toBe('$default');
    expect(JSON.parse(AccessLogSettings.Format)).toEqual(ACCESS_LOG);
    expect(AccessLogSettings.Format).not.toMatch(/path|query|\bip\b|sourceIp|userAgent|identity|header/i);
  });

  test('LA-11: requests are throttled, intake on its own', () => {
    const { DefaultRouteSettings, RouteSettings } = properties('AWS::ApiGatewayV2::Stage')[0];
    expect(DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 });
    expect(Object.keys(RouteSettings)).toEqual(['ANY /in', 'POST /in/{source}', 'ANY /in/{proxy+}']);
    for (const limits of Object.values<Properties>(RouteSettings)) expect(limits.ThrottlingRateLimit).toBeLessThan(200);
  });

  test('CD-07: links stand on a domain of one’s own when there is one', () => {
    const { PUBLIC_URL } = properties('AWS::Lambda::Function').find(({ Environment }) => Environment.Variables.PUBLIC_URL).Environment.Variables;
    expect(PUBLIC_URL['Fn::If']).toEqual(['OwnDomain', { Ref: 'PublicUrl' }, { 'Fn::GetAtt': [expect.stringMatching(/^FrontDoor/), 'ApiEndpoint'] }]);
  });
});

describe('alarms', () => {
  const alarms = properties('AWS::CloudWatch::Alarm');

  test('SC-08: a day without a report is an alarm, and so is a metric that is missing', () => {
    const [missing] = alarms.filter(({ MetricName }) => MetricName === 'ReportPublished');
    expect(missing).toMatchObject({
      Namespace: 'Baton',
      Dimensions: [{ Name: 'service', Value: 'baton' }],
      TreatMissingData: 'breaching',
      Period: 3600,
      EvaluationPeriods: 26,
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
    });
  });

  test('EB-08: every queue has an alarm of its own, from the first message on', () => {
    const watched = alarms.filter(({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible');
    expect(watched.map(({ Dimensions }) => Dimensions[0].Value['Fn::GetAtt'][0]).sort()).toEqual(
      ofType('AWS::SQS::Queue')
        .map(([id]) => id)
        .sort(),
    );
    for (const alarm of watched) expect(alarm).toMatchObject({ Threshold: 0, ComparisonOperator: 'GreaterThanThreshold', EvaluationPeriods: 1 });
  });

  test('EB-08: the bus is watched for failed, diverted and lost deliveries', () => {
    const sums = alarms.flatMap(({ Metrics }) => (Metrics === undefined ? [] : [Metrics]));
    const watched = sums.flatMap((metrics: Properties[]) => metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric])));
    const rules = ofType('AWS::Events::Rule').map(([id]) => id);
    for (const name of ['FailedInvocations', 'InvocationsFailedToBeSentToDlq', 'InvocationsSentToDlq'])
      expect(
        watched
          .filter(({ MetricName }) => MetricName === name)
          .map(({ Dimensions }) => Dimensions[0].Value.Ref)
          .sort(),
      ).toEqual(rules.sort());
  });

  test('SF-07: executions that fail, time out or are aborted are alarms', () => {
    expect(alarms.map(({ MetricName }) => MetricName)).toEqual(expect.arrayContaining(['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted']));
  });

  test('OP-07: what stands still is an alarm, and so is a sweep that says nothing', () => {
    expect(alarms.filter(({ MetricName }) => MetricName === 'OldestStandingStill')).toMatchObject([
      {
        ...{ Namespace: 'Baton', Dimensions: [{ Name: 'service', Value: 'baton' }], Statistic: 'Maximum', Period: 300 },
        ...{ TreatMissingData: 'breaching', ComparisonOperator: 'GreaterThanThreshold', Threshold: 0, EvaluationPeriods: 3 },
      },
    ]);
  });

  test('WH-07: other content under a known id is an alarm, counted where the functions count it', () => {
    expect(alarms.filter(({ MetricName }) => MetricName === 'SignalConflicts')).toMatchObject([
      { Namespace: 'Baton', Dimensions: [{ Name: 'service', Value: 'baton' }], TreatMissingData: 'notBreaching', Threshold: 0 },
    ]);
  });

  test('every alarm reaches the topic', () => {
    for (const { AlarmActions } of alarms) expect(AlarmActions).toEqual([{ Ref: expect.stringMatching(/^AlarmsTopic/) }]);
  });
});

describe('cdk-nag', () => {
  test('it is on: an unexplained violation stops the synthesis (planted fault)', () => {
    const app = new App({ analyticsReporting: false });
    new Queue(new Stack(app, 'Planted'), 'Open');
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).toThrow('AwsSolutions-SQS4');
  });
});
