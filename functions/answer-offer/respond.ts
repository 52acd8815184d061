// HTTP around the use case: which address and method mean what, and which answers a browser may trust.

import { parseAnswer, readForm } from '../../shared/contracts/answer-form.ts';
import { type Language, type Wording, wordingFor } from '../../shared/domain/wording/wording.ts';
import { type AnswerOfferDeps, answerOffer, type OpenedLink, openLink, receiptFor } from './answer-offer.ts';
import { refusalPage, standingPage } from './pages/page.tsx';
import type { View } from './pages/view.ts';
import { ANSWERS, standing } from './standing.ts';
import { problemsOfPromise, wishFrom } from './wish.ts';

export type PageRequest = { method: string; rawPath: string; headers: Readonly<Record<string, string>>; rawBody: Uint8Array };
export type PageReply = { status: number; headers: Record<string, string>; body: string };

export type RespondDeps = AnswerOfferDeps & {
  /** Counts who opened a page: a machine or a person. Neither is evidence of anything (O-03). */
  opened: (by: 'machine' | 'person', link: OpenedLink) => void;
};

/** Links hang below the root of their host; nothing in a request decides where a form or a redirect goes (LK-20). */
const BASE = '/a/';
const ADDRESS = /^\/a\/([^/]+)(\/receipt)?\/?$/;
const KEYS = '/.well-known/baton-keys.json';
const FORM_LIMIT_BYTES = 32 * 1024;
/** Programs that follow links on behalf of somebody: scanners, previews, command lines. */
const MACHINE = /bot\b|crawl|spider|preview|scan|headless|safelinks|externalhit|whatsapp|slack|telegram|curl|wget|python|okhttp|go-http|node/i;

/** Answers every request for a link, its receipt or the public keys. Only the POST of a page's own form changes anything (O-03). */
export async function respond(deps: RespondDeps, request: PageRequest): Promise<PageReply> {
  const reply = await route(deps, request);
  return request.method === 'HEAD' ? { ...reply, body: '' } : reply;
}

async function route(deps: RespondDeps, request: PageRequest): Promise<PageReply> {
  if (request.rawPath === KEYS) return reads(request) ? keySet(deps) : notAllowed(request, 'GET, HEAD');
  const [, text = '', receipt] = ADDRESS.exec(request.rawPath) ?? [];
  if (text === '') return refusal(request, 404, 'notFound');
  if (receipt !== undefined) return reads(request) ? signedReceipt(deps, request, text) : notAllowed(request, 'GET, HEAD');
  if (reads(request)) return shown(deps, request, text);
  return request.method === 'POST' ? answered(deps, request, text) : notAllowed(request, 'GET, HEAD, POST');
}

const reads = ({ method }: PageRequest): boolean => method === 'GET' || method === 'HEAD';

async function shown(deps: RespondDeps, request: PageRequest, text: string): Promise<PageReply> {
  const link = await openLink(deps, text);
  if (link === undefined) return refusal(request, 404, 'notFound');
  deps.opened(isMachine(request) ? 'machine' : 'person', link);
  return page(deps, 200, link);
}

function isMachine({ method, headers }: PageRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  return method === 'HEAD' || agent === '' || MACHINE.test(agent);
}

async function answered(deps: RespondDeps, request: PageRequest, text: string): Promise<PageReply> {
  if (request.headers['sec-fetch-site'] === 'cross-site') return refusal(request, 403, 'crossSite');
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return refusal(request, 415, 'broken');
  if (request.rawBody.length > FORM_LIMIT_BYTES) return refusal(request, 413, 'broken');
  const form = readForm(request.rawBody);
  if (form.kind === 'broken') return refusal(request, 400, 'broken');

  const link = await openLink(deps, text);
  if (link === undefined) return refusal(request, 404, 'notFound');
  const { fields } = form;
  const typed = { action: fields.action ?? '', fields };
  if (!(await deps.seal.fitsPage(fields.page ?? '', link.link.id, link.now))) return untrusted(deps, link, typed);
  return carriedOut(deps, link, typed);
}

