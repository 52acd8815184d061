import { ACCOUNT, type Kernel, type Provisioned, type Provisioner, REGION, type Resource } from '../kernel/types.ts';
import { DESCRIPTION, ENCRYPTION, ONE_ACCOUNT, TAGS, used, without } from './protocol/reasons.ts';

const ALARM = 'no effect: metrics are not collected here, so alarms never leave INSUFFICIENT_DATA';
const DASHBOARD = 'no effect: the console of the local runtime takes its place';
const LOGS = 'no effect: log lines go to the terminal and are not kept';
const TOPIC = 'no effect: nothing publishes to topics here, because alarms do not fire';
const KEY = ENCRYPTION;
const SCHEMA = 'no effect: a registry describes events to people and their tools; nothing on the bus is checked against it, on AWS neither';

const ALARM_PROPERTIES = [
  'ActionsEnabled',
  'AlarmActions',
  'ComparisonOperator',
  'DatapointsToAlarm',
  'Dimensions',
  'EvaluateLowSampleCountPercentile',
  'EvaluationPeriods',
  'ExtendedStatistic',
  'InsufficientDataActions',
  'MetricName',
  'Metrics',
  'Namespace',
  'OKActions',
  'Period',
  'Statistic',
  'Threshold',
  'ThresholdMetricId',
  'TreatMissingData',
  'Unit',
];

const PROPERTIES = {
  'AWS::CloudWatch::Alarm': { ...used('AlarmName'), ...without(ALARM, ...ALARM_PROPERTIES), AlarmDescription: DESCRIPTION, Tags: TAGS },
  'AWS::CloudWatch::CompositeAlarm': {
    ...used('AlarmName'),
    ...without(
      ALARM,
      'AlarmRule',
      'ActionsEnabled',
      'AlarmActions',
      'InsufficientDataActions',
      'OKActions',
      'ActionsSuppressor',
      'ActionsSuppressorExtensionPeriod',
      'ActionsSuppressorWaitPeriod',
    ),
    AlarmDescription: DESCRIPTION,
    Tags: TAGS,
  },
  'AWS::CloudWatch::Dashboard': { ...used('DashboardName'), DashboardBody: DASHBOARD, Tags: TAGS },
  'AWS::Logs::LogGroup': {
    ...used('LogGroupName'),
    ...without(LOGS, 'RetentionInDays', 'LogGroupClass', 'DataProtectionPolicy', 'FieldIndexPolicies', 'ResourcePolicyDocument', 'DeletionProtectionEnabled'),
    KmsKeyId: ENCRYPTION,
    Tags: TAGS,
  },
  'AWS::Logs::LogStream': without(LOGS, 'LogGroupName', 'LogStreamName'),
  'AWS::Logs::MetricFilter': without(LOGS, 'FilterName', 'FilterPattern', 'LogGroupName', 'MetricTransformations', 'ApplyOnTransformedLogs'),
  'AWS::Logs::ResourcePolicy': without(ONE_ACCOUNT, 'PolicyName', 'PolicyDocument'),
  'AWS::KMS::Key': {
    ...without(KEY, 'KeyPolicy', 'Enabled', 'EnableKeyRotation', 'KeySpec', 'KeyUsage', 'MultiRegion', 'Origin', 'PendingWindowInDays', 'RotationPeriodInDays'),
    BypassPolicyLockoutSafetyCheck: KEY,
    Description: DESCRIPTION,
    Tags: TAGS,
  },
  'AWS::KMS::Alias': { ...used('AliasName'), TargetKeyId: KEY },
  'AWS::SNS::Topic': {
    ...used('TopicName'),
    ...without(TOPIC, 'Subscription', 'DisplayName', 'DeliveryStatusLogging', 'SignatureVersion', 'TracingConfig', 'DataProtectionPolicy'),
    KmsMasterKeyId: ENCRYPTION,
    Tags: TAGS,
  },
  'AWS::SNS::Subscription': without(
    TOPIC,
    'TopicArn',
    'Protocol',
    'Endpoint',
    'FilterPolicy',
    'FilterPolicyScope',
    'RawMessageDelivery',
    'RedrivePolicy',
    'DeliveryPolicy',
    'Region',
  ),
  'AWS::SNS::TopicPolicy': without(ONE_ACCOUNT, 'PolicyDocument', 'Topics'),
  'AWS::EventSchemas::Registry': { ...used('RegistryName'), Description: DESCRIPTION, Tags: TAGS },
  'AWS::EventSchemas::Schema': { ...used('RegistryName', 'SchemaName'), ...without(SCHEMA, 'Type', 'Content'), Description: DESCRIPTION, Tags: TAGS },
};

