import { expect, test } from 'vitest';
import { commonLogTime, type HttpRequest, payloadV2 } from '../../infra/local/services/http-api/event.ts';

const AT = Date.UTC(2026, 2, 12, 19, 3, 58, 123);
const around = { requestId: 'r-1', routeKey: 'POST /in/{source}', pathParameters: { source: 'website' }, apiId: 'abc', port: 4747, now: AT, traceId: 'Root=1-x' };

function request(change: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'POST',
    url: '/in/web%20site?a=1&a=2&b=x%20y&c',
    httpVersion: '1.1',
    rawHeaders: [
      'Host',
      'go.example.com:4747',
      'Content-Type',
      'application/json',
      'X-Twice',
      'one',
      'x-twice',
      'two',
      'Cookie',
      'k=v; l=w',
      'User-Agent',
      'curl/8',
      'Connection',
      'keep-alive',
    ],
    body: Buffer.from('{"ü":1}'),
    sourceIp: '127.0.0.1',
    ...change,
  };
}

test('LR-10: a request becomes exactly the event of payload format 2.0', () => {
  expect(payloadV2(request(), around)).toEqual({
    version: '2.0',
    routeKey: 'POST /in/{source}',
    rawPath: '/in/web%20site',
    rawQueryString: 'a=1&a=2&b=x%20y&c',
    cookies: ['k=v', 'l=w'],
    headers: {
      'content-length': '8',
      'content-type': 'application/json',
      host: 'go.example.com:4747',
      'user-agent': 'curl/8',
      'x-amzn-trace-id': 'Root=1-x',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-port': '4747',
      'x-forwarded-proto': 'http',
      'x-twice': 'one,two',
    },
    queryStringParameters: { a: '1,2', b: 'x y', c: '' },
    requestContext: {
      accountId: '000000000000',
      apiId: 'abc',
      domainName: 'go.example.com:4747',
      domainPrefix: 'go',
      http: { method: 'POST', path: '/in/web%20site', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'curl/8' },
      requestId: 'r-1',
      routeKey: 'POST /in/{source}',
      stage: '$default',
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: AT,
    },
    pathParameters: { source: 'website' },
    body: '{"ü":1}',
    isBase64Encoded: false,
  });
});

test('LR-10: without query, cookies, path parameters or body those fields are left out, as AWS leaves them out', () => {
  const event = payloadV2(request({ url: '/a', rawHeaders: ['host', 'h'], body: Buffer.alloc(0), method: 'GET' }), { ...around, pathParameters: {} });
  expect(event).toMatchObject({ rawPath: '/a', rawQueryString: '', isBase64Encoded: false });
  for (const absent of ['cookies', 'queryStringParameters', 'pathParameters', 'body']) expect(event).not.toHaveProperty(absent);
});

test.each([
  ['application/json; charset=utf-8', false],
  ['application/vnd.api+json', false],
  ['text/csv', false],
  ['application/xml', false],
  [undefined, false],
  ['application/x-www-form-urlencoded', true],
  ['application/octet-stream', true],
  ['image/png', true],
  ['multipart/form-data; boundary=x', true],
])('LR-10: a body of type %s is base64: %s', (type, encoded) => {
  const event = payloadV2(request({ rawHeaders: ['host', 'h', ...(type ? ['content-type', type] : [])], body: Buffer.from('a=b') }), around);
  expect(event).toMatchObject({ isBase64Encoded: encoded, body: encoded ? 'YT1i' : 'a=b' });
});

test('LR-10: text that is not UTF-8 keeps every byte by travelling in base64', () => {
  const body = Buffer.from([0x7b, 0xff, 0x7d]);
  const event = payloadV2(request({ body }), around);
  expect(event.isBase64Encoded).toBe(true);
  expect(Buffer.from(String(event.body), 'base64')).toEqual(body);
});

test('LR-10: a byte order mark stays in the body, since signatures cover it', () => {
  expect(payloadV2(request({ body: Buffer.from('\uFEFF{}') }), around).body).toBe('\uFEFF{}');
});

test('LA-13: a forwarded-for header of the client is continued, not believed and not lost', () => {
  const event = payloadV2(request({ rawHeaders: ['X-Forwarded-For', '203.0.113.9'] }), around) as {
    headers: Record<string, string>;
    requestContext: { http: { sourceIp: string } };
  };
  expect(event.headers['x-forwarded-for']).toBe('203.0.113.9, 127.0.0.1');
  expect(event.requestContext.http.sourceIp).toBe('127.0.0.1');
});

test('LR-10: the time of the context is in common log format', () => {
  expect(commonLogTime(Date.UTC(2026, 0, 3, 4, 5, 6))).toBe('03/Jan/2026:04:05:06 +0000');
});
