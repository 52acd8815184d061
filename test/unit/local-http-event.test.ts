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
    rawPath: '/in/web site',
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
      http: { method: 'POST', path: '/in/web site', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'curl/8' },
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

/** What AWS handed to a function for a form that a phone provider posted, as it was recorded (body shortened). */
const RECORDED = {
  version: '2.0',
  routeKey: 'POST /hooks/twilio/sms',
  rawPath: '/hooks/twilio/sms',
  rawQueryString: '',
  headers: {
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    host: 'intake.example.com',
    'user-agent': 'TwilioProxy/1.1',
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '443',
    'x-twilio-signature': 'uGO9SCJ32TnUaSOEwzVUS4tSlIs=',
    'i-twilio-idempotency-token': 'test-apigw',
  },
  requestContext: {
    accountId: '111122223333',
    apiId: 'abc123',
    domainName: 'intake.example.com',
    http: { method: 'POST', path: '/hooks/twilio/sms', protocol: 'HTTP/1.1', sourceIp: '198.51.100.40', userAgent: 'TwilioProxy/1.1' },
    requestId: 'JKJaXmPLvHcESHA=',
    stage: '$default',
    time: '30/Nov/2026:15:04:05 +0000',
    timeEpoch: 1796051045000,
  },
  body: 'Qm9keT1IaSUyMStJcyt0aGUrNXBtK3Nsb3Qrc3RpbGwrb3BlbiUzRg==',
  isBase64Encoded: true,
};

test('LR-10: the same request gives the event that AWS made of it, but for account, port and protocol', () => {
  const { host, 'content-type': type, 'user-agent': agent, ...signed } = RECORDED.headers;
  const { 'x-forwarded-proto': _, 'x-forwarded-port': __, ...own } = signed;
  const rawHeaders = ['Host', host, 'Content-Type', type, 'User-Agent', agent, ...Object.entries(own).flat(), 'Content-Length', '41'];
  const sent = { method: 'POST', url: '/hooks/twilio/sms', httpVersion: '1.1', rawHeaders, body: Buffer.from(RECORDED.body, 'base64'), sourceIp: '198.51.100.40' };
  const made = payloadV2(sent, {
    requestId: 'JKJaXmPLvHcESHA=',
    routeKey: 'POST /hooks/twilio/sms',
    pathParameters: {},
    apiId: 'abc123',
    port: 443,
    now: RECORDED.requestContext.timeEpoch,
    traceId: 'Root=1-x',
  });
  expect(made).toMatchObject({
    ...RECORDED,
    headers: { ...RECORDED.headers, 'x-forwarded-proto': 'http' },
    requestContext: { ...RECORDED.requestContext, accountId: '000000000000' },
  });
  expect(made).not.toHaveProperty('cookies');
  expect(made).not.toHaveProperty('queryStringParameters');
  expect(made).not.toHaveProperty('pathParameters');
});

test.each([
  ['/in/a%20b?x=%20', '/in/a b', 'x=%20'],
  ['/in/%C3%BC', '/in/ü', ''],
  ['/in/100%25', '/in/100%', ''],
  ['/in/%zz', '/in/%zz', ''],
  ['/in/a+b', '/in/a+b', ''],
])('LR-10: the path of %s arrives decoded as %s, the query as it was sent', (url, rawPath, rawQueryString) => {
  expect(payloadV2(request({ url }), around)).toMatchObject({ rawPath, rawQueryString, requestContext: { http: { path: rawPath } } });
});
