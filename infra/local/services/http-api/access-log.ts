import { ACCOUNT } from '../../kernel/types.ts';
import { commonLogTime, type HttpRequest } from './event.ts';

export type Accessed = {
  request: HttpRequest;
  requestId: string;
  routeKey: string;
  apiId: string;
  status: number;
  responseLength: number;
  startedAt: number;
  endedAt: number;
  integrationStatus?: number;
  integrationError?: string;
};

type Reading = (accessed: Accessed) => string | number | undefined;

const header =
  (name: string): Reading =>
  ({ request }) => {
    const at = request.rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
    return at < 0 ? undefined : request.rawHeaders[at + 1];
  };

/** Every variable an access log format may use here. */
const VARIABLES: Readonly<Record<string, Reading>> = {
  accountId: () => ACCOUNT,
  apiId: ({ apiId }) => apiId,
  domainName: header('host'),
  'error.message': ({ integrationError }) => integrationError,
  'error.responseType': () => undefined,
  extendedRequestId: ({ requestId }) => requestId,
  httpMethod: ({ request }) => request.method,
  'identity.sourceIp': ({ request }) => request.sourceIp,
  'identity.userAgent': header('user-agent'),
  'integration.error': ({ integrationError }) => integrationError,
  'integration.latency': ({ startedAt, endedAt }) => Math.round(endedAt - startedAt),
  'integration.status': ({ integrationStatus }) => integrationStatus,
  integrationErrorMessage: ({ integrationError }) => integrationError,
  integrationLatency: ({ startedAt, endedAt }) => Math.round(endedAt - startedAt),
  integrationStatus: ({ integrationStatus }) => integrationStatus,
  path: ({ request }) => request.url.split('?')[0],
  protocol: ({ request }) => `HTTP/${request.httpVersion}`,
  requestId: ({ requestId }) => requestId,
  requestTime: ({ startedAt }) => commonLogTime(startedAt),
  requestTimeEpoch: ({ startedAt }) => Math.floor(startedAt),
  responseLatency: ({ startedAt, endedAt }) => Math.round(endedAt - startedAt),
  responseLength: ({ responseLength }) => responseLength,
  routeKey: ({ routeKey }) => routeKey,
  stage: () => '$default',
  status: ({ status }) => status,
};

const VARIABLE = /\$context\.([A-Za-z]+(?:\.[A-Za-z]+)*)/g;

/** Reads a format; throws, listing what exists, when it uses a variable that has no value here. */
export function readLogFormat(format: string): (accessed: Accessed) => string {
  const unknown = [...format.matchAll(VARIABLE)].map(([, name = '']) => name).filter((name) => !VARIABLES[name]);
  if (unknown.length > 0) throw new Error(`access log variables ${unknown.join(', ')} are not supported (supported: ${Object.keys(VARIABLES).join(', ')})`);
  return (accessed) => format.replace(VARIABLE, (_, name: string) => String(VARIABLES[name]?.(accessed) ?? '-'));
}
