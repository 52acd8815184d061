/** How a failed invocation is described, as Lambda returns it. */
export type FunctionFault = { errorType: string; errorMessage: string; trace?: string[] };

export type InvocationMessage = {
  requestId: string;
  /** JSON text. */
  payload: string;
  context: Record<string, unknown>;
  /** Real time at which the function has to be done. */
  deadline: number;
  traceId: string;
};

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'init-failed'; error: FunctionFault }
  | { kind: 'died'; requestId: string; error: FunctionFault }
  | { kind: 'output'; stream: 'stdout' | 'stderr'; text: string; requestId: string }
  | { kind: 'answered'; requestId: string; payload: string }
  | { kind: 'failed'; requestId: string; error: FunctionFault };

/** How an invocation ended. The payload is JSON text. */
export type InvocationOutcome = { kind: 'answered'; payload: string } | { kind: 'failed'; error: FunctionFault };
