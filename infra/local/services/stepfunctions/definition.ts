/** Amazon States Language as far as it runs here: JSONata, Standard workflows. Checked by `check-definition.ts` before any execution sees it. */
export type Workflow = { Comment?: string; StartAt: string; States: Record<string, State>; TimeoutSeconds?: number };

type Exit = { Comment?: string; Next?: string; End?: boolean; Assign?: Record<string, unknown>; Output?: unknown };
export type Retrier = { ErrorEquals: string[]; IntervalSeconds?: number; MaxAttempts?: number; BackoffRate?: number; MaxDelaySeconds?: number; JitterStrategy?: 'FULL' | 'NONE' };
export type Catcher = Exit & { ErrorEquals: string[]; Next: string };
type Recovery = { Retry?: Retrier[]; Catch?: Catcher[] };

export type TaskState = Exit & Recovery & { Type: 'Task'; Resource: string; Arguments?: unknown; TimeoutSeconds?: unknown; HeartbeatSeconds?: unknown };
export type ChoiceRule = Exit & { Condition: unknown; Next: string };
export type ChoiceState = Exit & { Type: 'Choice'; Choices: ChoiceRule[]; Default?: string };
export type WaitState = Exit & { Type: 'Wait'; Seconds?: unknown; Timestamp?: unknown };
export type PassState = Exit & { Type: 'Pass' };
export type SucceedState = Exit & { Type: 'Succeed' };
export type FailState = { Type: 'Fail'; Comment?: string; Error?: unknown; Cause?: unknown };
export type ParallelState = Exit & Recovery & { Type: 'Parallel'; Branches: Workflow[]; Arguments?: unknown };
export type MapState = Exit & Recovery & { Type: 'Map'; Items?: unknown; ItemSelector?: unknown; ItemProcessor: Workflow; MaxConcurrency?: unknown };
export type State = TaskState | ChoiceState | WaitState | PassState | SucceedState | FailState | ParallelState | MapState;

/** One way down into a nested workflow: a branch of a Parallel state, or the item processor of a Map state. */
export type Descent = { state: string; branch: number };

const parsed = new Map<string, Workflow>();

/** The workflow of a stored definition. Executions keep the text they started with; equal texts are parsed once. */
export function workflowOf(text: string): Workflow {
  const known = parsed.get(text);
  if (known) return known;
  const workflow = JSON.parse(text) as Workflow;
  parsed.set(text, workflow);
  return workflow;
}

/** The nested workflow at the end of `path`. */
export function nestedWorkflow(root: Workflow, path: readonly Descent[]): Workflow {
  return path.reduce((workflow, step) => {
    const state = workflow.States[step.state];
    const inner = state?.Type === 'Map' ? state.ItemProcessor : state?.Type === 'Parallel' ? state.Branches[step.branch] : undefined;
    if (!inner) throw new Error(`The definition has no nested workflow at ${step.state}[${step.branch}].`);
    return inner;
  }, root);
}

export function stateAt(root: Workflow, path: readonly Descent[], name: string): State {
  const state = nestedWorkflow(root, path).States[name];
  if (!state) throw new Error(`The definition has no state '${name}'.`);
  return state;
}
