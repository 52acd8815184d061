import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Console } from './console/console.ts';
import type { AwsEndpoint } from './gateway/aws-endpoint.ts';
import { type Envelope, readEnvelope } from './gateway/envelope.ts';
import { readBody } from './gateway/read-body.ts';
import type { RuntimeTime } from './kernel/types.ts';
import { gatewayAnswer, type HttpResponse } from './services/http-api/response.ts';
import type { HttpApi } from './services/http-api.ts';

/** API Gateway's limit for a request body. */
const MOST_API_BYTES = 10 * 1024 * 1024;
const MOST_AWS_BYTES = 128 * 1024 * 1024;

/** What answers behind the port, once the runtime has booted. */
export type Behind = { aws: AwsEndpoint; httpApi: HttpApi; console: Console };

/** The one loopback port: AWS clients, the console, and the HTTP API. */
export class Gateway {
  readonly #server: Server;
  readonly #time: RuntimeTime;
  #behind: Behind | undefined;

  private constructor(time: RuntimeTime) {
    this.#time = time;
    this.#server = createServer({ maxHeaderSize: 64 * 1024, keepAliveTimeout: 60_000 }, (request, response) => void this.#answer(request, response));
  }

  /** Takes the port. Throws a sentence when somebody else has it. */
  static async listen(port: number, time: RuntimeTime): Promise<Gateway> {
    const gateway = new Gateway(time);
    await new Promise<void>((resolve, reject) => {
      gateway.#server.once('error', (fault: NodeJS.ErrnoException) => reject(portFault(port, fault)));
      gateway.#server.listen(port, '127.0.0.1', resolve);
    });
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on requests are answered; until then they are asked to come again. */
  open(behind: Behind): void {
    this.#behind = behind;
  }

  async stop(): Promise<void> {
    this.#behind = undefined;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('date', new Date(this.#time.now()).toUTCString());
    try {
      send(response, request, await this.#dispatch(request));
    } catch (fault) {
      if (!response.destroyed) send(response, request, gatewayAnswer(500, fault instanceof Error ? fault.message : 'Internal Server Error'));
    }
  }

  async #dispatch(request: IncomingMessage): Promise<HttpResponse> {
    const behind = this.#behind;
    if (!behind) return { ...gatewayAnswer(503, 'The local runtime is not ready yet'), headers: [['retry-after', '1']] };
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path === '/_baton' || path.startsWith('/_baton/')) return behind.console.answer(request);
    const envelope = readEnvelope(request);
    return envelope ? answerAws(behind.aws, request, envelope) : answerApi(behind.httpApi, request);
  }
}

async function answerAws(aws: AwsEndpoint, request: IncomingMessage, envelope: Envelope): Promise<HttpResponse> {
  const body = await readBody(request, MOST_AWS_BYTES);
  if (!body) return gatewayAnswer(413, 'Request Entity Too Large');
  const { status, headers, body: answer } = await aws.answer(request, envelope, body);
  const requestId = randomUUID();
  const own = Object.entries(headers ?? {});
  const named = own.some(([name]) => name.toLowerCase() === 'x-amzn-requestid') ? [] : [['x-amzn-requestid', requestId] satisfies [string, string]];
  return { status, headers: [...named, ['x-amz-request-id', requestId], ...own], body: typeof answer === 'string' ? Buffer.from(answer) : answer };
}

async function answerApi(httpApi: HttpApi, request: IncomingMessage): Promise<HttpResponse> {
  const body = await readBody(request, MOST_API_BYTES);
  if (!body) return gatewayAnswer(413, 'Request Entity Too Large');
  return httpApi.answer({
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    httpVersion: request.httpVersion,
    rawHeaders: request.rawHeaders,
    body,
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
  });
}

function send(response: ServerResponse, request: IncomingMessage, { status, headers, body }: HttpResponse): void {
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  if (status !== 204 && status !== 304 && request.method !== 'HEAD') response.setHeader('content-length', body.length);
  // A body that was not read to its end must not be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  response.end(request.method === 'HEAD' ? undefined : body);
}

function portFault(port: number, fault: NodeJS.ErrnoException): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken: another program listens there (perhaps another local runtime). Stop it, or choose another port with --port.`,
    EACCES: `Port ${port} may not be used by this user. Choose another port with --port.`,
  };
  const reason = reasons[fault.code ?? ''];
  return reason === undefined ? fault : new Error(reason, { cause: fault });
}
