import type { Caller, Kernel } from '../kernel/types.ts';
import type { FunctionFault, InvocationOutcome } from './lambda-messages.ts';

export type AsyncEnd = 'Success' | 'RetriesExhausted' | 'EventAgeExceeded';

export type FinishedInvocation = { requestId: string; functionArn: string; payload: string; attempts: number; end: AsyncEnd; outcome?: InvocationOutcome };

/** The record Lambda sends to a destination when an asynchronous invocation has come to its end. */
export function destinationRecord({ requestId, functionArn, payload, attempts, end, outcome }: FinishedInvocation, now: number): Record<string, unknown> {
  const failed = outcome?.kind === 'failed';
  return {
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    requestContext: { requestId, functionArn: `${functionArn}:$LATEST`, condition: end, approximateInvokeCount: attempts },
    requestPayload: JSON.parse(payload),
    ...(outcome
      ? { responseContext: { statusCode: 200, executedVersion: '$LATEST', ...(failed ? { functionError: 'Unhandled' } : {}) }, responsePayload: responsePayload(outcome) }
      : {}),
  };
}

function responsePayload(outcome: InvocationOutcome): unknown {
  return outcome.kind === 'answered' ? JSON.parse(outcome.payload) : outcome.error;
}

/** What a function's dead-letter queue receives: the event itself, with the reason as attributes. */
export function deadLetterAttributes(requestId: string, fault: FunctionFault | undefined): Record<string, string> {
  return { RequestID: requestId, ErrorCode: '200', ErrorMessage: (fault?.errorMessage ?? 'Event age exceeded').slice(0, 1024) };
}

/** Kinds of destination that exist here. */
export function isDeliverable(destinationArn: string): boolean {
  return destinationArn.startsWith('arn:aws:sqs:') || destinationArn.startsWith('arn:aws:lambda:');
}

/** Sends a record where a function's configuration says, under the function's own role. A refusal is logged; AWS drops the record too. */
export async function sendToDestination(kernel: Kernel, destinationArn: string, body: unknown, caller: Caller): Promise<void> {
  try {
    if (destinationArn.startsWith('arn:aws:sqs:')) {
      kernel.iam.authorize(caller, 'sqs:SendMessage', destinationArn);
      await kernel.services.queues.send(destinationArn, JSON.stringify(body), {});
    } else {
      await kernel.services.lambda.invokeAsync(destinationArn, body, caller);
    }
  } catch (fault) {
    kernel.log({ service: 'lambda', message: `destination ${destinationArn} did not take a failed event: ${fault instanceof Error ? fault.message : String(fault)}` });
  }
}
