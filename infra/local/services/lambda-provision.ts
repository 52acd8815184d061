import type { Provisioned, Provisioner, Resource } from '../kernel/types.ts';
import { ASYNC_DEFAULTS, type AsyncSettings } from './lambda-async.ts';
import { isDeliverable } from './lambda-destinations.ts';
import { FUNCTION_PROPERTIES } from './lambda-function.ts';
import { type FunctionPolicies, PERMISSION_PROPERTIES } from './lambda-permissions.ts';

type Destination = { Destination?: string };
type Registry = {
  addFunction: (resource: Resource) => Provisioned;
  arnOf: (nameOrArn: string) => string;
  policies: FunctionPolicies;
  setAsync: (functionArn: string, settings: AsyncSettings) => void;
};

const LAMBDA_PROPERTIES = {
  'AWS::Lambda::Function': FUNCTION_PROPERTIES,
  'AWS::Lambda::Permission': PERMISSION_PROPERTIES,
  'AWS::Lambda::EventInvokeConfig': {
    DestinationConfig: 'used',
    'DestinationConfig.OnFailure': 'used',
    'DestinationConfig.OnFailure.Destination': 'used: queues and functions',
    'DestinationConfig.OnSuccess': 'used',
    'DestinationConfig.OnSuccess.Destination': 'used: queues and functions',
    FunctionName: 'used',
    MaximumEventAgeInSeconds: 'used',
    MaximumRetryAttempts: 'used',
    Qualifier: 'no effect: every qualifier is $LATEST here',
  },
  'AWS::Lambda::Version': { CodeSha256: 'no effect', Description: 'no effect', FunctionName: 'used', RuntimePolicy: 'no effect' },
  'AWS::Lambda::Alias': { Description: 'no effect', FunctionName: 'used', FunctionVersion: 'no effect: every version is $LATEST here', Name: 'used' },
} as const;

/** Makes functions, permissions, versions, aliases and asynchronous settings of the template real. */
export function lambdaProvisioner(registry: Registry): Provisioner {
  return {
    properties: LAMBDA_PROPERTIES,
    async provision(resource) {
      if (resource.type === 'AWS::Lambda::Function') return registry.addFunction(resource);
      const functionArn = registry.arnOf(String(resource.properties.FunctionName));
      switch (resource.type) {
        case 'AWS::Lambda::Permission':
          return addPermission(resource, functionArn, registry.policies);
        case 'AWS::Lambda::EventInvokeConfig':
          registry.setAsync(functionArn, readAsync(resource));
          return { ref: `${functionArn}:$LATEST`, attributes: {} };
        case 'AWS::Lambda::Version':
          return { ref: `${functionArn}:1`, attributes: { FunctionArn: `${functionArn}:1`, Version: '1' } };
        default: {
          const arn = `${functionArn}:${String(resource.properties.Name)}`;
          return { ref: arn, attributes: { AliasArn: arn } };
        }
      }
    },
  };
}

function addPermission({ logicalId, properties }: Resource, functionArn: string, policies: FunctionPolicies): Provisioned {
  const { Action, Principal, SourceArn } = properties;
  policies.add(functionArn, { action: String(Action), principal: String(Principal), ...(SourceArn === undefined ? {} : { sourceArn: String(SourceArn) }) });
  return { ref: logicalId, attributes: { Id: logicalId } };
}

function readAsync({ properties }: Resource): AsyncSettings {
  const destinations = (properties.DestinationConfig ?? {}) as { OnFailure?: Destination; OnSuccess?: Destination };
  const [onFailure, onSuccess] = [destinations.OnFailure?.Destination, destinations.OnSuccess?.Destination];
  for (const destination of [onFailure, onSuccess]) {
    if (destination !== undefined && !isDeliverable(destination)) throw new Error(`destination ${destination} is not supported (supported: SQS queues, Lambda functions)`);
  }
  return {
    maximumRetryAttempts: Number(properties.MaximumRetryAttempts ?? ASYNC_DEFAULTS.maximumRetryAttempts),
    maximumEventAgeSeconds: Number(properties.MaximumEventAgeInSeconds ?? ASYNC_DEFAULTS.maximumEventAgeSeconds),
    ...(onFailure === undefined ? {} : { onFailure }),
    ...(onSuccess === undefined ? {} : { onSuccess }),
  };
}
