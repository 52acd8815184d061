import { ACCOUNT, REGION } from '../kernel/types.ts';
import type { Workflow } from '../services/stepfunctions/definition.ts';
import { workflowOf } from '../services/stepfunctions/definition.ts';
import type { StepFunctions } from '../services/stepfunctions.ts';
import { ask } from './ask.ts';

type Machine = { stateMachineArn: string; name: string };
type Described = { name: string; status: string; startDate: number; stopDate?: number; error?: string; cause?: string; stateMachineArn: string };
type Details = { name?: string; resource?: string; error?: string; cause?: string };
type RawEvent = { id: number; timestamp: number; type: string; [details: string]: unknown };

/** One line of an execution's history. Input, output, parameters and tokens stay in the API: a page is looked at over shoulders. */
export type SeenEvent = { id: number; at: string; type: string; state: string; says: string };
export type Place = { state: string; dueAt: string | undefined };

/** One execution as its page shows it. */
export type SeenExecution = {
  name: string;
  machine: string;
  status: string;
  startedAt: string;
  stoppedAt: string | undefined;
  fault: string;
  places: Place[];
  workflow: Workflow;
  events: SeenEvent[];
  /** Events before the first one shown. */
  left: number;
};

const MOST_EVENTS = 1000;
const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const listMachines = async (workflows: StepFunctions): Promise<Machine[]> =>
  (await ask<{ stateMachines: Machine[] }>(workflows.service, 'ListStateMachines', { maxResults: 1000 })).stateMachines;

/** Where an execution stands: of several lines of states, the innermost that has not ended; of one that is over, its last state. */
export async function currentPlace(workflows: StepFunctions, executionArn: string): Promise<Place> {
  const [place] = openPlaces(workflows, executionArn);
  return place ?? { state: await lastState(workflows, executionArn), dueAt: undefined };
}

function openPlaces(workflows: StepFunctions, executionArn: string): Place[] {
  const open = workflows.whereabouts(executionArn).filter(({ phase }) => !['done', 'failed', 'stopped', 'children'].includes(phase));
  return open.sort((a, b) => b.path.length - a.path.length).map(({ state, dueAt }) => ({ state, dueAt: dueAt === undefined ? undefined : iso(dueAt) }));
}

async function lastState(workflows: StepFunctions, executionArn: string): Promise<string> {
  const { events } = await ask<{ events: RawEvent[] }>(workflows.service, 'GetExecutionHistory', { executionArn, reverseOrder: true, maxResults: 25 });
  return events.map(enteredState).find((state) => state !== undefined) ?? '';
}

/** Finds an execution by its name in any machine. */
export async function seeExecution(workflows: StepFunctions, name: string): Promise<SeenExecution | undefined> {
  for (const machine of await listMachines(workflows)) {
    const executionArn = `arn:aws:states:${REGION}:${ACCOUNT}:execution:${machine.name}:${name}`;
    const described = await ask<Described>(workflows.service, 'DescribeExecution', { executionArn }).catch(() => undefined);
    if (described) return seen(workflows, executionArn, machine.name, described);
  }
  return undefined;
}

async function seen(workflows: StepFunctions, executionArn: string, machine: string, described: Described): Promise<SeenExecution> {
  const { definition } = await ask<{ definition: string }>(workflows.service, 'DescribeStateMachineForExecution', { executionArn });
  const { events } = await ask<{ events: RawEvent[] }>(workflows.service, 'GetExecutionHistory', { executionArn, reverseOrder: true, maxResults: MOST_EVENTS });
  const inOrder = events.reverse();
  return {
    name: described.name,
    machine,
    status: described.status,
    startedAt: iso(described.startDate * 1000),
    stoppedAt: described.stopDate === undefined ? undefined : iso(described.stopDate * 1000),
    fault: [described.error, described.cause].filter((part) => part !== undefined && part !== '').join(': '),
    places: described.status === 'RUNNING' ? openPlaces(workflows, executionArn) : [],
    workflow: workflowOf(definition),
    events: readEvents(inOrder),
    left: (inOrder[0]?.id ?? 1) - 1,
  };
}

function readEvents(events: readonly RawEvent[]): SeenEvent[] {
  let state = '';
  return events.map((event) => {
    const details = detailsOf(event);
    state = details.name ?? state;
    return { id: event.id, at: iso(event.timestamp * 1000), type: event.type, state, says: [details.resource, details.error, details.cause].filter(Boolean).join(' · ') };
  });
}

const enteredState = (event: RawEvent): string | undefined => (event.type.endsWith('StateEntered') ? detailsOf(event).name : undefined);

/** The fields of an event that may be shown; everything else is left out by not being named here. */
function detailsOf(event: RawEvent): Details {
  const details = Object.entries(event).find(([name]) => name.endsWith('EventDetails'))?.[1] as Details | undefined;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const { name, resource, error, cause } = details ?? {};
  return Object.fromEntries(Object.entries({ name: text(name), resource: text(resource), error: text(error), cause: text(cause) }).filter(([, value]) => value !== undefined));
}
