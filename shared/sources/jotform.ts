// Jotform: multipart without any signature, so the address itself carries a secret. The answers are JSON inside one part.

import { ContractError } from '../contracts/contract-error.ts';
import { answersIn, readSubmission } from './form-signal.ts';
import { type Provider, received } from './provider.ts';
import { readMultipart, textIn } from './read-form.ts';
import { type JsonObject, type JsonValue, readJson } from './read-json.ts';
import { isObject, textOf } from './stated-facts.ts';
import type { Field } from './stated-signal.ts';
import { pathToken } from './verify/static-token.ts';

/** What Jotform adds to the answers about the page and the browser. */
const INTERNAL = [
  'slug',
  'jsExecutionTracker',
  'submitSource',
  'buildDate',
  'uploadServerUrl',
  'eventObserver',
  'timeToSubmit',
  'preview',
  'path',
  'event_id',
  'validatedNewRequiredFieldIDs',
];

/** The body repeats the whole address with its secret in `webhookURL`; only the parts named here are read, so it goes no further. */
export const jotform: Provider = {
  name: 'jotform',
  title: 'Jotform',
  secret: { from: 'baton', what: 'last part of the address' },
  setup: ['Form > Settings > Integrations > Webhooks: paste <url>/<secret>.'],
  contentTypes: ['multipart/form-data'],
  takesPath: true,
  verification: pathToken,
  read(delivery, receivedAt, locale) {
    const parts = readMultipart(delivery);
    if (parts === undefined) return { kind: 'unreadable' };
    const request = readJson(textIn(parts, 'rawRequest') ?? '{}');
    if (request === undefined) return { kind: 'unreadable' };
    const [formId, submissionId] = [textIn(parts, 'formID'), textIn(parts, 'submissionID')];
    if (!isObject(request) || textOf(submissionId) === undefined) throw new ContractError('the submission', ['submissionID', 'rawRequest']);
    const context: Field[] = [
      ['title', textIn(parts, 'formTitle')],
      ['id', formId],
      ['ip', textIn(parts, 'ip')],
      ['path', request.path],
    ];
    return readSubmission({ source: 'jotform', id: [formId, submissionId], answers: answersOf(request), context }, delivery, receivedAt, locale);
  },
  answer: received,
};

const answersOf = (request: JsonObject): Field[] => answersIn(request, INTERNAL).map(([name, value]) => [name, composed(value)]);

/** Names and numbers come in pieces; anything else with pieces stays as it was sent. */
function composed(value: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(value)) return value;
  const { prefix, first, middle, last, suffix, full, area, phone, ...rest } = value;
  if (Object.keys(rest).length > 0) return value;
  if (first !== undefined || last !== undefined) return joined([prefix, first, middle, last, suffix]);
  return full ?? (phone === undefined ? value : joined([area, phone]));
}

const joined = (parts: readonly (JsonValue | undefined)[]): string => parts.flatMap((part) => textOf(part)?.trim() ?? []).join(' ');
