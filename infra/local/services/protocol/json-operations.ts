import { AwsError, type AwsRequest, type AwsResponse, type AwsService } from '../../kernel/types.ts';
import { type Input, isRecord } from './input.ts';

/** One operation: the members it understands (any other is refused, never ignored), and what it does. */
export type Operation = { members: readonly string[]; run: (input: Input, request: AwsRequest) => unknown };

export const operation = (members: readonly string[], run: Operation['run']): Operation => ({ members, run });

/** Reads a JSON body; an empty one is an empty structure. */
export const readJson = (body: Buffer): Input => {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new AwsError('SerializationException', `The request body is not JSON: ${(cause as Error).message}`);
  }
  throw new AwsError('SerializationException', 'The request body is not a JSON object');
};

/** Refuses members that this runtime would otherwise ignore silently. */
export const refuseUnknownMembers = (name: string, members: readonly string[], input: Input): void => {
  const unknown = Object.keys(input).filter((key) => input[key] !== undefined && input[key] !== null && !members.includes(key));
  if (unknown.length > 0)
    throw new AwsError('ValidationException', `The local runtime does not support ${unknown.join(', ')} in ${name}. Supported: ${members.join(', ') || 'no members'}.`);
};

/** Answers a service that names its operation in a header and speaks JSON. */
export const jsonService = (signingName: string, protocol: 'json-1.0' | 'json-1.1', operations: Readonly<Record<string, Operation>>): AwsService => ({
  signingName,
  protocol,
  async handle(request): Promise<AwsResponse> {
    const found = Object.hasOwn(operations, request.operation) ? operations[request.operation] : undefined;
    if (found === undefined)
      throw new AwsError('UnknownOperationException', `The local runtime does not support ${signingName}:${request.operation}. Supported: ${Object.keys(operations).join(', ')}.`);
    const input = readJson(request.body);
    refuseUnknownMembers(request.operation, found.members, input);
    const output = await found.run(input, request);
    return { status: 200, headers: { 'content-type': `application/x-amz-${protocol}` }, body: JSON.stringify(output ?? {}) };
  },
});