/** A form from elsewhere or from long ago writes nothing. When it asks for what is decided anyway, the page simply shows that (LK-15). */
async function untrusted(deps: RespondDeps, link: OpenedLink, typed: { action: string; fields: Readonly<Record<string, string>> }): Promise<PageReply> {
  const stands = standing(link.handoff, link.link, link.policy, link.now);
  if (!ANSWERS[stands.kind].includes(typed.action)) return seeOther(link);
  return page(deps, 403, link, { typed: { ...typed, problems: [] }, notice: wordingFor(link.person.speaks).refusal.staleNonce });
}

const seeOther = ({ link }: OpenedLink): PageReply => ({
  status: 303,
  headers: { ...PROTECTED, location: `${BASE}${link.id}`, 'content-type': 'text/plain; charset=utf-8' },
  body: '',
});

async function carriedOut(deps: RespondDeps, link: OpenedLink, typed: { action: string; fields: Readonly<Record<string, string>> }): Promise<PageReply> {
  const wording: Wording = wordingFor(link.person.speaks);
  const parsed = parseAnswer(typed.fields);
  const wished = parsed.kind === 'wrong' ? parsed : wishFrom(parsed.form, link.person.zone);
  if (wished.kind === 'wrong') {
    const more = parsed.kind === 'wrong' ? problemsOfPromise(typed.fields, link.person.zone) : [];
    return page(deps, 422, link, { typed: { ...typed, problems: [...wished.problems, ...more] } });
  }
  const outcome = await answerOffer(deps, link, wished.wish);
  switch (outcome.kind) {
    case 'wrong':
      return page(deps, 422, link, { typed: { ...typed, problems: outcome.problems } });
    case 'facts-changed':
      return page(deps, 409, outcome.opened, { typed: { ...typed, problems: [] }, notice: wording.offer.changed });
    case 'settled':
      return seeOther(link);
  }
}

async function page(deps: RespondDeps, status: number, link: OpenedLink, more: Pick<View, 'typed' | 'notice'> = {}): Promise<PageReply> {
  const view: View = {
    opened: link,
    standing: standing(link.handoff, link.link, link.policy, link.now),
    wording: wordingFor(link.person.speaks),
    path: `${BASE}${link.link.id}`,
    nonce: await deps.seal.stampPage(link.link.id, link.now),
    ...more,
  };
  return html(status, (styleNonce) => standingPage(view, styleNonce));
}

async function signedReceipt(deps: RespondDeps, request: PageRequest, text: string): Promise<PageReply> {
  const link = await openLink(deps, text);
  const jws = link === undefined ? undefined : await receiptFor(deps, link);
  if (link === undefined || jws === undefined) return refusal(request, 404, 'notFound');
  const disposition = `attachment; filename="acceptance-${link.handoff.id}.jws"`;
  return { status: 200, headers: { ...PROTECTED, 'content-type': 'application/jose', 'content-disposition': disposition }, body: jws };
}

async function keySet(deps: RespondDeps): Promise<PageReply> {
  return {
    status: 200,
    headers: { ...PROTECTED, 'content-type': 'application/jwk-set+json', 'access-control-allow-origin': '*' },
    body: JSON.stringify(await deps.seal.publicKeys()),
  };
}

const notAllowed = (request: PageRequest, allow: string): PageReply => {
  const reply = refusal(request, 405, 'method');
  return { ...reply, headers: { ...reply.headers, allow } };
};

const refusal = (request: PageRequest, status: number, kind: Parameters<typeof refusalPage>[1]): PageReply =>
  html(status, (styleNonce) => refusalPage(languageOf(request), kind, styleNonce));

/** Whose language is not known reads what their browser asks for first. */
const languageOf = ({ headers }: PageRequest): Language => (/^\s*es\b/i.test(headers['accept-language'] ?? '') ? 'es' : 'en');

/** On every answer (LK-17, LK-18, LK-21). */
const PROTECTED = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

function html(status: number, draw: (styleNonce: string) => string): PageReply {
  const styleNonce = crypto.randomUUID().replaceAll('-', '');
  const policy = `default-src 'none'; style-src 'nonce-${styleNonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
  return { status, headers: { ...PROTECTED, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }, body: draw(styleNonce) };
}
