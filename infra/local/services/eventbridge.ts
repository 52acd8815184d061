import { inTransaction } from '../kernel/journal.ts';
import { ACCOUNT, AwsError, type AwsService, type Caller, type EventsPort, type Kernel, type Provisioned, type Provisioner, REGION, type Resource } from '../kernel/types.ts';
import { type Deliveries, deliveries } from './eventbridge/delivery.ts';
import type { Delivery } from './eventbridge/delivery-table.ts';
import { targetPayload } from './eventbridge/input-transform.ts';
import { compilePattern, flattenEvent } from './eventbridge/pattern.ts';
import { EVENTBRIDGE_PROPERTIES } from './eventbridge/properties.ts';
import { type BusEvent, busName, checkRequestSize, type EntryRead, eventTime, makeEvent, readEntry } from './eventbridge/put-events.ts';
import { type RuleHits, ruleHits } from './eventbridge/rule-hits.ts';
import { type Rule, readRule, type Target } from './eventbridge/rules.ts';
import { type Input, recordsOf, requiredText } from './protocol/input.ts';
import { jsonService, operation } from './protocol/json-operations.ts';

export type LocalEventBridge = AwsService &
  Provisioner &
  EventsPort & {
    resume(): void;
    /** How often each rule matched, for the console. */
    hits(): { rule: string; bus: string; matched: number; lastAt: string }[];
    /** Deliveries not done yet. */
    pending(): number;
  };

const PRINCIPAL = 'events.amazonaws.com';
const busArn = (name: string): string => `arn:aws:events:${REGION}:${ACCOUNT}:event-bus/${name}`;

class Buses {
  readonly #kernel: Kernel;
  readonly #buses = new Set(['default']);
  readonly #rules = new Map<string, Rule>();
  readonly #hits: RuleHits;
  readonly deliveries: Deliveries;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#hits = ruleHits(kernel.db);
    this.deliveries = deliveries(kernel, 'eb_delivery', (delivery) => this.#send(delivery));
  }

  hits() {
    return this.#hits.all();
  }

  async provision(resource: Resource): Promise<Provisioned> {
    const { type, properties, logicalId } = resource;
    if (type === 'AWS::Events::EventBus') return this.#addBus(String(properties.Name ?? logicalId));
    if (type === 'AWS::Events::Rule') return this.#addRule(readRule(resource));
    const name = String(properties.RegistryName ?? properties.StatementId ?? logicalId);
    return {
      ref: name,
      attributes: { RegistryArn: name, RegistryName: name, SchemaArn: name, SchemaName: String(properties.SchemaName ?? name), SchemaVersion: '1', DiscovererArn: name },
    };
  }

