// Formspree: JSON without a signature, so the address itself carries a secret. The form of the body is not confirmed by a live
// delivery: the flat form of its API is read as well.

import { answersIn, readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import { isObject } from './stated-facts.ts';
import { readObject } from './stated-signal.ts';
import { pathToken } from './verify/static-token.ts';

export const formspree: Provider = {
  name: 'formspree',
  title: 'Formspree',
  secret: { from: 'baton', what: 'last part of the address' },
  setup: ['Form > Workflow (or Plugins) > Webhook: paste <url>/<secret>.'],
  contentTypes: ['application/json'],
  takesPath: true,
  verification: pathToken,
  read(delivery, receivedAt, locale) {
    const handshake = delivery.headers['x-hook-secret'];
    if (delivery.body.length === 0) return echo(handshake);
    return readObject(delivery, (event) => {
      const submission = isObject(event.submission) ? event.submission : event;
      const { form, keys: _keys } = event;
      const at = submission._date;
      const answers = answersIn(submission, ['form', 'keys']).filter(([name]) => !name.startsWith('_'));
      const context = [
        ['form', form],
        ['subject', submission._subject],
      ] as const;
      return readSubmission({ source: 'formspree', id: [form, at], at, answers, context }, delivery, receivedAt, locale);
    });
  },
  answer: received,
};

/** REST hooks are set up by echoing a header; a build hook has no body either. */
function echo(secret: string | undefined) {
  const answer = { status: 200, contentType: 'text/plain; charset=utf-8', body: '' };
  if (secret === undefined || !/^[\w.~+/=-]{1,200}$/.test(secret)) return { kind: 'ignored', because: 'empty delivery' } as const;
  return { kind: 'ignored', because: 'set-up of a hook', answer: { ...answer, headers: { 'x-hook-secret': secret } } } as const;
}
