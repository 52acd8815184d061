// Serves single services of the local runtime to real AWS clients, with errors in each protocol's own shape.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AwsError, type AwsRequest, type AwsService, type Caller } from '../../infra/local/kernel/types.ts';
import { operator } from './local-kernel.ts';

export type ServedAws = { endpoint: string; close(): Promise<void> };

const scope = (authorization: string): string => /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(authorization)?.[1] ?? '';

const rendered = (service: AwsService, error: AwsError) =>
  service.protocol === 'rest-xml'
    ? { status: error.status, headers: { 'content-type': 'application/xml' }, body: `<Error><Code>${error.code}</Code><Message>${error.message}</Message></Error>` }
    : {
        status: error.status,
        headers: { 'content-type': 'application/json', 'x-amzn-errortype': error.code },
        body: JSON.stringify({ __type: error.code, message: error.message, ...error.fields }),
      };

/** Serves on loopback. `caller` says who every request comes from. */
export async function serveAws(services: readonly AwsService[], caller: Caller = operator): Promise<ServedAws> {
  const server: Server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const service = services.find((one) => one.signingName === scope(headers.authorization ?? ''));
    if (service === undefined) return void answer.writeHead(400).end('no such service');
    const url = new URL(incoming.url ?? '/', 'http://local');
    const operation = (headers['x-amz-target'] ?? '').split('.').at(-1) ?? '';
    const request: AwsRequest = { method: incoming.method ?? 'GET', path: url.pathname, query: url.searchParams, headers, body: Buffer.concat(chunks), operation, caller };
    const response = await service.handle(request).catch((error: unknown) => {
      if (error instanceof AwsError) return rendered(service, error);
      return rendered(service, new AwsError('InternalError', String(error instanceof Error ? error.stack : error), 500));
    });
    answer.writeHead(response.status, response.headers).end(response.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()) };
}

/** What an AWS client needs to talk to it. */
export const clientSettings = (endpoint: string) => ({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' }, maxAttempts: 1 });
