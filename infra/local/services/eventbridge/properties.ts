import { DESCRIPTION, ENCRYPTION, ONE_ACCOUNT, TAGS, used, without } from '../protocol/reasons.ts';

const SCHEMAS = 'no effect: schemas describe events for people and code generators';

/** Which properties of EventBridge's types are understood, and what comes of them. */
export const EVENTBRIDGE_PROPERTIES = {
  'AWS::Events::EventBus': { ...used('Name'), Description: DESCRIPTION, Tags: TAGS, KmsKeyIdentifier: ENCRYPTION, Policy: ONE_ACCOUNT },
  'AWS::Events::EventBusPolicy': without(ONE_ACCOUNT, 'EventBusName', 'StatementId', 'Statement', 'Action', 'Principal', 'Condition'),
  'AWS::Events::Rule': {
    ...used('Name', 'EventBusName', 'EventPattern', 'State', 'Description', 'Targets'),
    ...used('Targets.Arn', 'Targets.Id', 'Targets.Input', 'Targets.InputPath', 'Targets.InputTransformer'),
    ...used('Targets.InputTransformer.InputPathsMap', 'Targets.InputTransformer.InputTemplate'),
    ...used('Targets.DeadLetterConfig', 'Targets.DeadLetterConfig.Arn'),
    ...used('Targets.RetryPolicy', 'Targets.RetryPolicy.MaximumRetryAttempts', 'Targets.RetryPolicy.MaximumEventAgeInSeconds'),
    'Targets.RoleArn': 'no effect: functions and queues admit EventBridge by their own policy, as on AWS',
    RoleArn: 'no effect: only needed for targets in other accounts',
    Tags: TAGS,
  },
  'AWS::EventSchemas::Registry': without(SCHEMAS, 'RegistryName', 'Description', 'Tags'),
  'AWS::EventSchemas::RegistryPolicy': without(SCHEMAS, 'RegistryName', 'Policy', 'RevisionId'),
  'AWS::EventSchemas::Schema': without(SCHEMAS, 'RegistryName', 'SchemaName', 'Content', 'Description', 'Type', 'Tags'),
  'AWS::EventSchemas::Discoverer': without(SCHEMAS, 'SourceArn', 'Description', 'CrossAccount', 'Tags'),
};
