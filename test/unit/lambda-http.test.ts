import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { NOT_SURE } from '../../functions/answer-offer/not-sure.ts';
import { ContractError } from '../../shared/contracts/contract-error.ts';
import { type HttpResponse, httpHandler } from '../../shared/lambda/http-handler.ts';
import { type HttpRequest, MAX_BODY_BYTES } from '../../shared/lambda/http-request.ts';
import { capturedLog } from '../support/captured-log.ts';

const CONTEXT = {} as Context;

/** A request as API Gateway hands it over (payload v2). */
const anEvent = (more: Partial<APIGatewayProxyEventV2> = {}): APIGatewayProxyEventV2 => ({
  version: '2.0',
  routeKey: 'POST /in/{source}',
  rawPath: '/in/website',
  rawQueryString: '',
  headers: { host: 'go.example.com', 'content-type': 'application/json' },
  isBase64Encoded: false,
  requestContext: {
    accountId: '0',
    apiId: 'a',
    domainName: 'go.example.com',
    domainPrefix: 'go',
    http: { method: 'POST', path: '/in/website', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
    requestId: 'r-1',
    routeKey: 'POST /in/{source}',
    stage: '$default',
    time: '02/Mar/2026:16:00:00 +0000',
    timeEpoch: 0,
  },
  ...more,
});

async function answer(respond: (request: HttpRequest) => Promise<HttpResponse>, event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  return httpHandler(respond)(event, CONTEXT);
}
const seen = async (event: APIGatewayProxyEventV2): Promise<HttpRequest> => {
  let request: HttpRequest | undefined;
  await answer(async (one) => {
    request = one;
    return { status: 200 };
  }, event);
  if (request === undefined) throw new Error('the use case was not asked');
  return request;
};
const throwing = (error: Error) => async () => {
  throw error;
};

const logged = capturedLog();

describe('requests', () => {
  test('LA-13: path, query and repeated values come as they were sent', async () => {
    expect(await seen(anEvent({ rawPath: '/a/AB%20C', rawQueryString: 't=a&t=b' }))).toMatchObject({
      method: 'POST',
      rawPath: '/a/AB%20C',
      rawQueryString: 't=a&t=b',
      origin: 'https://go.example.com',
    });
  });

  test('WH: the body comes as the very bytes, from text or from base64', async () => {
    const bytes = Buffer.from('{"name":"Ñandú","x":"\r\n"}');
    expect((await seen(anEvent({ body: bytes.toString('utf8') }))).rawBody).toEqual(bytes);
    expect((await seen(anEvent({ body: bytes.toString('base64'), isBase64Encoded: true }))).rawBody).toEqual(bytes);
    expect((await seen(anEvent({ body: Buffer.from([0xff, 0xfe, 0x00]).toString('base64'), isBase64Encoded: true }))).rawBody).toEqual(Buffer.from([0xff, 0xfe, 0x00]));
  });

  test('a request without body, headers or cookies is read as empty ones', async () => {
    const { body: _body, cookies: _cookies, ...bare } = anEvent({ headers: {} });
    expect(await seen(bare)).toMatchObject({ rawBody: Buffer.alloc(0), headers: {}, cookies: [] });
  });

  test('LA-12: 256 KB are read, one byte more is 413 and nobody is asked', async () => {
    expect((await seen(anEvent({ body: 'x'.repeat(MAX_BODY_BYTES) }))).rawBody).toHaveLength(MAX_BODY_BYTES);
    const never = throwing(new Error('the use case was asked'));
    expect((await answer(never, anEvent({ body: 'x'.repeat(MAX_BODY_BYTES + 1) }))).statusCode).toBe(413);
    expect((await answer(never, anEvent({ body: 'é'.repeat(MAX_BODY_BYTES / 2 + 1) }))).statusCode).toBe(413);
    expect((await answer(never, anEvent({ body: Buffer.alloc(MAX_BODY_BYTES + 1).toString('base64'), isBase64Encoded: true }))).statusCode).toBe(413);
  });

  test.each(['not base64!', 'YQ', 'YQ=', '====', 'Y Q=='])('LA-15: a body that says it is base64 and is not (%s) is 400', async (body) => {
    expect((await answer(throwing(new Error('asked')), anEvent({ body, isBase64Encoded: true }))).statusCode).toBe(400);
  });
});

describe('answers', () => {
  const ok = (response: HttpResponse) => answer(async () => response, anEvent());

  test.each([200, 303, 404, 409])('LK: %i is never cached, whatever the use case says, and carries the security headers', async (status) => {
    const { headers } = await ok({ status, headers: { 'Cache-Control': 'public, max-age=9' } });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' });
    expect(headers?.['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).not.toHaveProperty('Cache-Control');
  });

  test('a use case may set its own policy and type', async () => {
    expect((await ok({ status: 200, headers: { 'content-security-policy': "default-src 'self'", 'Content-Type': 'text/html' } })).headers).toMatchObject({
      'content-security-policy': "default-src 'self'",
      'content-type': 'text/html',
    });
  });
});

describe('errors', () => {
  test('bad input is 400 with one sentence and no detail', async () => {
    const { statusCode, body } = await answer(throwing(new ContractError('the form', ['contact.email'])), anEvent());
    expect([statusCode, body]).toEqual([400, 'The request could not be read.']);
    expect(logged()).toEqual([]);
  });

  test('LA-15: a fault is 500, logged, and its words and stack stay inside', async () => {
    const { statusCode, body, headers } = await answer(throwing(new Error('secret detail')), anEvent());
    expect(statusCode).toBe(500);
    expect(body).not.toMatch(/secret|Error| at /);
    expect(headers?.['cache-control']).toBe('no-store');
    expect(logged()).toHaveLength(1);
    expect(logged()[0]).toContain('request-failed');
  });

  test.each(['ThrottlingException', 'TimeoutError', 'EventsNotPublished', 'ProvisionedThroughputExceededException'])(
    '%s passes by itself: 503, and when to come back',
    async (name) => {
      const { statusCode, headers } = await answer(throwing(Object.assign(new Error('busy'), { name })), anEvent());
      expect([statusCode, headers?.['retry-after']]).toEqual([503, '5']);
    },
  );

  test('OP-05: whoever says yes while the table is away hears that it was not recorded, and to look again; it is no page and no answer', async () => {
    for (const name of ['TimeoutError', 'TypeError']) {
      const fault = Object.assign(new Error('connect ECONNREFUSED'), { name });
      const { statusCode, body = '' } = (await httpHandler(throwing(fault), NOT_SURE)(anEvent({}), CONTEXT)) as { statusCode: number; body?: string };
      expect(statusCode).toBe(name === 'TimeoutError' ? 503 : 500);
      expect(body).toContain('your answer was probably not recorded');
      expect(body).toContain('es probable que su respuesta no se haya guardado');
      expect(body).not.toMatch(/has been noted|ECONNREFUSED/);
    }
  });

  test('PI-02, LK-19: a logged fault holds no address, number, token or link', async () => {
    await answer(throwing(new Error(`no mail to ada@example.com or +1 503 555 0100 with /a/ABCDEFGH234 and ${'AQC'.repeat(40)}`)), anEvent());
    expect(logged().join()).not.toMatch(/ada@|555 0100|ABCDEFGH|AQCAQC/);
  });
});
