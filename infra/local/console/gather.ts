import type { LocalKernel } from '../kernel/create-kernel.ts';
import type { AwsService } from '../kernel/types.ts';
import type { AllServices } from '../services.ts';
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
    executions: await executions(services.states),
    queues: services.queues.summary(),
    rules: services.events.hits(),
    next: next && { id: next.id, dueAt: new Date(next.dueAt).toISOString() },
    waiting: kernel.agenda.size,
    underWay: kernel.work.labels(),
  };
}

type Machine = { stateMachineArn: string };
type Execution = { executionArn: string; name: string; status: string; startDate: number };
type HistoryEvent = { stateEnteredEventDetails?: { name: string } };

async function executions(states: AwsService): Promise<Overview['executions']> {
  const { stateMachines } = await ask<{ stateMachines: Machine[] }>(states, 'ListStateMachines', {});
  const lists = await Promise.all(
    stateMachines.map(({ stateMachineArn }) => ask<{ executions: Execution[] }>(states, 'ListExecutions', { stateMachineArn, maxResults: SHOWN_EXECUTIONS })),
  );
  const newest = lists
    .flatMap((list) => list.executions)
    .sort((a, b) => b.startDate - a.startDate)
    .slice(0, SHOWN_EXECUTIONS);
  return Promise.all(
    newest.map(async (execution) => ({
      name: execution.name,
      status: execution.status,
      startDate: new Date(execution.startDate * 1000).toISOString(),
      state: await lastState(states, execution),
    })),
  );
}

async function lastState(states: AwsService, { executionArn }: Execution): Promise<string> {
  const { events } = await ask<{ events: HistoryEvent[] }>(states, 'GetExecutionHistory', { executionArn, reverseOrder: true, maxResults: 25 });
  return events.find((event) => event.stateEnteredEventDetails)?.stateEnteredEventDetails?.name ?? '';
}

async function ask<T>(service: AwsService, operation: string, input: unknown): Promise<T> {
  const { body } = await service.handle({
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.from(JSON.stringify(input)),
    operation,
    caller: { kind: 'operator' },
  });
  return JSON.parse(body.toString()) as T;
}
