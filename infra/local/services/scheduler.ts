import { ACCOUNT, type AwsService, type Kernel, type Provisioned, type Provisioner, REGION, type Resource } from '../kernel/types.ts';
import { DESCRIPTION, ENCRYPTION, TAGS, used } from './protocol/reasons.ts';
import { readDefinition } from './scheduler/definition.ts';
import { handleSchedulerRequest } from './scheduler/operations.ts';
import { Schedules } from './scheduler/schedules.ts';

export type LocalScheduler = AwsService &
  Provisioner & {
    /** Wakes all schedules. One that was due while the runtime was off fires once, however often it was missed. */
    resume(): void;
    /** Every schedule and when it fires next, for the console. */
    summary(): { name: string; expression: string; nextAt: string | undefined }[];
  };

const PROPERTIES = {
  'AWS::Scheduler::Schedule': {
    ...used('Name', 'GroupName', 'ScheduleExpression', 'ScheduleExpressionTimezone', 'StartDate', 'EndDate', 'State', 'ActionAfterCompletion'),
    ...used('FlexibleTimeWindow', 'FlexibleTimeWindow.Mode', 'FlexibleTimeWindow.MaximumWindowInMinutes'),
    ...used('Target', 'Target.Arn', 'Target.RoleArn', 'Target.Input', 'Target.DeadLetterConfig', 'Target.DeadLetterConfig.Arn'),
    ...used('Target.RetryPolicy', 'Target.RetryPolicy.MaximumRetryAttempts', 'Target.RetryPolicy.MaximumEventAgeInSeconds'),
    Description: DESCRIPTION,
    KmsKeyArn: ENCRYPTION,
  },
  'AWS::Scheduler::ScheduleGroup': { ...used('Name'), Tags: TAGS },
};

const provision = (schedules: Schedules, { type, logicalId, properties }: Resource): Provisioned => {
  const name = String(properties.Name ?? logicalId);
  if (type === 'AWS::Scheduler::ScheduleGroup') return { ref: name, attributes: { Arn: `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule-group/${name}`, State: 'ACTIVE' } };
  const definition = readDefinition(name, properties);
  schedules.keepFromTemplate(definition);
  return { ref: name, attributes: { Arn: definition.arn } };
};

/** EventBridge Scheduler, driven by the runtime's time. */
export const scheduler = (kernel: Kernel): LocalScheduler => {
  const schedules = new Schedules(kernel);
  return {
    signingName: 'scheduler',
    protocol: 'rest-json',
    handle: async (request) => handleSchedulerRequest(schedules, request),
    properties: PROPERTIES,
    provision: async (resource) => provision(schedules, resource),
    resume: () => schedules.resume(),
    summary: () =>
      schedules.all().map((row) => ({
        name: row.name,
        expression: String(row.raw.ScheduleExpression),
        nextAt: row.nextAt === undefined ? undefined : new Date(row.nextAt).toISOString(),
      })),
  };
};
