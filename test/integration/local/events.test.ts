import {
  DescribeEventBusCommand,
  EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutEventsCommand,
  PutRuleCommand,
  TestEventPatternCommand,
} from '@aws-sdk/client-eventbridge';
import { afterEach, describe, expect, it } from 'vitest';
import { AwsError, type Services } from '../../../infra/local/kernel/types.ts';
import { eventBridge, type LocalEventBridge } from '../../../infra/local/services/eventbridge.ts';
import { clientSettings, type ServedAws, serveAws } from '../../support/local-http.ts';
import { aKernel, aResource, type LocalKernel } from '../../support/local-kernel.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:open-handoff';
const DEAD = 'arn:aws:sqs:us-east-1:000000000000:dead';
const entry = (over: object = {}) => ({ Source: 'baton.intake', DetailType: 'signal.received', Detail: '{"n":1}', EventBusName: 'handoffs', ...over });

type Invoked = { functionArn: string; payload: unknown; caller: unknown };
type Dead = { queueArn: string; body: string; attributes: Record<string, string> };

let served: ServedAws | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

const aBus = (failures: unknown[] = [], forever?: unknown) => {
  const invoked: Invoked[] = [];
  const dead: Dead[] = [];
  const services: Partial<Services> = {
    lambda: {
      invoke: async () => ({ payload: null }),
      async invokeAsync(functionArn, payload, caller) {
        const failure = failures.shift() ?? forever;
        if (failure !== undefined) throw failure;
        invoked.push({ functionArn, payload, caller });
      },
    },
    queues: {
      async send(queueArn, body, attributes) {
        dead.push({ queueArn, body, attributes });
      },
    },
  };
  const kernel = aKernel({ services });
  return { kernel, bus: eventBridge(kernel), invoked, dead };
};

const target = (over: object = {}) => ({
  Id: 'Target0',
  Arn: FUNCTION,
  DeadLetterConfig: { Arn: DEAD },
  RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 3600 },
  ...over,
});

const givenRule = async (bus: LocalEventBridge, over: object = {}) => {
  await bus.provision(aResource('AWS::Events::EventBus', 'Bus', { Name: 'handoffs' }));
  return bus.provision(
    aResource('AWS::Events::Rule', 'OpenRule', {
      EventBusName: 'handoffs',
      EventPattern: { source: ['baton.intake'], 'detail-type': ['signal.received'] },
      Targets: [target()],
      ...over,
    }),
  );
};

const client = async (bus: LocalEventBridge) => {
  served = await serveAws([bus]);
  return new EventBridgeClient(clientSettings(served.endpoint));
};
const put = async (bus: LocalEventBridge, ...entries: object[]) => (await client(bus)).send(new PutEventsCommand({ Entries: entries }));
const settled = async (kernel: LocalKernel) => kernel.settle();

describe('PutEvents', () => {
  it('delivers a matching event once, with the fields EventBridge adds', async () => {
    const { kernel, bus, invoked } = aBus();
    const { attributes } = await givenRule(bus);
    const answer = await put(bus, entry());
    await settled(kernel);
    expect(answer.FailedEntryCount).toBe(0);
    expect(invoked).toEqual([
      {
        functionArn: FUNCTION,
        caller: { kind: 'service', principal: 'events.amazonaws.com', sourceArn: attributes.Arn },
        payload: {
          version: '0',
          id: answer.Entries?.[0]?.EventId,
          'detail-type': 'signal.received',
          source: 'baton.intake',
          account: '000000000000',
          time: '2026-03-02T10:00:00Z',
          region: 'us-east-1',
          resources: [],
          detail: { n: 1 },
        },
      },
    ]);
    expect(bus.pending()).toBe(0);
    expect(bus.hits()).toEqual([{ rule: 'OpenRule', bus: 'handoffs', matched: 1, lastAt: '2026-03-02T10:00:00.000Z' }]);
  });

  it('EB-04: answers entry by entry in order, and delivers the good ones', async () => {
    const { kernel, bus, invoked } = aBus();
    await givenRule(bus);
    const bad = [entry({ Detail: '{' }), entry({ Detail: '[1]' }), entry({ Source: '' }), entry({ Source: 'aws.ses' }), entry({ EventBusName: 'nowhere' })];
    const answer = await put(bus, ...bad, entry());
    await settled(kernel);
    expect(answer.Entries?.map((one) => one.ErrorCode)).toEqual([
      'MalformedDetail',
      'MalformedDetail',
      'InvalidArgument',
      'NotAuthorizedForSourceException',
      'ResourceNotFoundException',
      undefined,
    ]);
    expect(answer.FailedEntryCount).toBe(5);
    expect(invoked).toHaveLength(1);
  });

  it('EB-06: refuses more than ten entries and more than 256 KB as a whole', async () => {
    const { bus, invoked } = aBus();
    await givenRule(bus);
    await expect(put(bus, ...Array.from({ length: 11 }, () => entry()))).rejects.toThrow(/less than or equal to 10/);
    await expect(put(bus, entry({ Detail: JSON.stringify({ x: 'x'.repeat(256 * 1024) }) }))).rejects.toThrow(/over the limit/);
    expect(invoked).toEqual([]);
  });

  it('does not deliver what no rule matches, nor through a disabled rule or another bus', async () => {
    const { kernel, bus, invoked } = aBus();
    await givenRule(bus, { State: 'DISABLED' });
    await put(bus, entry());
    await bus.putServiceEvent({ source: 'baton.intake', detailType: 'signal.received', resources: [], detail: {} });
    await settled(kernel);
    expect(invoked).toEqual([]);
  });
});

