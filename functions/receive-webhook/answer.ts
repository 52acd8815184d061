// What a sender hears. No answer says more than its status does, and none is 404 or 410: providers switch a webhook off on those.

import type { Received } from './receive-webhook.ts';

export type Answer = { status: number; headers: Record<string, string>; body: string };

type Refused = Exclude<Received['kind'], 'received' | 'ignored' | 'set-up'>;

/**
 * 401 for an unknown source as for a bad signature: nobody is told which exists. 400 for bytes that are not what they
 * claim; 422 for a readable body that states no lead. 503 for what passes by itself, with the time to come back.
 */
const REFUSALS: Readonly<Record<Refused, Answer>> = {
  'wrong-method': refusal(405, 'Only POST is answered here.', { allow: 'POST' }),
  'unknown-source': refusal(401, 'The signature was not accepted.'),
  'wrong-content-type': refusal(415, 'This content type is not accepted here.'),
  'not-utf8': refusal(400, 'The body could not be read.'),
  'no-secret': refusal(503, 'Please try again later.', { 'retry-after': '60' }),
  'bad-signature': refusal(401, 'The signature was not accepted.'),
  unreadable: refusal(400, 'The body could not be read.'),
  'not-a-lead': refusal(422, 'The body states no lead.'),
  'too-large': refusal(413, 'The request is too large.'),
  'not-stored': refusal(503, 'Please try again later.', { 'retry-after': '10' }),
};

/** Statuses on which providers switch a webhook off (WH-17): no source may ask for them. */
const NEVER: ReadonlySet<number> = new Set([404, 410]);

export function answerTo(received: Received): Answer {
  if (received.kind === 'received' || received.kind === 'ignored' || received.kind === 'set-up') {
    const { status, contentType, body, headers } = received.answer;
    return { status, headers: { ...headers, 'content-type': contentType }, body };
  }
  const usual = REFUSALS[received.kind];
  const instead = 'instead' in received ? received.instead : undefined;
  return instead === undefined || NEVER.has(instead) ? usual : { ...usual, status: instead };
}

function refusal(status: number, sentence: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: sentence };
}
