import type { AwsService } from '../kernel/types.ts';

/** Asks a service of the runtime in its own JSON, as an operator would. */
export async function ask<T>(service: AwsService, operation: string, input: unknown): Promise<T> {
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
