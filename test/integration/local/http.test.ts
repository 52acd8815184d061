import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootRuntime, type Runtime } from '../../../infra/local/runtime.ts';
import { httpApi, lambda, logs, role, type SmallStack, writeStack } from './small-stack.ts';

const CODE = {
  echo: 'export const handler = async (event) => event;',
  pages: `export const handler = async (event) => { if (event.rawPath === '/a/throw') throw new Error('secret detail'); if (event.rawPath === '/a/bad') return { statusCode: 200, body: {} }; return { statusCode: 201, headers: { 'content-type': 'text/html' }, cookies: ['a=1', 'b=2'], body: '<p>hi</p>' }; };`,
  closed: 'export const handler = async () => 1;',
};

let stack: SmallStack;
let runtime: Runtime;
let url: string;

beforeAll(async () => {
  const resources = httpApi(
    { 'ANY /in/{proxy+}': 'Echo', 'ANY /a/{proxy+}': 'Pages', 'GET /closed': 'Closed', 'GET /busy': 'Pages' },
    {
      RouteSettings: { 'GET /busy': { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 } },
      AccessLogSettings: { DestinationArn: 'arn:x', Format: 'access $context.routeKey $context.status $context.integrationErrorMessage' },
    },
  );
  delete resources.Permission2;
  stack = writeStack(
    {
      Role: role(),
      Echo: lambda('echo'),
      Pages: lambda('pages', { Environment: { Variables: { BASE: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } } } }),
      Closed: lambda('closed'),
      ...resources,
    },
    CODE,
    {
      Outputs: { Url: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } } },
    },
  );
  runtime = await bootRuntime({ ...stack, port: 0, quiet: true });
  url = runtime.urls.webhooks;
});
afterAll(async () => {
  await runtime.stop();
  stack.remove();
});

type Echo = { headers: Record<string, string>; [field: string]: unknown };
const echo = async (path: string, init: RequestInit = {}): Promise<Echo> => (await (await fetch(`${url}${path}`, init)).json()) as Echo;

test('LR-10: over a real socket the function sees the decoded path, the raw query and the exact bytes', async () => {
  const event = await echo('/in/a%20b?x=1&x=2', { method: 'POST', body: Buffer.from([1, 2, 255]), headers: { 'content-type': 'application/octet-stream' } });
  expect(event).toMatchObject({
    rawPath: '/in/a b',
    rawQueryString: 'x=1&x=2',
    body: Buffer.from([1, 2, 255]).toString('base64'),
    isBase64Encoded: true,
    pathParameters: { proxy: 'a b' },
  });
});

test.each([
  ['DELETE', '/closed'],
  ['PUT', '/busy'],
  ['GET', '/in'],
  ['GET', '/in/'],
  ['GET', '/a'],
])('LR-10: %s %s has no route and is 404, as an HTTP API never answers 405', async (method, path) => {
  const response = await fetch(`${url}${path}`, { method });
  expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([404, 'application/json', { message: 'Not Found' }]);
});

test('LR-10: a form arrives in base64, text as it is, and cookies apart from the headers', async () => {
  const form = await echo('/in/form', { method: 'POST', body: 'Body=Hi%21', headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: 'a=1; b=2' } });
  expect(form).toMatchObject({ body: Buffer.from('Body=Hi%21').toString('base64'), isBase64Encoded: true, cookies: ['a=1', 'b=2'] });
  expect(form.headers).not.toHaveProperty('cookie');
  expect(await echo('/in/text', { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json; charset=utf-8' } })).toMatchObject({
    body: '{"a":1}',
    isBase64Encoded: false,
  });
});

