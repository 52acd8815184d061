import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../kernel/journal.ts';
import { ACCOUNT, AwsError, type Caller, type Kernel, REGION } from '../../kernel/types.ts';
import { type Deliveries, deliveries } from '../eventbridge/delivery.ts';
import type { Delivery } from '../eventbridge/delivery-table.ts';
import { eventTime } from '../eventbridge/put-events.ts';
import { type Definition, readDefinition, windowOffset } from './definition.ts';
import { nextFiring } from './expression.ts';
import { type ScheduleRow, type ScheduleTable, scheduleTable } from './schedule-table.ts';

const PRINCIPAL = 'scheduler.amazonaws.com';
/** Later than this, a firing counts as missed while the runtime was off: missed ones are made up for once, not one by one. */
const MISSED_AFTER = 60_000;

/** What a target gets when the schedule names no input. */
const defaultInput = (definition: Definition, id: string, at: number): string =>
  JSON.stringify({
    version: '0',
    id,
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: ACCOUNT,
    time: eventTime(at),
    region: REGION,
    resources: [definition.arn],
    detail: '{}',
  });

const withFacts = (text: string, facts: Record<string, string>): string => text.replace(/<aws\.scheduler\.([a-z-]+)>/g, (found, name: string) => facts[name] ?? found);

const deliveryOf = (definition: Definition, scheduledAt: number): Delivery => {
  const { target } = definition;
  const id = randomUUID();
  const facts = { 'schedule-arn': definition.arn, 'scheduled-time': eventTime(scheduledAt), 'execution-id': id, 'attempt-number': '1' };
  const payload = target.input === undefined ? defaultInput(definition, id, scheduledAt) : withFacts(target.input, facts);
  const caller: Caller = { kind: 'role', roleArn: target.roleArn, name: definition.name };
  return {
    target: target.arn,
    payload,
    original: payload,
    labels: { SCHEDULE_ARN: definition.arn, TARGET_ARN: target.arn, EXECUTION_ID: id, SCHEDULED_TIME: eventTime(scheduledAt), IS_PAYLOAD_TRUNCATED: 'false' },
    caller,
    deadLetterArn: target.deadLetterArn,
    deadLetterCaller: caller,
    maximumAttempts: target.maximumAttempts,
    maximumAgeSeconds: target.maximumAgeSeconds,
  };
};

const timing = ({ expression, startAt, endAt, enabled }: Definition): string => JSON.stringify([expression, startAt, endAt, enabled]);

/** All schedules: when each fires next is in the journal, and the agenda wakes them. */
export class Schedules {
  readonly kernel: Kernel;
  readonly #table: ScheduleTable;
  readonly #deliveries: Deliveries;
  readonly #ofTemplate = new Set<string>();

  constructor(kernel: Kernel) {
    this.kernel = kernel;
    this.#table = scheduleTable(kernel.db);
    this.#deliveries = deliveries(kernel, 'sc_delivery', (delivery) => this.#send(delivery));
  }

  /** A schedule of the template keeps its rhythm over restarts unless its timing changed. */
  keepFromTemplate(definition: Definition): void {
    this.#ofTemplate.add(definition.arn);
    const before = this.#table.find(definition.group, definition.name);
    if (before === undefined) {
      this.create(definition, 'template');
      return;
    }
    const unchanged = timing(readDefinition(before.name, before.raw)) === timing(definition);
    const row: ScheduleRow = { ...before, raw: definition.raw, origin: 'template' };
    this.#table.save(unchanged ? row : { ...row, createdAt: this.kernel.time.now(), nextAt: this.#first(definition, this.kernel.time.now()) });
  }

  create(definition: Definition, origin: ScheduleRow['origin']): void {
    const now = this.kernel.time.now();
    if (definition.expression.kind === 'at' && definition.expression.at <= now)
      throw new AwsError('ValidationException', `Invalid Schedule Expression ${String(definition.raw.ScheduleExpression)}. Scheduled date cannot be in the past.`);
    this.#table.save({ name: definition.name, group: definition.group, raw: definition.raw, origin, createdAt: now, nextAt: this.#first(definition, now) });
  }

