// LinkedIn Lead Sync: a delivery names a lead. Access is granted by LinkedIn for approved uses only, and its own page documents no
// signature: confirm on a live delivery. The answers are not fetched; the reference opens a handoff with what is known.

import { createHmac } from 'node:crypto';
import type { SetUpRequest, SourceAnswer } from '../ports/signal-source.ts';
import { type Provider, received } from './provider.ts';
import { textOf } from './stated-facts.ts';
import { ignored, instantIn, one, readObject, restOf, signalOf } from './stated-signal.ts';
import { bodyHmac } from './verify/raw-hmac.ts';

export const linkedin: Provider = {
  name: 'linkedin',
  title: 'LinkedIn Lead Sync',
  secret: { from: 'provider', what: "the app's client secret" },
  setup: ['Subscribe by API (leadNotifications) with webhook <url>; LinkedIn checks it at once and every two hours.'],
  contentTypes: ['application/json'],
  verification: bodyHmac({ header: 'x-li-signature', encoding: 'hex', front: 'hmacsha256=' }),
  setUp: answerChallenge,
  read: (delivery, receivedAt, { country }) =>
    readObject(delivery, (event) => {
      const { leadGenFormResponse: response, leadAction: action } = event;
      if (event.type !== 'LEAD_ACTION') return ignored('not about a lead');
      const at = instantIn('milliseconds', event.occurredAt);
      const notALead = action === 'DELETED' ? 'erasure request of the provider' : undefined;
      const signal = signalOf({ source: 'linkedin', id: [response, action], kind: 'form.submitted', at, receivedAt, notALead }, restOf(event, ['type', 'occurredAt']), country);
      return one({ ...signal, reference: { system: 'linkedin', id: (textOf(response) ?? '').slice(0, 500) } });
    }),
  answer: received,
};

/** The challenge with its HMAC under the client secret; the newest secret answers while one is replaced. */
function answerChallenge({ method, url }: SetUpRequest, [secret]: readonly string[]): SourceAnswer | undefined {
  const challengeCode = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '').get('challengeCode');
  if (method !== 'GET' || challengeCode === null || secret === undefined || !/^[\w-]{1,200}$/.test(challengeCode)) return undefined;
  const challengeResponse = createHmac('sha256', secret).update(challengeCode).digest('hex');
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ challengeCode, challengeResponse }) };
}
