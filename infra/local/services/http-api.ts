import { randomUUID } from 'node:crypto';
import { ACCOUNT, AwsError, type Kernel, type Provisioner, REGION } from '../kernel/types.ts';
import { afterWorkingTime } from '../kernel/working-time.ts';
import { type HttpRequest, payloadV2 } from './http-api/event.ts';
import { type ApiModel, httpApiProvisioner, type Integration } from './http-api/provision.ts';
import { gatewayAnswer, type HttpResponse, readAnswer } from './http-api/response.ts';
import { matchRoute, type RouteMatch } from './http-api/route.ts';
import { Throttle } from './http-api/throttle.ts';

/** Request line and headers together, as API Gateway counts them. */
const MOST_HEADER_BYTES = 10_240;

type Answered = { response: HttpResponse; routeKey: string; integrationStatus?: number; integrationError?: string };

/** The HTTP API of the template: routes, throttling, payload 2.0. */
export class HttpApi {
  readonly provisioner: Provisioner;
  readonly #kernel: Kernel;
  readonly #port: () => number;
  readonly #model: ApiModel = { routes: [], integrations: new Map(), limits: new Map(), hasStage: false };
  readonly #throttles = new Map<string, Throttle>();

  constructor(kernel: Kernel, baseUrl: () => string) {
    this.#kernel = kernel;
    this.#port = () => Number(new URL(baseUrl()).port);
    this.provisioner = httpApiProvisioner(this.#model, baseUrl);
  }

  routes(): string[] {
    return this.#model.routes.map((route) => route.routeKey);
  }

  /** Answers one request. Never throws: what goes wrong inside is a 5xx, as it is on AWS. */
  async answer(request: HttpRequest): Promise<HttpResponse> {
    const startedAt = this.#kernel.time.now();
    const requestId = randomUUID();
    const answered = await this.#kernel.work.track(`http ${request.method}`, () => this.#route(request, requestId));
    const response: HttpResponse = { ...answered.response, headers: [...answered.response.headers, ['apigw-requestid', requestId]] };
    const { response: _, ...rest } = answered;
    const line = this.#model.accessLog?.({
      ...rest,
      request,
      requestId,
      apiId: this.#model.apiId ?? '',
      status: response.status,
      responseLength: response.body.length,
      startedAt,
      endedAt: this.#kernel.time.now(),
    });
    if (line !== undefined) this.#kernel.log({ service: 'http', message: line });
    return response;
  }

  async #route(request: HttpRequest, requestId: string): Promise<Answered> {
    if (headerBytes(request) > MOST_HEADER_BYTES) return { response: gatewayAnswer(431, 'Request Header Fields Too Large'), routeKey: '-' };
    const path = request.url.split('?')[0] ?? '/';
    const match = this.#model.hasStage ? matchRoute(this.#model.routes, request.method, path) : undefined;
    if (!match) return { response: gatewayAnswer(404, 'Not Found'), routeKey: '-' };
    const { routeKey } = match.route;
    if (!this.#admits(routeKey)) return { response: gatewayAnswer(429, 'Too Many Requests'), routeKey };
    const integration = this.#model.integrations.get(match.route.integrationId);
    if (!integration) return { response: gatewayAnswer(500, 'Internal Server Error'), routeKey };
    return { ...(await this.#invoke(request, requestId, match, integration)), routeKey };
  }

  #admits(routeKey: string): boolean {
    const key = this.#model.limits.has(routeKey) ? routeKey : '';
    const limits = this.#model.limits.get(key);
    if (!limits) return true;
    const now = this.#kernel.time.now();
    const throttle = this.#throttles.get(key) ?? new Throttle(limits, now);
    this.#throttles.set(key, throttle);
    return throttle.take(now);
  }

  async #invoke(request: HttpRequest, requestId: string, match: RouteMatch, integration: Integration): Promise<Omit<Answered, 'routeKey'>> {
    const { kernel, apiId } = { kernel: this.#kernel, apiId: this.#model.apiId ?? '' };
    const event = payloadV2(request, {
      requestId,
      routeKey: match.route.routeKey,
      pathParameters: match.pathParameters,
      apiId,
      port: this.#port(),
      now: kernel.time.now(),
      traceId: `Root=1-${Math.floor(kernel.time.now() / 1000).toString(16)}-${requestId.replaceAll('-', '').slice(0, 24)}`,
    });
    const caller = { kind: 'service', principal: 'apigateway.amazonaws.com', sourceArn: sourceArn(apiId, match) } as const;
    try {
      const result = await withinTime(kernel.services.lambda.invoke(integration.functionArn, event, caller), integration.timeoutMilliseconds);
      if (result === 'late') return { response: gatewayAnswer(503, 'Service Unavailable'), integrationStatus: 504, integrationError: 'The integration did not answer in time' };
      if (result.functionError) return { response: gatewayAnswer(500, 'Internal Server Error'), integrationStatus: 200, integrationError: result.functionError.errorMessage };
      const response = readAnswer(result.payload);
      if (response) return { response, integrationStatus: 200 };
      return { response: gatewayAnswer(500, 'Internal Server Error'), integrationStatus: 200, integrationError: 'The function answered in a form that is not payload format 2.0' };
    } catch (fault) {
      return this.#refused(fault);
    }
  }

  #refused(fault: unknown): Omit<Answered, 'routeKey'> {
    const integrationError = fault instanceof Error ? fault.message : String(fault);
    this.#kernel.log({ service: 'http', message: `the function was not invoked: ${integrationError}` });
    const busy = fault instanceof AwsError && fault.status === 429;
    return {
      response: busy ? gatewayAnswer(503, 'Service Unavailable') : gatewayAnswer(500, 'Internal Server Error'),
      integrationStatus: fault instanceof AwsError ? fault.status : 500,
      integrationError,
    };
  }
}

function sourceArn(apiId: string, { route }: RouteMatch): string {
  const [method = '', path = ''] = route.routeKey === '$default' ? ['', '/$default'] : route.routeKey.split(' ');
  return `arn:aws:execute-api:${REGION}:${ACCOUNT}:${apiId}/$default${method === '' ? '' : `/${method === 'ANY' ? '*' : method}`}${path}`;
}

function headerBytes({ method, url, rawHeaders }: HttpRequest): number {
  return rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text), Buffer.byteLength(method) + Buffer.byteLength(url));
}

/** The result, or `late` once the real time for it is over; the function itself goes on, as it does on AWS. */
async function withinTime<T>(result: Promise<T>, milliseconds: number): Promise<T | 'late'> {
  let inTime = (): void => {};
  const late = new Promise<'late'>((resolve) => {
    inTime = afterWorkingTime(milliseconds, () => resolve('late'));
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    inTime();
  }
}
