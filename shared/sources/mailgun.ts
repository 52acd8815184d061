// Mailgun: mail that arrives, as a form. Its signature covers a time and a token and not one word of the mail, so a token is good for one mail only.

import { createHmac } from 'node:crypto';
import { ContractError } from '../contracts/contract-error.ts';
import type { Delivery, Reading } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import { mediaTypeOf, readForm, readMultipart, textIn } from './read-form.ts';
import { readJson } from './read-json.ts';
import { textOf } from './stated-facts.ts';
import { addressIn, headersFrom, type MailHeaders, mailDate, readMail } from './stated-reply.ts';
import type { Field } from './stated-signal.ts';
import { millisecondsOf } from './verify/raw-hmac.ts';
import { sameText } from './verify/same-text.ts';

const TOLERANCE_MS = 120_000;
const FORM = 'application/x-www-form-urlencoded';

export const mailgun: Provider = {
  name: 'mailgun',
  title: 'Mailgun',
  secret: { from: 'provider', what: 'HTTP webhook signing key' },
  setup: ['Receive > Create route: match your reply address, Forward to <url>.', 'Settings > API security: copy the HTTP webhook signing key.'],
  contentTypes: [FORM, 'multipart/form-data'],
  verification: {
    verify(delivery, secrets, now) {
      const fields = fieldsIn(delivery) ?? [];
      const [timestamp = '', token = '', signature = ''] = ['timestamp', 'token', 'signature'].map((name) => textIn(fields, name));
      const at = millisecondsOf(timestamp, 'seconds');
      if (at === undefined || Math.abs(Date.parse(now) - at) > TOLERANCE_MS || !/^[0-9a-z]{20,100}$/i.test(token)) return false;
      if (!secrets.some((secret) => secret !== '' && sameText(signature, signatureOf(secret, timestamp, token)))) return false;
      return isUnspent(token, `${textIn(fields, 'Message-Id')}\n${textIn(fields, 'recipient')}`, Date.parse(now));
    },
    sign(delivery, secret, now) {
      const form = new URLSearchParams(new TextDecoder().decode(delivery.body));
      const timestamp = String(Math.floor(Date.parse(now) / 1000));
      const token = createHmac('sha256', secret).update(now).digest('hex').slice(0, 50);
      for (const [name, value] of Object.entries({ timestamp, token, signature: signatureOf(secret, timestamp, token) })) form.set(name, value);
      return { ...delivery, body: new TextEncoder().encode(form.toString()) };
    },
  },
  read(delivery, receivedAt, { country }) {
    const fields = fieldsIn(delivery);
    return fields === undefined ? { kind: 'unreadable' } : readFields(fields, receivedAt, country);
  },
  answer: received,
};

const fieldsIn = (delivery: Delivery): Field[] | undefined => (mediaTypeOf(delivery) === FORM ? readForm(delivery) : readMultipart(delivery));

const signatureOf = (secret: string, timestamp: string, token: string): string =>
  createHmac('sha256', secret)
    .update(timestamp + token)
    .digest('hex');

/** Tokens of the last minutes and the mail each came with, in this instance. The same mail again is a retry; another mail with it is a forgery. */
const SPENT = new Map<string, { mail: string; until: number }>();
const MOST_TOKENS = 10_000;

function isUnspent(token: string, mail: string, now: number): boolean {
  for (const [known, { until }] of SPENT) if (until < now) SPENT.delete(known);
  const spent = SPENT.get(token);
  if (spent !== undefined) return spent.mail === mail;
  if (SPENT.size < MOST_TOKENS) SPENT.set(token, { mail, until: now + 2 * TOLERANCE_MS });
  return true;
}

function readFields(fields: readonly Field[], receivedAt: string, country: string): Reading {
  const of = (name: string) => textIn(fields, name);
  const recipient = of('recipient');
  const messageId = of('Message-Id');
  if (recipient === undefined || messageId === undefined) throw new ContractError('the mail', ['recipient', 'Message-Id']);
  const headers = headersOf(of('message-headers'));
  return readMail(
    {
      occurrence: { source: 'mailgun', id: [messageId, addressIn(recipient)], at: mailDate(of('Date')), receivedAt },
      from: of('from') ?? of('sender') ?? '',
      envelopeFrom: of('X-Envelope-From') ?? of('sender'),
      recipient,
      messageId,
      subject: of('subject'),
      words: of('stripped-text') ?? of('body-plain'),
      headers,
      isGenuine: [headers.get('x-mailgun-spf'), headers.get('x-mailgun-dkim-check-result')].some((verdict) => verdict?.toLowerCase() === 'pass'),
    },
    country,
  );
}

/** A JSON list of pairs. */
function headersOf(text: string | undefined): MailHeaders {
  const list = readJson(text ?? '[]');
  return headersFrom((Array.isArray(list) ? list : []).flatMap((pair): [string, string][] => (Array.isArray(pair) ? [[textOf(pair[0]) ?? '', textOf(pair[1]) ?? '']] : [])));
}
