import type { IncomingMessage } from 'node:http';
import { type Counts, entriesOf } from '../kernel/counts.ts';
import { AwsError, type AwsRequest, type AwsResponse, type AwsService, type Work } from '../kernel/types.ts';
import type { CallerKeys } from './caller-keys.ts';
import { type Envelope, operationOf } from './envelope.ts';
import { renderError } from './error-shapes.ts';

/** Hands requests of AWS clients to the service they are for, and answers errors in that service's shape. */
export class AwsEndpoint {
  readonly #services = new Map<string, AwsService>();
  readonly #keys: CallerKeys;
  readonly #work: Work;
  readonly #counts: Counts;

  constructor(services: readonly AwsService[], keys: CallerKeys, { work, counts }: { work: Work; counts: Counts }) {
    for (const service of services) this.#services.set(service.signingName, service);
    this.#keys = keys;
    this.#work = work;
    this.#counts = counts;
  }

  async answer(request: IncomingMessage, envelope: Envelope, body: Buffer): Promise<AwsResponse> {
    const service = this.#services.get(envelope.signingName);
    if (!service) return renderError(this.#unknownService(envelope.signingName), protocolGuess(request));
    try {
      refuseCbor(request, service);
      const operation = operationOf(service.protocol, envelope.target, body);
      const url = new URL(request.url ?? '/', 'http://local');
      const handled = {
        method: request.method ?? 'GET',
        path: rawPath(request),
        query: url.searchParams,
        headers: flatHeaders(request),
        body,
        operation,
        caller: this.#keys.callerOf(envelope.accessKeyId),
      };
      return await this.#counted(service, handled, () => this.#handle(service, handled));
    } catch (fault) {
      return renderError(fault, service.protocol);
    }
  }

  #handle(service: AwsService, request: AwsRequest): Promise<AwsResponse> {
    // A stranger's long poll must not hold up the clock; what it causes is tracked where it happens.
    if (request.caller.kind === 'operator') return service.handle(request);
    return this.#work.track(`${service.signingName} ${request.operation || request.method}`, () => service.handle(request));
  }

  async #counted(service: AwsService, { caller, operation, method, body }: AwsRequest, handle: () => Promise<AwsResponse>): Promise<AwsResponse> {
    const who = caller.kind === 'role' ? caller.name : caller.kind;
    const what = { caller: who, service: service.signingName, operation: operation || method, entries: entriesOf(operation, body), bytes: body.length };
    let refused = true;
    try {
      const response = await handle();
      refused = response.status >= 400;
      return response;
    } finally {
      this.#counts.add({ ...what, refused });
    }
  }

  #unknownService(signingName: string): AwsError {
    return new AwsError('UnknownServiceException', `The local runtime has no service "${signingName}" (it has: ${[...this.#services.keys()].sort().join(', ')})`);
  }
}

function refuseCbor(request: IncomingMessage, service: AwsService): void {
  const speaksCbor = request.headers['smithy-protocol'] === 'rpc-v2-cbor' || /application\/(x-amz-)?cbor/.test(request.headers['content-type'] ?? '');
  if (speaksCbor)
    throw new AwsError('UnsupportedProtocolException', `The local runtime reads ${service.protocol} for ${service.signingName}, not CBOR; configure the client to use JSON`, 415);
}

/** Without a known service, the headers tell which error shape the client can read. */
function protocolGuess(request: IncomingMessage): AwsService['protocol'] {
  if (request.headers['x-amz-target']) return 'json-1.0';
  return (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded') ? 'query' : 'rest-json';
}

function rawPath(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/';
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : (value ?? '')]));
}
