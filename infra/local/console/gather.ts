import type { LocalKernel } from '../kernel/create-kernel.ts';
import type { LocalEventBridge } from '../services/eventbridge.ts';
import { workflowOf } from '../services/stepfunctions/definition.ts';
import type { StepFunctions } from '../services/stepfunctions.ts';
import type { AllServices } from '../services.ts';
import { ask } from './ask.ts';
import { currentPlace, listMachines } from './executions.ts';
import type { Overview } from './overview.ts';

const SHOWN_EXECUTIONS = 25;

export type GatherParts = { kernel: LocalKernel; services: AllServices; stackName: string; urls: Record<string, string> };

/** Asks every service what there is to see. */
export async function gatherOverview({ kernel, services, stackName, urls }: GatherParts): Promise<Overview> {
  const next = kernel.agenda.next();
  return {
    now: new Date(kernel.time.now()).toISOString(),
    stackName,
    database: services.dynamoDb.engineName,
    urls,
    routes: services.httpApi.routes(),
    functions: services.lambda.standings(),
    asyncWaiting: services.lambda.asyncWaiting,
    machines: await machines(services.workflows),
    executions: await executions(services.workflows),
    queues: services.queues.summary(),
    rules: await rules(services.events),
    schedules: services.schedules.summary(),
    next: next && { id: next.id, dueAt: new Date(next.dueAt).toISOString() },
    waiting: kernel.agenda.size,
    underWay: kernel.work.labels(),
  };
}

async function machines(workflows: StepFunctions): Promise<Overview['machines']> {
  const found = await listMachines(workflows);
  return Promise.all(
    found.map(async ({ stateMachineArn, name }) => {
      const { definition } = await ask<{ definition: string }>(workflows.service, 'DescribeStateMachine', { stateMachineArn });
      return { name, workflow: workflowOf(definition), ...workflows.standing(stateMachineArn) };
    }),
  );
}

type Execution = { executionArn: string; name: string; status: string; startDate: number };

async function executions(workflows: StepFunctions): Promise<Overview['executions']> {
  const lists = await Promise.all(
    (await listMachines(workflows)).map(({ stateMachineArn }) =>
      ask<{ executions: Execution[] }>(workflows.service, 'ListExecutions', { stateMachineArn, maxResults: SHOWN_EXECUTIONS }),
    ),
  );
  const newest = lists
    .flatMap((list) => list.executions)
    .sort((a, b) => b.startDate - a.startDate)
    .slice(0, SHOWN_EXECUTIONS);
  return Promise.all(
    newest.map(async ({ name, status, startDate, executionArn }) => ({
      name,
      status,
      startDate: new Date(startDate * 1000).toISOString(),
      ...(await currentPlace(workflows, executionArn)),
    })),
  );
}

type ListedRule = { Name: string; EventBusName: string; EventPattern: string; State: string };

/** Every rule of the template, also those that never matched. */
async function rules(events: LocalEventBridge): Promise<Overview['rules']> {
  const { EventBuses } = await ask<{ EventBuses: { Name: string }[] }>(events, 'ListEventBuses', {});
  const lists = await Promise.all(EventBuses.map(({ Name }) => ask<{ Rules: ListedRule[] }>(events, 'ListRules', { EventBusName: Name })));
  const hits = events.hits();
  return Promise.all(
    lists
      .flatMap((list) => list.Rules)
      .map(async ({ Name, EventBusName, EventPattern, State }) => {
        const { Targets } = await ask<{ Targets: { Arn: string }[] }>(events, 'ListTargetsByRule', { EventBusName, Rule: Name });
        const hit = hits.find((each) => each.rule === Name && each.bus === EventBusName);
        return {
          rule: Name,
          bus: EventBusName,
          pattern: EventPattern,
          enabled: State === 'ENABLED',
          targets: Targets.map((target) => target.Arn.split(':').at(-1) ?? target.Arn),
          matched: hit?.matched ?? 0,
          lastAt: hit?.lastAt ?? '',
        };
      }),
  );
}
