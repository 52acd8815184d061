import { ACCOUNT, AwsError, type AwsRequest, type AwsResponse, REGION } from '../../kernel/types.ts';
import type { Input } from '../protocol/input.ts';
import { readJson, refuseUnknownMembers } from '../protocol/json-operations.ts';
import { type Definition, readDefinition } from './definition.ts';
import type { ScheduleRow } from './schedule-table.ts';
import type { Schedules } from './schedules.ts';

const MEMBERS = [
  'ActionAfterCompletion',
  'ClientToken',
  'Description',
  'EndDate',
  'FlexibleTimeWindow',
  'GroupName',
  'KmsKeyArn',
  'Name',
  'ScheduleExpression',
  'ScheduleExpressionTimezone',
  'StartDate',
  'State',
  'Target',
];

const answer = (body: unknown): AwsResponse => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const scheduleArn = (group: string, name: string): string => `arn:aws:scheduler:${REGION}:${ACCOUNT}:schedule/${group}/${name}`;

const readBody = (name: string, request: AwsRequest): Definition => {
  const input = readJson(request.body);
  refuseUnknownMembers('a schedule', MEMBERS, input);
  const { ClientToken: _, ...raw } = input;
  return readDefinition(name, raw);
};

/** What anyone needs who creates a schedule: the right to do so, and to hand its role to the scheduler. */
const authorizeWrite = (schedules: Schedules, request: AwsRequest, action: string, definition: Definition): void => {
  schedules.kernel.iam.authorize(request.caller, `scheduler:${action}`, definition.arn);
  schedules.kernel.iam.authorize(request.caller, 'iam:PassRole', definition.target.roleArn);
};

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

const view = (row: ScheduleRow): Input => {
  const definition = readDefinition(row.name, row.raw);
  return {
    ...row.raw,
    Arn: definition.arn,
    Name: row.name,
    GroupName: row.group,
    State: definition.enabled ? 'ENABLED' : 'DISABLED',
    StartDate: seconds(definition.startAt),
    EndDate: seconds(definition.endAt),
    ScheduleExpressionTimezone: row.raw.ScheduleExpressionTimezone ?? 'UTC',
    ActionAfterCompletion: row.raw.ActionAfterCompletion ?? 'NONE',
    CreationDate: seconds(row.createdAt),
    LastModificationDate: seconds(row.createdAt),
  };
};

const create = (schedules: Schedules, name: string, request: AwsRequest): AwsResponse => {
  const definition = readBody(name, request);
  authorizeWrite(schedules, request, 'CreateSchedule', definition);
  if (schedules.exists(definition.group, name)) throw new AwsError('ConflictException', `Schedule ${name} already exists.`, 409);
  schedules.create(definition, 'request');
  schedules.arm(definition);
  return answer({ ScheduleArn: definition.arn });
};

const update = (schedules: Schedules, name: string, request: AwsRequest): AwsResponse => {
  const definition = readBody(name, request);
  authorizeWrite(schedules, request, 'UpdateSchedule', definition);
  schedules.update(definition);
  return answer({ ScheduleArn: definition.arn });
};

const onOne = (schedules: Schedules, name: string, request: AwsRequest): AwsResponse => {
  if (request.method === 'POST') return create(schedules, name, request);
  if (request.method === 'PUT') return update(schedules, name, request);
  const group = request.query.get('groupName') ?? 'default';
  const action = { GET: 'GetSchedule', DELETE: 'DeleteSchedule' }[request.method];
  if (action === undefined) throw unsupported(request);
  schedules.kernel.iam.authorize(request.caller, `scheduler:${action}`, scheduleArn(group, name));
  const row = schedules.find(group, name);
  if (request.method === 'GET') return answer(view(row));
  schedules.remove(group, name);
  return answer({});
};

const list = (schedules: Schedules, request: AwsRequest): AwsResponse => {
  schedules.kernel.iam.authorize(request.caller, 'scheduler:ListSchedules', '*');
  const { query } = request;
  const wanted = (row: Input): boolean =>
    (query.get('ScheduleGroup') ?? row.GroupName) === row.GroupName &&
    (query.get('State') ?? row.State) === row.State &&
    String(row.Name).startsWith(query.get('NamePrefix') ?? '');
  const rows = schedules
    .all()
    .map(view)
    .filter(wanted)
    .slice(0, Number(query.get('MaxResults') ?? 100));
  return answer({
    Schedules: rows.map(({ Arn, Name, GroupName, State, CreationDate, LastModificationDate, Target }) => ({
      Arn,
      Name,
      GroupName,
      State,
      CreationDate,
      LastModificationDate,
      Target: { Arn: (Target as Input).Arn },
    })),
  });
};

const unsupported = (request: AwsRequest): AwsError =>
  new AwsError(
    'UnknownOperationException',
    `The local runtime does not support ${request.method} ${request.path} of scheduler. Supported: CreateSchedule, GetSchedule, UpdateSchedule, DeleteSchedule, ListSchedules.`,
    404,
  );

/** Answers EventBridge Scheduler's REST interface. */
export const handleSchedulerRequest = (schedules: Schedules, request: AwsRequest): AwsResponse => {
  const [, collection, name, ...rest] = request.path.split('/').map(decodeURIComponent);
  if (collection !== 'schedules' || rest.length > 0) throw unsupported(request);
  if (name !== undefined && name !== '') return onOne(schedules, name, request);
  if (request.method !== 'GET') throw unsupported(request);
  return list(schedules, request);
};
