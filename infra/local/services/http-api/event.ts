import { ACCOUNT } from '../../kernel/types.ts';

/** A request as it came over the wire. Header names keep their order and repetitions. */
export type HttpRequest = { method: string; url: string; httpVersion: string; rawHeaders: readonly string[]; body: Buffer; sourceIp: string };

export type EventSurroundings = { requestId: string; routeKey: string; pathParameters: Record<string, string>; apiId: string; port: number; now: number; traceId: string };

/** The event of payload format 2.0, as API Gateway hands it to a function. */
export function payloadV2(request: HttpRequest, around: EventSurroundings): Record<string, unknown> {
  const [sentPath, rawQueryString] = splitOnce(request.url, '?');
  const rawPath = decodedPath(sentPath);
  const { headers, cookies } = readHeaders(request, around);
  const query = queryParameters(rawQueryString);
  const host = headers.host ?? '';
  return {
    version: '2.0',
    routeKey: around.routeKey,
    rawPath,
    rawQueryString,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers,
    ...(query ? { queryStringParameters: query } : {}),
    requestContext: {
      accountId: ACCOUNT,
      apiId: around.apiId,
      domainName: host,
      domainPrefix: host.split('.')[0] ?? '',
      http: { method: request.method, path: rawPath, protocol: `HTTP/${request.httpVersion}`, sourceIp: request.sourceIp, userAgent: headers['user-agent'] ?? '' },
      requestId: around.requestId,
      routeKey: around.routeKey,
      stage: '$default',
      time: commonLogTime(around.now),
      timeEpoch: Math.floor(around.now),
    },
    ...(Object.keys(around.pathParameters).length > 0 ? { pathParameters: around.pathParameters } : {}),
    ...bodyFields(request.body, headers['content-type']),
  };
}

/** Despite its name the raw path of an HTTP API arrives decoded; only the query keeps its escapes. An escape that means nothing stays as it was sent. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `12/Mar/2026:19:03:58 +0000` */
export function commonLogTime(now: number): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(now).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

function readHeaders(request: HttpRequest, { port, traceId }: EventSurroundings): { headers: Record<string, string>; cookies: string[] } {
  const collected = new Map<string, string>();
  const cookies: string[] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = (request.rawHeaders[at] ?? '').toLowerCase();
    const value = request.rawHeaders[at + 1] ?? '';
    const before = collected.get(name);
    if (name === 'cookie') cookies.push(...value.split(/; */).filter((cookie) => cookie !== ''));
    else if (!HOP_BY_HOP.has(name)) collected.set(name, before === undefined ? value : `${before},${value}`);
  }
  const forwarded = collected.get('x-forwarded-for');
  collected.set('x-forwarded-for', forwarded ? `${forwarded}, ${request.sourceIp}` : request.sourceIp);
  collected.set('x-forwarded-port', String(port));
  collected.set('x-forwarded-proto', 'http');
  collected.set('x-amzn-trace-id', traceId);
  if (request.body.length > 0) collected.set('content-length', String(request.body.length));
  return { headers: Object.fromEntries([...collected].sort(([a], [b]) => (a < b ? -1 : 1))), cookies };
}

const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect', 'proxy-connection']);

function queryParameters(rawQueryString: string): Record<string, string> | undefined {
  if (rawQueryString === '') return undefined;
  const joined: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rawQueryString)) joined[name] = Object.hasOwn(joined, name) ? `${joined[name]},${value}` : value;
  return joined;
}

function bodyFields(body: Buffer, contentType: string | undefined): Record<string, unknown> {
  if (body.length === 0) return { isBase64Encoded: false };
  const text = isText(contentType) ? exactText(body) : undefined;
  return text === undefined ? { body: body.toString('base64'), isBase64Encoded: true } : { body: text, isBase64Encoded: false };
}

/** Text types travel as they are; everything else, forms included, in base64. */
function isText(contentType = 'text/plain'): boolean {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return type.startsWith('text/') || /^application\/(json|xml|javascript|.+\+(json|xml))$/.test(type);
}

/** The body as text, unless that would lose bytes. */
function exactText(body: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return undefined;
  }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
