export type HttpResponse = { status: number; headers: [string, string][]; body: Buffer };

/** What API Gateway itself answers, without a function. */
export function gatewayAnswer(status: number, message: string): HttpResponse {
  return { status, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify({ message })) };
}

type Shaped = { statusCode?: unknown; headers?: unknown; body?: unknown; isBase64Encoded?: unknown; cookies?: unknown };

/** Reads a function's answer in format 2.0: with a `statusCode` as it says, otherwise as the body of a 200. Undefined when it is malformed. */
export function readAnswer(answer: unknown): HttpResponse | undefined {
  const shaped = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? (answer as Shaped) : {};
  if (shaped.statusCode === undefined)
    return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)) };
  const status = Number(shaped.statusCode);
  const headers = readHeaders(shaped);
  const body = readBody(shaped);
  if (!Number.isInteger(status) || status < 100 || status > 599 || !headers || !body) return undefined;
  return { status, headers, body };
}

function readHeaders({ headers = {}, cookies = [] }: Shaped): [string, string][] | undefined {
  if (typeof headers !== 'object' || headers === null || !Array.isArray(cookies)) return undefined;
  const entries = Object.entries(headers).map(([name, value]): [string, unknown] => [name.toLowerCase(), value]);
  if (entries.some(([, value]) => typeof value === 'object')) return undefined;
  const own = entries.filter(([name]) => !['content-length', 'connection', 'transfer-encoding'].includes(name)).map(([name, value]): [string, string] => [name, String(value)]);
  const typed: [string, string][] = own.some(([name]) => name === 'content-type') ? [] : [['content-type', 'text/plain;charset=UTF-8']];
  return [...typed, ...own, ...cookies.map((cookie): [string, string] => ['set-cookie', String(cookie)])];
}

function readBody({ body, isBase64Encoded }: Shaped): Buffer | undefined {
  if (body === undefined || body === null) return Buffer.alloc(0);
  return typeof body === 'string' ? Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8') : undefined;
}
