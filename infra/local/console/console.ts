import type { IncomingMessage } from 'node:http';
import { readBody } from '../gateway/read-body.ts';
import type { RuntimeLog } from '../kernel/log.ts';
import { readable } from '../kernel/log.ts';
import type { Page } from '../pages/mailbox.ts';
import type { HttpResponse } from '../services/http-api/response.ts';
import type { SeenMessage } from '../services/sqs/messages.ts';
import { readAdvance } from './advance-request.ts';
import { renderExecution } from './execution-page.ts';
import type { SeenExecution } from './executions.ts';
import { renderLog } from './log-page.ts';
import { type Overview, renderOverview } from './overview.ts';
import { renderQueue } from './queue-page.ts';

export type ConsoleParts = {
  now: () => number;
  advance: (seconds: number) => Promise<void>;
  log: RuntimeLog;
  overview: () => Promise<Overview>;
  execution: (name: string) => Promise<SeenExecution | undefined>;
  queue: (name: string) => SeenMessage[] | undefined;
  mailbox: (accept: string) => Page;
  counts: () => unknown;
};

/** `name` is what the path names, unescaped. */
type Asked = { request: IncomingMessage; url: URL; name: string };
type Answer = (asked: Asked) => HttpResponse | Promise<HttpResponse>;

/** The pages under `/_baton/`: what runs, the mailbox, the log, and the clock. */
export class Console {
  readonly #parts: ConsoleParts;
  readonly #pages: Readonly<Record<string, Answer>>;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#pages = {
      'GET /_baton': async () => html(renderOverview(await parts.overview())),
      'GET /_baton/overview': async () => json(200, await parts.overview()),
      'GET /_baton/executions/{name}': ({ name }) => this.#execution(name),
      'GET /_baton/queues/{name}': ({ name }) => this.#queue(name),
      'GET /_baton/logs': ({ request, url }) => this.#logs(request, url),
      'GET /_baton/mailbox': ({ request }) => this.#mailbox(request),
      'GET /_baton/counts': () => json(200, parts.counts()),
      'GET /_baton/time': () => json(200, { now: this.#nowIso() }),
      'POST /_baton/time': ({ request }) => this.#advance(request),
    };
  }

  async answer(request: IncomingMessage): Promise<HttpResponse> {
    const refusal = strangersRequest(request);
    if (refusal) return json(403, { message: refusal });
    const url = new URL(request.url ?? '/', 'http://local');
    const [, first = '', second] = /^\/_baton(?:\/([^/]*))?(?:\/([^/]+))?\/?$/.exec(url.pathname) ?? [undefined, '?'];
    const path = `/_baton${first === '' ? '' : `/${first}`}${second === undefined ? '' : '/{name}'}`;
    const answer = this.#pages[`${request.method === 'HEAD' ? 'GET' : request.method} ${path}`];
    if (answer) return answer({ request, url, name: unescaped(second ?? '') });
    return json(404, { message: `There is no ${request.method} ${url.pathname} (there are: ${Object.keys(this.#pages).join(', ')})` });
  }

  async #execution(name: string): Promise<HttpResponse> {
    const execution = await this.#parts.execution(name);
    return execution ? html(renderExecution(execution, this.#nowIso())) : json(404, { message: `There is no execution ${name}` });
  }

  #queue(name: string): HttpResponse {
    const messages = this.#parts.queue(name);
    return messages ? html(renderQueue(name, messages, this.#nowIso())) : json(404, { message: `There is no queue ${name}` });
  }

  /** Browsers get a page; everybody else, and who asks `as=text`, gets lines. */
  #logs(request: IncomingMessage, url: URL): HttpResponse {
    const wanted = url.searchParams.get('handoff') ?? url.searchParams.get('text') ?? '';
    const lines = this.#parts.log.lines(wanted);
    if (wantsHtml(request) && url.searchParams.get('as') !== 'text') return html(renderLog(lines, wanted));
    return text(lines.map(readable).join('\n'));
  }

  #mailbox(request: IncomingMessage): HttpResponse {
    const page = this.#parts.mailbox(request.headers.accept ?? '');
    return { status: page.status, headers: Object.entries(page.headers), body: Buffer.from(page.body) };
  }

  async #advance(request: IncomingMessage): Promise<HttpResponse> {
    const asked = readAdvance(await readBody(request, 10_000), request.headers['content-type'] ?? '');
    if (asked.kind === 'refused') return json(400, { message: asked.message });
    await this.#parts.advance(asked.seconds);
    return asked.fromPage ? { status: 303, headers: [['location', '/_baton/']], body: Buffer.alloc(0) } : json(200, { now: this.#nowIso() });
  }

  #nowIso(): string {
    return new Date(this.#parts.now()).toISOString();
  }
}

/** A page of some other site, open in the same browser, must not steer the clock or read the mailbox. */
function strangersRequest(request: IncomingMessage): string | undefined {
  const { origin, host = '' } = request.headers;
  const name = host.replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(name)) return `The console answers on 127.0.0.1 only, not as ${name}.`;
  if (origin !== undefined && origin !== `http://${host}`) return `The console does not take requests from ${origin}.`;
  if (request.method === 'POST' && ['cross-site', 'same-site'].includes(String(request.headers['sec-fetch-site']))) return 'The console does not take requests from other sites.';
  return undefined;
}

const wantsHtml = (request: IncomingMessage): boolean => (request.headers.accept ?? '').includes('text/html');

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const json = (status: number, value: unknown): HttpResponse => ({ status, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify(value)) });
const text = (body: string): HttpResponse => ({ status: 200, headers: [['content-type', 'text/plain; charset=utf-8']], body: Buffer.from(`${body}\n`) });
const html = (body: string): HttpResponse => ({
  status: 200,
  headers: [
    ['content-type', 'text/html; charset=utf-8'],
    ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"],
    ['cache-control', 'no-store'],
    // With none at all, browsers would send the clock's form without its origin.
    ['referrer-policy', 'same-origin'],
    ['x-content-type-options', 'nosniff'],
  ],
  body: Buffer.from(body),
});
