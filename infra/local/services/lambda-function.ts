import type { Resource } from '../kernel/types.ts';

/** A function as the template describes it, ready to run here. */
export type FunctionSettings = {
  name: string;
  arn: string;
  roleArn: string;
  /** File URL of the bundled module. */
  entry: string;
  handlerName: string;
  handler: string;
  runtime: string;
  description: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  environment: Record<string, string>;
  reservedConcurrency?: number;
  deadLetterArn?: string;
  logicalId: string;
  path: string;
};

/** Properties of `AWS::Lambda::Function` and what becomes of them here. */
export const FUNCTION_PROPERTIES = {
  Architectures: 'no effect: runs on this machine',
  Code: 'used',
  'Code.S3Bucket': 'no effect: assets come from the assembly',
  'Code.S3Key': 'used',
  'Code.ZipFile': 'used: inline code',
  DeadLetterConfig: 'used',
  'DeadLetterConfig.TargetArn': 'used',
  Description: 'used',
  Environment: 'used',
  'Environment.Variables': 'used',
  FunctionName: 'used',
  Handler: 'used',
  KmsKeyArn: 'no effect: nothing is encrypted at rest here',
  LoggingConfig: 'no effect: lines appear in the runtime log as they were written',
  MemorySize: 'used: told to the function, not enforced',
  RecursiveLoop: 'no effect: loops are not detected here',
  ReservedConcurrentExecutions: 'used',
  Role: 'used',
  Runtime: 'used: Node.js only',
  Tags: 'no effect',
  Timeout: 'used',
  TracingConfig: 'no effect: nothing is traced here',
} as const;

type FunctionProperties = {
  Code?: { S3Key?: string; ZipFile?: string };
  DeadLetterConfig?: { TargetArn?: string };
  Description?: string;
  Environment?: { Variables?: Record<string, unknown> };
  FunctionName?: string;
  Handler?: string;
  MemorySize?: number;
  ReservedConcurrentExecutions?: number;
  Role?: string;
  Runtime?: string;
  Timeout?: number;
};

type Surroundings = { arnOf: (name: string) => string; moduleOf: (handlerFile: string, code: { S3Key?: string; ZipFile?: string }) => string };

/** Reads a function's settings from its resource. Throws a sentence when it cannot run here. */
export function readFunction(resource: Resource, { arnOf, moduleOf }: Surroundings): FunctionSettings {
  const properties = resource.properties as FunctionProperties;
  const { Handler: handler = 'index.handler', Runtime: runtime = '' } = properties;
  if (!/^nodejs(20|22|24)\.x$/.test(runtime)) throw new Error(`runtime ${runtime || '(none)'} is not supported (supported: nodejs20.x, nodejs22.x, nodejs24.x)`);
  const [, file = '', handlerName = ''] = /^(.+?)\.([^/]+)$/.exec(handler) ?? [];
  const name = properties.FunctionName ?? resource.logicalId;
  const reserved = properties.ReservedConcurrentExecutions;
  const deadLetterArn = properties.DeadLetterConfig?.TargetArn;
  return {
    name,
    arn: arnOf(name),
    roleArn: String(properties.Role),
    entry: moduleOf(file, properties.Code ?? {}),
    handler,
    handlerName,
    runtime,
    description: properties.Description ?? '',
    timeoutSeconds: Number(properties.Timeout ?? 3),
    memoryMegabytes: Number(properties.MemorySize ?? 128),
    environment: Object.fromEntries(Object.entries(properties.Environment?.Variables ?? {}).map(([key, value]) => [key, String(value)])),
    ...(reserved === undefined ? {} : { reservedConcurrency: Number(reserved) }),
    ...(deadLetterArn === undefined ? {} : { deadLetterArn }),
    logicalId: resource.logicalId,
    path: resource.path,
  };
}
