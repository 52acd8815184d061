import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** A request with its bytes as they came. Header names are lower case; a repeated header or query key is joined with commas in `headers`, so read `rawQueryString` (LA-13). */
export type HttpRequest = {
  method: string;
  rawPath: string;
  rawQueryString: string;
  headers: Readonly<Record<string, string>>;
  rawBody: Buffer;
  sourceIp: string;
  cookies: readonly string[];
  /** What the client calls this place, such as `https://host`, without a trailing slash. */
  origin: string;
  requestId: string;
};

/** An answer that the frame itself gives, without asking the use case. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The largest body that is read, in bytes. What follows (bus, table, queue) takes no more (LA-12, EB-06). */
export const MAX_BODY_BYTES = 256 * 1024;

/** Reads what API Gateway hands over, keeping the body as bytes. Throws `HttpRefusal` for a body that is too large or not what it claims to be. */
export function readRequest(event: APIGatewayProxyEventV2): HttpRequest {
  const { http, domainName, requestId } = event.requestContext;
  return {
    method: http.method.toUpperCase(),
    rawPath: event.rawPath,
    rawQueryString: event.rawQueryString ?? '',
    headers: lowerCased(event.headers),
    rawBody: bytesOf(event.body ?? '', event.isBase64Encoded),
    sourceIp: http.sourceIp,
    cookies: event.cookies ?? [],
    origin: `https://${event.headers?.host ?? domainName}`,
    requestId,
  };
}

function lowerCased(headers: Record<string, string | undefined> | undefined): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) result[name.toLowerCase()] = value;
  return result;
}

function bytesOf(body: string, base64: boolean): Buffer {
  if (body.length > (base64 ? Math.ceil(MAX_BODY_BYTES / 3) * 4 : MAX_BODY_BYTES)) throw new HttpRefusal(413, 'body too large');
  if (base64 && !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(body)) throw new HttpRefusal(400, 'body is not base64');
  const bytes = Buffer.from(body, base64 ? 'base64' : 'utf8');
  if (bytes.length > MAX_BODY_BYTES) throw new HttpRefusal(413, 'body too large');
  return bytes;
}
