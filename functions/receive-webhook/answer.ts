// What a sender hears, and a person who sets a form up reads in its log. No answer says which sources are set up here, and none is 404 or 410: providers switch a webhook off on those.

import type { Received } from './receive-webhook.ts';

export type Answer = { status: number; headers: Record<string, string>; body: string };

type Refused = Exclude<Received['kind'], 'received' | 'ignored' | 'set-up'>;

const UNPROVED = 'Not accepted. Either the address names no source, or the delivery is not signed with the key of that source: compare both with what "baton source add" printed.';

/**
 * 401 for an unknown source as for a bad signature, in the same words: nobody is told which exists. 400 for bytes that are not
 * what they claim; 422 for a readable body that states no lead. 503 for what passes by itself, with the time to come back.
 */
const REFUSALS: Readonly<Record<Refused, Answer>> = {
  'wrong-method': refusal(405, 'Only POST is answered here.', { allow: 'POST' }),
  'unnamed-source': refusal(400, 'Not accepted. The address names no source: send to /in/<source>, the address that "baton source add" printed.'),
  'unknown-source': refusal(401, UNPROVED),
  'wrong-content-type': refusal(415, 'This content type is not accepted here.'),
  'not-utf8': refusal(400, 'The body could not be read: it is not UTF-8.'),
  'no-secret': refusal(503, 'Not ready: "baton source add" has not been run for this address, or less than a minute ago. Please try again later.', { 'retry-after': '60' }),
  'bad-signature': refusal(401, UNPROVED),
  'wrong-time': refusal(401, 'Not accepted. The signature fits, but the time in it is too far from now: compare the clock of the sender with the Date of this answer.'),
  'empty-body': refusal(401, 'Not accepted. The body is empty, and nothing signs it: let the form send its fields.'),
  unreadable: refusal(400, 'The body could not be read: it is not what its content type says.'),
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
  const usual = inDetail(REFUSALS[received.kind], received);
  const instead = 'instead' in received ? received.instead : undefined;
  return instead === undefined || NEVER.has(instead) ? usual : { ...usual, status: instead };
}

/** Names of ours, or of fields that the sender wrote; what looks like more than a name is left out. */
const NAME = /^[\w.[\]-]{1,60}$/;
const MOST_NAMES = 5;

/** What would have been accepted. It is the same for everybody who runs Baton, or the sender has proved itself. */
function inDetail(usual: Answer, received: Received): Answer {
  if (received.kind === 'wrong-content-type') return { ...usual, body: `${usual.body} Send ${received.accepts.join(' or ')}, uncompressed.` };
  const names = received.kind === 'not-a-lead' ? received.paths.filter((path) => NAME.test(path)).slice(0, MOST_NAMES) : [];
  return names.length === 0 ? usual : { ...usual, body: `${usual.body} Look at ${names.join(', ')}.` };
}

function refusal(status: number, sentence: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: sentence };
}