  update(definition: Definition): void {
    const before = this.find(definition.group, definition.name);
    const now = this.kernel.time.now();
    this.#table.save({ ...before, raw: definition.raw, nextAt: this.#next(definition, now, definition.startAt ?? before.createdAt) });
    this.arm(before);
  }

  find(group: string, name: string): ScheduleRow {
    const row = this.#table.find(group, name);
    if (row === undefined) throw new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404);
    return row;
  }

  exists(group: string, name: string): boolean {
    return this.#table.find(group, name) !== undefined;
  }

  remove(group: string, name: string): void {
    this.#table.remove(group, name);
    this.kernel.agenda.cancel(agendaId(group, name));
  }

  all(): ScheduleRow[] {
    return this.#table.all();
  }

  /** Forgets what left the template, and wakes the rest. Call when every service is ready. */
  resume(): void {
    for (const row of this.all()) {
      const definition = readDefinition(row.name, row.raw);
      if (row.origin === 'template' && !this.#ofTemplate.has(definition.arn)) this.remove(row.group, row.name);
      else this.arm(row);
    }
    this.#deliveries.resume();
  }

  arm({ group, name }: { group: string; name: string }): void {
    const row = this.#table.find(group, name);
    if (row?.nextAt === undefined) {
      this.kernel.agenda.cancel(agendaId(group, name));
      return;
    }
    const due = row.nextAt + windowOffset(readDefinition(name, row.raw), row.nextAt);
    this.kernel.agenda.at(due, agendaId(group, name), async () => this.#fire(group, name));
  }

  #first(definition: Definition, now: number): number | undefined {
    return this.#next(definition, now - 1, definition.startAt ?? now);
  }

  #next(definition: Definition, after: number, beginning: number): number | undefined {
    if (!definition.enabled) return undefined;
    const next = nextFiring(definition.expression, after, beginning);
    return next === undefined || (definition.endAt !== undefined && next > definition.endAt) ? undefined : next;
  }

  /** The delivery and the next moment are written together, so that a kill neither loses nor repeats a firing. */
  #fire(group: string, name: string): void {
    const row = this.#table.find(group, name);
    if (row?.nextAt === undefined) return;
    const definition = readDefinition(name, row.raw);
    const scheduledAt = row.nextAt;
    const now = this.kernel.time.now();
    const missed = now - scheduledAt - windowOffset(definition, scheduledAt) > MISSED_AFTER;
    const nextAt = this.#next(definition, missed ? now : scheduledAt, definition.startAt ?? row.createdAt);
    const ids = inTransaction(this.kernel.db, () => {
      if (nextAt === undefined && definition.deleteAfterCompletion) this.#table.remove(group, name);
      else this.#table.save({ ...row, nextAt });
      return this.#deliveries.record([deliveryOf(definition, scheduledAt)]);
    });
    this.kernel.log({
      service: 'scheduler',
      message: missed ? 'fired once for what was missed while the runtime was off' : 'fired',
      schedule: name,
      scheduledAt: eventTime(scheduledAt),
    });
    this.#deliveries.start(ids);
    this.arm(row);
  }

  async #send(delivery: Delivery): Promise<void> {
    const { caller, target, payload } = delivery;
    if (caller.kind === 'role') this.kernel.iam.mayAssume?.(caller.roleArn, PRINCIPAL);
    const { lambda, queues, workflows } = this.kernel.services;
    if (target.startsWith('arn:aws:sqs:')) return queues.send(target, payload, {}, caller);
    if (target.startsWith('arn:aws:states:')) {
      await workflows.start(target, delivery.labels.EXECUTION_ID ?? randomUUID(), payload, caller);
      return;
    }
    return lambda.invokeAsync(target, JSON.parse(payload), caller);
  }
}

const agendaId = (group: string, name: string): string => `schedule:${group}/${name}`;