describe('delivery', () => {
  it('is written before PutEvents answers: after a kill it goes on', async () => {
    const { kernel, bus, invoked } = aBus([new AwsError('ServiceException', 'down', 503)]);
    await givenRule(bus);
    await put(bus, entry());
    await settled(kernel);
    const later = kernel.restarted();
    const again = eventBridge(later);
    again.resume();
    await later.advance(60);
    expect(invoked).toHaveLength(1);
    expect(again.pending()).toBe(0);
  });

  it('retries faults with growing pauses, then buries the event with the reason', async () => {
    const { kernel, bus, dead, invoked } = aBus([], new AwsError('TooManyRequestsException', 'slow down', 429));
    const { attributes } = await givenRule(bus);
    await put(bus, entry());
    await kernel.advance(600);
    expect(invoked).toEqual([]);
    expect(dead).toHaveLength(1);
    expect(dead[0]?.queueArn).toBe(DEAD);
    expect(JSON.parse(dead[0]?.body ?? '')).toMatchObject({ source: 'baton.intake', detail: { n: 1 } });
    expect(dead[0]?.attributes).toEqual({
      RULE_ARN: attributes.Arn,
      TARGET_ARN: FUNCTION,
      ERROR_CODE: 'TooManyRequestsException',
      ERROR_MESSAGE: 'slow down',
      RETRY_ATTEMPTS: '2',
      EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
    });
  });

  it('EB-07: gives up when the event is older than its maximum age', async () => {
    const { kernel, bus, dead } = aBus([], new Error('crash'));
    await givenRule(bus, { Targets: [target({ RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 60 } })] });
    await put(bus, entry());
    await kernel.advance(59);
    expect(dead).toEqual([]);
    await kernel.advance(2);
    expect(dead[0]?.attributes).toMatchObject({ EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds', ERROR_CODE: 'EventTooOld', ERROR_MESSAGE: 'crash' });
  });

  it.each([
    ['AccessDeniedException', 'NO_PERMISSIONS'],
    ['ResourceNotFoundException', 'NO_RESOURCE'],
  ])('EB-08: %s goes straight to the dead-letter queue', async (code, errorCode) => {
    const { kernel, bus, dead } = aBus([new AwsError(code, 'no')]);
    await givenRule(bus);
    await put(bus, entry());
    await settled(kernel);
    expect(dead[0]?.attributes).toMatchObject({ ERROR_CODE: errorCode, RETRY_ATTEMPTS: '0' });
    expect(dead[0]?.attributes).not.toHaveProperty('EXHAUSTED_RETRY_CONDITION');
  });

  it('EB-08: without a dead-letter queue the event is dropped, and the log says so', async () => {
    const { kernel, bus, dead } = aBus([new AwsError('AccessDeniedException', 'no')]);
    await givenRule(bus, { Targets: [{ Id: 'T', Arn: FUNCTION }] });
    await put(bus, entry());
    await settled(kernel);
    expect(dead).toEqual([]);
    expect(kernel.logs.some((line) => line.message.includes('no dead-letter queue'))).toBe(true);
  });
});

describe('what a target gets', () => {
  const paid = { Detail: JSON.stringify({ who: 'Zoë "Z"', list: [{ k: 'first' }], count: 3 }) };
  it.each([
    ['Input', { Input: '{"fixed": true}' }, { fixed: true }],
    ['InputPath', { InputPath: '$.detail.list[0]' }, { k: 'first' }],
    [
      'InputTransformer as JSON',
      {
        InputTransformer: { InputPathsMap: { who: '$.detail.who', n: '$.detail.count' }, InputTemplate: '{"name": <who>, "say": "hi <who>: <n>", "rule": <aws.events.rule-name>}' },
      },
      { name: 'Zoë "Z"', say: 'hi Zoë "Z": 3', rule: 'OpenRule' },
    ],
    ['InputTransformer as text', { InputTransformer: { InputPathsMap: { n: '$.detail.count' }, InputTemplate: '"count is <n><missing>"' } }, 'count is 3<missing>'],
    ['a path that leads nowhere', { InputTransformer: { InputPathsMap: { x: '$.detail.nope' }, InputTemplate: '{"x": "<x>", "y": <x>}' } }, { x: '', y: '' }],
  ])('%s', async (_name, over, payload) => {
    const { kernel, bus, invoked } = aBus();
    await givenRule(bus, { Targets: [target(over)] });
    await put(bus, entry(paid));
    await settled(kernel);
    expect(invoked[0]?.payload).toEqual(payload);
  });
});

describe('what is refused', () => {
  it.each([
    ['SC-03: a schedule on a rule', { EventPattern: undefined, ScheduleExpression: 'rate(1 minute)' }, /Scheduler/],
    ['EB-15: a state machine as target', { Targets: [target({ Arn: 'arn:aws:states:us-east-1:000000000000:stateMachine:m' })] }, /cannot have/],
    ['a pattern AWS refuses', { EventPattern: { source: 'baton' } }, /not valid/],
    ['retry settings out of range', { Targets: [target({ RetryPolicy: { MaximumEventAgeInSeconds: 5 } })] }, /between 60 and 86400/],
    ['two kinds of input', { Targets: [target({ Input: '{}', InputPath: '$' })] }, /only one of/],
    ['a wildcard path', { Targets: [target({ InputPath: '$.detail[*]' })] }, /not supported/],
    ['EB-16: six targets', { Targets: Array.from({ length: 6 }, () => target()) }, /at most five/],
    ['a rule on an unknown bus', { EventBusName: 'elsewhere' }, /no event bus/],
  ])('%s', async (_name, over, message) => {
    await expect(givenRule(aBus().bus, over)).rejects.toThrow(message);
  });

  it('an operation or member that is not supported', async () => {
    const eventBridgeClient = await client(aBus().bus);
    await expect(eventBridgeClient.send(new PutRuleCommand({ Name: 'x' }))).rejects.toThrow(/does not support events:PutRule. Supported: PutEvents/);
    await expect(eventBridgeClient.send(new ListRulesCommand({ NextToken: 'x' }))).rejects.toThrow(/does not support NextToken/);
  });
});

it('lists buses, rules and targets, and tests a pattern', async () => {
  const { bus } = aBus();
  await givenRule(bus);
  const eventBridgeClient = await client(bus);
  expect((await eventBridgeClient.send(new DescribeEventBusCommand({ Name: 'handoffs' }))).Arn).toBe('arn:aws:events:us-east-1:000000000000:event-bus/handoffs');
  const rules = await eventBridgeClient.send(new ListRulesCommand({ EventBusName: 'handoffs' }));
  expect(rules.Rules?.map((rule) => rule.Name)).toEqual(['OpenRule']);
  const targets = await eventBridgeClient.send(new ListTargetsByRuleCommand({ EventBusName: 'handoffs', Rule: 'OpenRule' }));
  expect(targets.Targets?.[0]?.Arn).toBe(FUNCTION);
  const event = { id: '1', account: '1', source: 'a', time: '2026-01-01T00:00:00Z', region: 'r', resources: [], 'detail-type': 't', detail: {} };
  const verdict = (pattern: object) => eventBridgeClient.send(new TestEventPatternCommand({ EventPattern: JSON.stringify(pattern), Event: JSON.stringify(event) }));
  expect((await verdict({ source: ['a'] })).Result).toBe(true);
  await expect(verdict({ source: 'a' })).rejects.toThrow(/Event pattern is not valid/);
});