const arn = (service: string, name: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${name}`;

/** A key id that is the same on every boot. */
const keyId = (logicalId: string): string => `local-${logicalId.toLowerCase()}`;

const MAKE: Record<keyof typeof PROPERTIES, (resource: Resource) => Provisioned> = {
  'AWS::CloudWatch::Alarm': ({ logicalId, properties }) => alarm(String(properties.AlarmName ?? logicalId)),
  'AWS::CloudWatch::CompositeAlarm': ({ logicalId, properties }) => alarm(String(properties.AlarmName ?? logicalId)),
  'AWS::CloudWatch::Dashboard': ({ logicalId, properties }) => ({ ref: String(properties.DashboardName ?? logicalId), attributes: {} }),
  'AWS::Logs::LogGroup': ({ logicalId, properties }) => {
    const name = String(properties.LogGroupName ?? logicalId);
    return { ref: name, attributes: { Arn: arn('logs', `log-group:${name}:*`) } };
  },
  'AWS::Logs::LogStream': ({ logicalId }) => ({ ref: logicalId, attributes: {} }),
  'AWS::Logs::MetricFilter': ({ logicalId }) => ({ ref: logicalId, attributes: {} }),
  'AWS::Logs::ResourcePolicy': ({ logicalId }) => ({ ref: logicalId, attributes: {} }),
  'AWS::KMS::Key': ({ logicalId }) => ({ ref: keyId(logicalId), attributes: { Arn: arn('kms', `key/${keyId(logicalId)}`), KeyId: keyId(logicalId) } }),
  'AWS::KMS::Alias': ({ properties }) => ({ ref: String(properties.AliasName), attributes: {} }),
  'AWS::SNS::Topic': ({ logicalId, properties }) => {
    const name = String(properties.TopicName ?? logicalId);
    return { ref: arn('sns', name), attributes: { TopicName: name, TopicArn: arn('sns', name) } };
  },
  'AWS::SNS::Subscription': ({ logicalId, properties }) => ({
    ref: `${String(properties.TopicArn)}:${logicalId}`,
    attributes: { Arn: `${String(properties.TopicArn)}:${logicalId}` },
  }),
  'AWS::SNS::TopicPolicy': ({ logicalId }) => ({ ref: logicalId, attributes: { Id: logicalId } }),
  'AWS::EventSchemas::Registry': ({ logicalId, properties }) => {
    const name = String(properties.RegistryName ?? logicalId);
    const registry = arn('schemas', `registry/${name}`);
    return { ref: registry, attributes: { RegistryName: name, RegistryArn: registry } };
  },
  'AWS::EventSchemas::Schema': ({ logicalId, properties }) => {
    const name = String(properties.SchemaName ?? logicalId);
    const schema = arn('schemas', `schema/${String(properties.RegistryName)}/${name}`);
    return { ref: schema, attributes: { SchemaArn: schema, SchemaName: name, SchemaVersion: '1' } };
  },
};

const alarm = (name: string): Provisioned => ({ ref: name, attributes: { Arn: arn('cloudwatch', `alarm:${name}`) } });

/** What only matters to people who run Baton on AWS: accepted with its reason, so that the template boots unchanged. */
export const cloudWatch = (kernel: Kernel): Provisioner & { alarms(): { name: string; state: 'INSUFFICIENT_DATA' }[] } => {
  const alarms: string[] = [];
  return {
    properties: PROPERTIES,
    async provision(resource) {
      const made = MAKE[resource.type as keyof typeof PROPERTIES](resource);
      if (resource.type.endsWith('Alarm')) alarms.push(made.ref);
      kernel.log({ service: 'cloudwatch', message: `accepted ${resource.type} without effect`, logicalId: resource.logicalId });
      return made;
    },
    alarms: () => alarms.map((name) => ({ name, state: 'INSUFFICIENT_DATA' })),
  };
};