test('LA-13: repeated headers arrive joined with a comma', async () => {
  const text = await new Promise<string>((resolve) => {
    const sent = httpRequest(`${url}/in/x`, { headers: ['host', 'x', 'Sig', 'one', 'SIG', 'two'] }, (response) =>
      response.on('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    sent.end();
  });
  expect((JSON.parse(text) as Echo).headers.sig).toBe('one,two');
});

test('LR-10: the answer carries status, headers and every cookie on its own', async () => {
  const response = await fetch(`${url}/a/x`);
  expect([response.status, response.headers.get('content-type'), response.headers.getSetCookie(), await response.text()]).toEqual([201, 'text/html', ['a=1', 'b=2'], '<p>hi</p>']);
  const head = await fetch(`${url}/a/x`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([201, '']);
});

test.each([
  ['/nothing', 404, 'Not Found'],
  ['/a/throw', 500, 'Internal Server Error'],
  ['/a/bad', 500, 'Internal Server Error'],
  ['/closed', 500, 'Internal Server Error'],
])('LR-10: GET %s is answered %d as API Gateway does, without any detail', async (path, status, message) => {
  const response = await fetch(`${url}${path}`);
  expect([response.status, await response.json()]).toEqual([status, { message }]);
});

test('B-4: a function without a permission for the API is not invoked, and the log says why', async () => {
  await fetch(`${url}/closed`);
  expect(await logs(url, 'lambda:InvokeFunction')).toContain('apigateway.amazonaws.com');
});

test('LR-10: a route’s own throttle answers 429 beyond its burst, and lets requests in again later', async () => {
  const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await fetch(`${url}/busy`)).status));
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
  const refused = await Promise.all([1, 2, 3].map(async () => fetch(`${url}/busy`)));
  expect(await refused.find((response) => response.status === 429)?.json()).toEqual({ message: 'Too Many Requests' });
  await runtime.advance(10);
  expect((await fetch(`${url}/busy`)).status).toBe(201);
});

test('LA-12: 10 MB pass, one byte more is 413, and headers beyond 10,240 bytes are 431', async () => {
  const post = (bytes: number) => fetch(`${url}/a/x`, { method: 'POST', body: Buffer.alloc(bytes, 97), headers: { 'content-type': 'text/plain' } });
  const tooLarge = await post(10 * 1024 * 1024 + 1);
  expect([tooLarge.status, await tooLarge.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
  expect((await fetch(`${url}/a/${'x'.repeat(11_000)}`)).status).toBe(431);
  expect((await fetch(`${url}/a/x`, { headers: { long: 'x'.repeat(10_300) } })).status).toBe(431);
});

test('LR-10: the access log has the format of the template', async () => {
  await fetch(`${url}/a/throw`);
  expect(await logs(url, 'access')).toContain('access ANY /a/{proxy+} 500 secret detail');
});

test('A-6: the API’s address in the template is the runtime’s own', () => {
  expect(runtime.outputs.Url).toBe(runtime.urls.webhooks);
});

test('A-6: the clock can be read and advanced over HTTP; nonsense and other origins are refused', async () => {
  const time = (body?: string, headers = {}) => fetch(`${runtime.urls.console}time`, body === undefined ? {} : { method: 'POST', body, headers });
  const before = Date.parse(((await (await time()).json()) as { now: string }).now);
  const after = Date.parse(((await (await time('{"advanceSeconds": 300}')).json()) as { now: string }).now);
  expect(after - before).toBeGreaterThanOrEqual(300_000);
  for (const bad of ['', '{', '{"advanceSeconds": -1}', '{"advanceSeconds": "5"}', '{"advanceSeconds": 1e12}', 'null']) expect((await time(bad)).status).toBe(400);
  expect((await time('{"advanceSeconds": 1}', { origin: 'https://evil.example' })).status).toBe(403);
});

test('B-9: the form of the console moves the clock and leads back to the page; other sites cannot send it', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${runtime.urls.console}time`, { method: 'POST', body: new URLSearchParams({ advanceSeconds: '60' }), redirect: 'manual', headers });
  const before = runtime.now();
  const answer = await send({ origin: url });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/_baton/']);
  expect(runtime.now() - before).toBeGreaterThanOrEqual(60_000);
  expect((await send({ origin: 'null' })).status).toBe(403);
  expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
});

test('B-9: the log is a page for browsers and lines for everybody else, and both can be filtered', async () => {
  await fetch(`${url}/a/throw`);
  const asked = async (path: string, accept: string) => (await fetch(`${runtime.urls.console}${path}`, { headers: { accept } })).text();
  expect(await asked('logs?text=secret', 'text/html')).toMatch(/<span class="bad">Error: secret detail<\/span>/);
  expect(await asked('logs?text=secret&as=text', 'text/html')).toMatch(/^\d\d:\d\d:\d\d\.\d{3} pages +Error: secret detail/m);
  expect(await asked('logs?text=nowhere', '*/*')).toBe('\n');
});

test('B-9: the console lists functions with their last error, and escapes what they say', async () => {
  await fetch(`${url}/a/throw`);
  const page = await (await fetch(runtime.urls.console)).text();
  expect(page).toContain('secret detail');
  expect(page).toContain('ANY /a/{proxy+}');
  expect(await (await fetch(`${runtime.urls.console}nothing`)).text()).toContain('/_baton/mailbox');
});
