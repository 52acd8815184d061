import { expect, test } from 'vitest';
import { readLogFormat } from '../../infra/local/services/http-api/access-log.ts';
import { readAnswer } from '../../infra/local/services/http-api/response.ts';
import { matchRoute, readRoute } from '../../infra/local/services/http-api/route.ts';
import { Throttle } from '../../infra/local/services/http-api/throttle.ts';

const routes = ['POST /in/{source}', 'ANY /in/{proxy+}', 'GET /in/health', 'ANY /a/{proxy+}', 'GET /.well-known/keys.json', '$default'].map((key, at) => readRoute(key, `i${at}`));

test.each([
  ['POST', '/in/website', 'POST /in/{source}', { source: 'website' }],
  ['GET', '/in/website', 'ANY /in/{proxy+}', { proxy: 'website' }],
  ['GET', '/in/health', 'GET /in/health', {}],
  ['POST', '/in/health', 'POST /in/{source}', { source: 'health' }],
  ['POST', '/in/a/b%2Fc', 'ANY /in/{proxy+}', { proxy: 'a/b/c' }],
  ['HEAD', '/a/x/receipt', 'ANY /a/{proxy+}', { proxy: 'x/receipt' }],
  ['GET', '/.well-known/keys.json', 'GET /.well-known/keys.json', {}],
  ['GET', '/-well-known/keysxjson', '$default', {}],
  ['GET', '/', '$default', {}],
  ['POST', '/in/', '$default', {}],
])('LR-10: %s %s goes to the most specific route, %s', (method, path, routeKey, pathParameters) => {
  const match = matchRoute(routes, method, path);
  expect(match?.route.routeKey).toBe(routeKey);
  expect(match?.pathParameters).toEqual(pathParameters);
});

test('LR-10: without a default route, what matches nothing has no route', () => {
  expect(matchRoute(routes.slice(0, 5), 'GET', '/')).toBeUndefined();
  expect(matchRoute(routes.slice(0, 5), 'DELETE', '/.well-known/keys.json')).toBeUndefined();
});

test('B-7: a route key that is none is refused', () => {
  expect(() => readRoute('GET in', 'i')).toThrow('route key GET in is not supported');
});

const seen = (answer: unknown) => {
  const response = readAnswer(answer);
  return response && { ...response, body: response.body.toString('utf8') };
};

test('LR-10: an answer without a status code is the body of a 200', () => {
  expect(seen({ message: 'hi' })).toEqual({ status: 200, headers: [['content-type', 'application/json']], body: '{"message":"hi"}' });
  expect(seen('hi')).toEqual({ status: 200, headers: [['content-type', 'application/json']], body: 'hi' });
});

test('LR-10: an answer with a status code says everything itself; each cookie is a header of its own', () => {
  expect(seen({ statusCode: 303, headers: { Location: '/x', 'X-Count': 3 }, cookies: ['a=1', 'b=2'] })).toEqual({
    status: 303,
    headers: [
      ['content-type', 'text/plain;charset=UTF-8'],
      ['location', '/x'],
      ['x-count', '3'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ],
    body: '',
  });
  expect(seen({ statusCode: 200, headers: { 'Content-Type': 'text/html' }, body: 'aGk=', isBase64Encoded: true })).toEqual({
    status: 200,
    headers: [['content-type', 'text/html']],
    body: 'hi',
  });
});

test.each([[{ statusCode: 'teapot' }], [{ statusCode: 200, body: { not: 'text' } }], [{ statusCode: 200, headers: { x: ['list'] } }], [{ statusCode: 99 }]])(
  'LR-10: %j is malformed',
  (answer) => {
    expect(readAnswer(answer)).toBeUndefined();
  },
);

test('LR-10: throttling lets a burst through, then as many as the rate gives back', () => {
  const throttle = new Throttle({ rate: 2, burst: 3 }, 0);
  expect([0, 0, 0, 0].map((now) => throttle.take(now))).toEqual([true, true, true, false]);
  expect([400, 500, 600, 1000].map((now) => throttle.take(now))).toEqual([false, true, false, true]);
});

test('LR-10: access log lines have the format of the template, and an unknown variable stops the boot', () => {
  const line = readLogFormat('{"r":"$context.requestId","s":"$context.status","k":"$context.routeKey","e":"$context.integrationErrorMessage"}');
  const request = { method: 'GET', url: '/a', httpVersion: '1.1', rawHeaders: [], body: Buffer.alloc(0), sourceIp: '::1' };
  expect(line({ request, requestId: 'r', routeKey: 'GET /a', apiId: 'x', status: 200, responseLength: 1, startedAt: 0, endedAt: 5 })).toBe(
    '{"r":"r","s":"200","k":"GET /a","e":"-"}',
  );
  expect(() => readLogFormat('$context.authorizer.principalId')).toThrow('access log variables authorizer.principalId are not supported (supported: accountId');
});
