// A proxy in front of a database that does what networks and DynamoDB do and emulators do not (LR-03): conflicts,
// throttling, lost responses, lagging indexes, batches that are left half done.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export type Call = { operation: string; body: Record<string, unknown> };

export type Fault =
  /** Answers itself; the database never hears of the call. */
  | { kind: 'answer'; status: number; body: Record<string, unknown> }
  /** Lets the database do it, then cuts the connection before the response. */
  | { kind: 'lose-response' }
  /** Does something first, then lets the call through. */
  | { kind: 'first'; run: () => Promise<void> }
  | { kind: 'pass' };

export type FaultyDynamodb = {
  endpoint: string;
  /** Every call that arrived, oldest first. */
  calls: Call[];
  /** The next calls of this operation meet these faults, in this order. */
  next: (operation: string, ...faults: Fault[]) => void;
  /** Indexes answer from now on what they answered before to the same question. */
  freezeIndexes: () => void;
  stop: () => Promise<void>;
};

const error = (name: string, more: Record<string, unknown> = {}): Fault => ({
  kind: 'answer',
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more },
});

/** A transaction that is cancelled for these reasons, one for each of its items. */
export const cancelled = (...codes: string[]): Fault => error('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });
export const conflict: Fault = error('TransactionConflictException');
export const throttled: Fault = error('ThrottlingException');
export const loseResponse: Fault = { kind: 'lose-response' };

export async function startFaultyDynamodb(database: string): Promise<FaultyDynamodb> {
  const faults = new Map<string, Fault[]>();
  const answers = new Map<string, { status: number; text: string }>();
  const calls: Call[] = [];
  let frozen = false;

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await read(request);
    const call: Call = { operation: String(request.headers['x-amz-target']).split('.')[1] ?? '', body: JSON.parse(text) };
    calls.push(call);
    const fault = faults.get(call.operation)?.shift() ?? { kind: 'pass' };
    if (fault.kind === 'answer') return reply(response, fault.status, JSON.stringify(fault.body));
    if (fault.kind === 'first') await fault.run();
    const old = frozen && call.body.IndexName !== undefined ? answers.get(text) : undefined;
    const answer = old ?? (await forward(database, request, text));
    answers.set(text, answer);
    if (fault.kind === 'lose-response') return void request.socket.destroy();
    reply(response, answer.status, answer.text);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    calls,
    next: (operation, ...more) => faults.set(operation, [...(faults.get(operation) ?? []), ...more]),
    freezeIndexes: () => {
      frozen = true;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(database: string, request: IncomingMessage, body: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': String(request.headers['content-type']), 'x-amz-target': String(request.headers['x-amz-target']) };
  const signed = { authorization: String(request.headers.authorization), 'x-amz-date': String(request.headers['x-amz-date']) };
  const answer = await fetch(database, { method: 'POST', headers: { ...headers, ...signed }, body });
  return { status: answer.status, text: await answer.text() };
}

const reply = (response: ServerResponse, status: number, text: string) => response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return address.port;
}