  #addBus(name: string): Provisioned {
    this.#buses.add(name);
    return { ref: name, attributes: { Arn: busArn(name), Name: name, Policy: '' } };
  }

  #addRule(rule: Rule): Provisioned {
    if (!this.#buses.has(rule.bus)) throw new Error(`there is no event bus ${rule.bus} in the template`);
    this.#rules.set(rule.arn, rule);
    return { ref: rule.bus === 'default' ? rule.name : `${rule.bus}|${rule.name}`, attributes: { Arn: rule.arn } };
  }

  async putEvents(input: Input, caller: Caller): Promise<unknown> {
    const entries = recordsOf(input, 'Entries');
    checkRequestSize(entries);
    for (const entry of entries) {
      const context = { 'events:source': String(entry.Source ?? ''), 'events:detail-type': String(entry.DetailType ?? '') };
      this.#kernel.iam.authorize(caller, 'events:PutEvents', busArn(busName(entry.EventBusName)), context);
    }
    const now = this.#kernel.time.now();
    const read = entries.map((entry) => this.#knownBus(readEntry(entry, now)));
    this.#publish(read);
    const results = read.map((one) => (one.kind === 'event' ? { EventId: one.event.id } : { ErrorCode: one.code, ErrorMessage: one.message }));
    return { FailedEntryCount: read.filter((one) => one.kind === 'refused').length, Entries: results };
  }

  /** AWS accepts events for a bus that does not exist and drops them; here that is said aloud. */
  #knownBus(read: EntryRead): EntryRead {
    if (read.kind === 'refused' || this.#buses.has(read.bus)) return read;
    return { kind: 'refused', code: 'ResourceNotFoundException', message: `Event bus ${read.bus} does not exist.` };
  }

  putServiceEvent(event: Parameters<EventsPort['putServiceEvent']>[0]): void {
    const made = makeEvent({ source: event.source, type: event.detailType, resources: event.resources, detail: event.detail, at: this.#kernel.time.now() });
    this.#publish([{ kind: 'event', bus: 'default', event: made }]);
  }

  /** Everything that matched is in the journal before this returns. */
  #publish(read: readonly EntryRead[]): void {
    const ids = inTransaction(this.#kernel.db, () =>
      read.flatMap((one) => (one.kind === 'event' ? this.#matching(one.bus, one.event).flatMap((rule) => this.#record(rule, one.event)) : [])),
    );
    this.deliveries.start(ids);
  }

  #matching(bus: string, event: BusEvent): Rule[] {
    const flat = flattenEvent(event);
    return [...this.#rules.values()].filter((rule) => rule.bus === bus && rule.enabled && rule.pattern.matches(flat));
  }

  #record(rule: Rule, event: BusEvent): number[] {
    const now = this.#kernel.time.now();
    this.#hits.count(rule.bus, rule.name, now);
    return this.deliveries.record(rule.targets.map((target) => deliveryTo(rule, target, event, eventTime(now))));
  }

  async #send(delivery: Delivery): Promise<void> {
    const { lambda, queues } = this.#kernel.services;
    if (delivery.target.startsWith('arn:aws:sqs:')) return queues.send(delivery.target, delivery.payload, {}, delivery.caller);
    return lambda.invokeAsync(delivery.target, JSON.parse(delivery.payload), delivery.caller);
  }

  bus(name: unknown): string {
    const known = busName(name);
    if (!this.#buses.has(known)) throw new AwsError('ResourceNotFoundException', `Event bus ${known} does not exist.`);
    return known;
  }

  buses(): string[] {
    return [...this.#buses];
  }

  rules(bus: unknown): Rule[] {
    const known = this.bus(bus);
    return [...this.#rules.values()].filter((rule) => rule.bus === known);
  }

  rule(input: Input, name: string): Rule {
    const found = this.rules(input.EventBusName).find((rule) => rule.name === name);
    if (found === undefined) throw new AwsError('ResourceNotFoundException', `Rule ${name} does not exist on EventBus ${busName(input.EventBusName)}.`);
    return found;
  }

  check(caller: Caller, action: string, arn: string): void {
    this.#kernel.iam.authorize(caller, `events:${action}`, arn);
  }
}

const deliveryTo = (rule: Rule, target: Target, event: BusEvent, ingestedAt: string): Delivery => {
  const caller: Caller = { kind: 'service', principal: PRINCIPAL, sourceArn: rule.arn };
  return {
    target: target.arn,
    payload: targetPayload(target.input, event, { ruleArn: rule.arn, ruleName: rule.name, ingestedAt }),
    original: JSON.stringify(event),
    labels: { RULE_ARN: rule.arn, TARGET_ARN: target.arn },
    caller,
    deadLetterArn: target.deadLetterArn,
    deadLetterCaller: caller,
    maximumAttempts: target.maximumAttempts,
    maximumAgeSeconds: target.maximumAgeSeconds,
  };
};

const ruleView = (rule: Rule) => ({
  Name: rule.name,
  Arn: rule.arn,
  EventBusName: rule.bus,
  EventPattern: rule.patternText,
  State: rule.enabled ? 'ENABLED' : 'DISABLED',
  Description: rule.description,
});

const MANDATORY = ['id', 'account', 'source', 'time', 'region', 'resources', 'detail-type'];

const testPattern = (input: Input): unknown => {
  const event = JSON.parse(requiredText(input, 'Event')) as Input;
  const missing = MANDATORY.filter((name) => event[name] === undefined);
  if (missing.length > 0) throw new AwsError('ValidationException', `Parameter Event is not valid. Reason: it lacks ${missing.join(', ')}.`);
  return { Result: compilePattern(requiredText(input, 'EventPattern')).matches(flattenEvent(event)) };
};

const operationsOf = (buses: Buses) => ({
  PutEvents: operation(['Entries'], (input, { caller }) => buses.putEvents(input, caller)),
  TestEventPattern: operation(['EventPattern', 'Event'], (input, { caller }) => {
    buses.check(caller, 'TestEventPattern', '*');
    return testPattern(input);
  }),
  DescribeEventBus: operation(['Name'], (input, { caller }) => {
    const name = buses.bus(input.Name);
    buses.check(caller, 'DescribeEventBus', busArn(name));
    return { Name: name, Arn: busArn(name) };
  }),
  ListEventBuses: operation(['NamePrefix', 'Limit'], (input, { caller }) => {
    buses.check(caller, 'ListEventBuses', '*');
    return {
      EventBuses: buses
        .buses()
        .filter((name) => name.startsWith(String(input.NamePrefix ?? '')))
        .map((name) => ({ Name: name, Arn: busArn(name) })),
    };
  }),
  ListRules: operation(['EventBusName', 'NamePrefix', 'Limit'], (input, { caller }) => {
    buses.check(caller, 'ListRules', busArn(buses.bus(input.EventBusName)));
    return {
      Rules: buses
        .rules(input.EventBusName)
        .filter((rule) => rule.name.startsWith(String(input.NamePrefix ?? '')))
        .map(ruleView),
    };
  }),
  DescribeRule: operation(['EventBusName', 'Name'], (input, { caller }) => {
    const rule = buses.rule(input, requiredText(input, 'Name'));
    buses.check(caller, 'DescribeRule', rule.arn);
    return ruleView(rule);
  }),
  ListTargetsByRule: operation(['EventBusName', 'Rule', 'Limit'], (input, { caller }) => {
    const rule = buses.rule(input, requiredText(input, 'Rule'));
    buses.check(caller, 'ListTargetsByRule', rule.arn);
    return { Targets: rule.targets.map((target) => target.raw) };
  }),
});

/** EventBridge: buses, rules and deliveries that survive the process. */
export const eventBridge = (kernel: Kernel): LocalEventBridge => {
  const buses = new Buses(kernel);
  return {
    ...jsonService('events', 'json-1.1', operationsOf(buses)),
    properties: EVENTBRIDGE_PROPERTIES,
    provision: (resource) => buses.provision(resource),
    putServiceEvent: async (event) => buses.putServiceEvent(event),
    resume: () => buses.deliveries.resume(),
    hits: () => buses.hits(),
    pending: () => buses.deliveries.pending(),
  };
};
