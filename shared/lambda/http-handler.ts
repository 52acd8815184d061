// The frame around a function that answers HTTP (API Gateway payload v2). Order matters (LA-15): error handler, headers, size cap, raw bytes; the use case verifies, then parses.

import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ContractError } from '../contracts/contract-error.ts';
import { HttpRefusal, type HttpRequest, readRequest } from './http-request.ts';
import { logger } from './logger.ts';

export type HttpResponse = { status: number; headers?: Record<string, string>; body?: string; cookies?: readonly string[] };

/** On every answer, also on errors; a handler may set stricter or different values except for the first, which is fixed (no answer of Baton is ever cached). */
const ALWAYS = { 'cache-control': 'no-store' };
const DEFAULTS: Readonly<Record<string, string>> = {
  'content-type': 'text/plain; charset=utf-8',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
};

/** Names of faults that pass by themselves; the sender is told to come back. */
const PASSING = /Throttl|Timeout|TooManyRequests|ProvisionedThroughput|ServiceUnavailable|InternalServer|EventsNotPublished|LimitExceeded|ECONN|EPIPE/;

/** What a person or program hears of a fault instead of the usual sentence, where that would be taken for an answer. */
export type FaultSentences = Readonly<Partial<Record<500 | 503, string>>>;

/**
 * Makes an HTTP function of a use case. Bodies over 256 KB are answered 413 before they are read, a body that claims to be
 * base64 and is not 400. `ContractError` is 400; a fault is 503 when it passes by itself and 500 otherwise. No detail leaves.
 */
export function httpHandler(respond: (request: HttpRequest) => Promise<HttpResponse>, faults: FaultSentences = {}) {
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
    .onError((request) => {
      const status = statusOf(request.error);
      if (status >= 500) logger.error('request-failed', 'A request could not be answered', request.error, { status });
      const sentences: Readonly<Record<number, string>> = { ...SENTENCES, ...faults };
      request.response = render({ status, body: sentences[status] ?? 'Something went wrong.', ...(status === 503 && { headers: { 'retry-after': '5' } }) });
    })
    .handler(async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => render(await respond(readRequest(event))));
}

const SENTENCES: Readonly<Record<number, string>> = {
  400: 'The request could not be read.',
  413: 'The request is too large.',
  500: 'Something went wrong. It has been noted.',
  503: 'Please try again in a moment.',
};

function statusOf(error: unknown): number {
  if (error instanceof HttpRefusal) return error.status;
  if (error instanceof ContractError) return 400;
  return error instanceof Error && PASSING.test(error.name) ? 503 : 500;
}

function render({ status, headers, body, cookies }: HttpResponse): APIGatewayProxyStructuredResultV2 {
  const lower = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    statusCode: status,
    headers: { ...DEFAULTS, ...lower, ...ALWAYS },
    body: body ?? '',
    isBase64Encoded: false,
    ...(cookies !== undefined && { cookies: [...cookies] }),
  };
}
