import type { IncomingMessage } from 'node:http';
import { readBody } from '../gateway/read-body.ts';
import type { RuntimeLog } from '../kernel/log.ts';
import { readable } from '../kernel/log.ts';
import type { Page } from '../pages/mailbox.ts';
import type { HttpResponse } from '../services/http-api/response.ts';
import { type Overview, renderOverview } from './overview.ts';

/** A year at once is enough to see anything that a person waits for. */
const LONGEST_ADVANCE = 366 * 24 * 3600;

export type ConsoleParts = {
  now: () => number;
  advance: (seconds: number) => Promise<void>;
  log: RuntimeLog;
  overview: () => Promise<Overview>;
  mailbox: (accept: string) => Page;
  counts: () => unknown;
};

/** The pages under `/_baton/`: what runs, the mailbox, the log, and the clock. */
export class Console {
  readonly #parts: ConsoleParts;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  async answer(request: IncomingMessage): Promise<HttpResponse> {
    const url = new URL(request.url ?? '/', 'http://local');
    const path = url.pathname.replace(/\/$/, '');
    const refusal = strangersRequest(request);
    if (refusal) return json(403, { message: refusal });
    switch (`${request.method === 'HEAD' ? 'GET' : request.method} ${path}`) {
      case 'GET /_baton':
        return html(renderOverview(await this.#parts.overview()));
      case 'GET /_baton/overview':
        return json(200, await this.#parts.overview());
      case 'GET /_baton/counts':
        return json(200, this.#parts.counts());
      case 'GET /_baton/time':
        return json(200, { now: this.#nowIso() });
      case 'POST /_baton/time':
        return this.#advance(await readBody(request, 10_000));
      case 'GET /_baton/logs':
        return text(
          this.#parts.log
            .lines(url.searchParams.get('handoff') ?? url.searchParams.get('text') ?? '')
            .map(readable)
            .join('\n'),
        );
      case 'GET /_baton/mailbox': {
        const page = this.#parts.mailbox(request.headers.accept ?? '');
        return { status: page.status, headers: Object.entries(page.headers), body: Buffer.from(page.body) };
      }
      default:
        return json(404, {
          message: `There is no ${request.method} ${url.pathname} (there are: GET /_baton/, /_baton/mailbox, /_baton/logs?handoff=, /_baton/overview, /_baton/counts, GET and POST /_baton/time)`,
        });
    }
  }

  async #advance(body: Buffer | undefined): Promise<HttpResponse> {
    const seconds = readSeconds(body);
    if (seconds === undefined) return json(400, { message: `Send {"advanceSeconds": n} with n between 0 and ${LONGEST_ADVANCE}.` });
    await this.#parts.advance(seconds);
    return json(200, { now: this.#nowIso() });
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
  return undefined;
}

function readSeconds(body: Buffer | undefined): number | undefined {
  try {
    const seconds: unknown = (JSON.parse(body?.toString('utf8') ?? '') as { advanceSeconds?: unknown } | null)?.advanceSeconds;
    return typeof seconds === 'number' && seconds >= 0 && seconds <= LONGEST_ADVANCE ? seconds : undefined;
  } catch {
    return undefined;
  }
}

const json = (status: number, value: unknown): HttpResponse => ({ status, headers: [['content-type', 'application/json']], body: Buffer.from(JSON.stringify(value)) });
const text = (body: string): HttpResponse => ({ status: 200, headers: [['content-type', 'text/plain; charset=utf-8']], body: Buffer.from(`${body}\n`) });
const html = (body: string): HttpResponse => ({
  status: 200,
  headers: [
    ['content-type', 'text/html; charset=utf-8'],
    ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
  ],
  body: Buffer.from(body),
});
