// What to do about deliveries that are turned away, in the words of whoever set the source up.

import type { DeliveryOutcome } from '../shared/domain/delivery-outcome.ts';
import { sourceParts } from '../shared/domain/source-name.ts';
import type { SourceRecord } from '../shared/ports/source-book.ts';
import { providerNamed } from '../shared/sources/registry.ts';

type About = { add: string; title: string; what: string; types: string; from: 'baton' | 'provider' };

const HINTS: Readonly<Record<DeliveryOutcome, (about: About) => string>> = {
  ignored: () => '',
  'unknown-source': () => 'somebody sends to an address that names no source: "baton source list --all" has the names',
  'wrong-content-type': ({ title, types }) => `what comes is not what ${title} sends: choose ${types} there, without compression`,
  'not-utf8': () => 'the body is not UTF-8: choose that encoding in the form',
  'no-secret': ({ add }) => `deliveries come and nothing is set up: ${add}`,
  'bad-signature': ({ title, what, from, add }) =>
    from === 'baton'
      ? `not signed with the secret that is active here: compare the ${what} in ${title} with what ${add} shows`
      : `not signed with the secret that is active here: give the ${what} of ${title} once more with ${add} --secret -`,
  'wrong-time': () => 'signed with the right secret at another time than now: the clock of the sender is wrong, or it sent an old delivery again',
  'empty-body': () => 'the body was empty: let the form send its fields',
  unreadable: () => 'the body is not what its content type says: broken JSON, or a form that was cut off',
  'not-a-lead': ({ add }) => `genuine, and without a field that is known here: name the fields as the steps of ${add} say`,
  'too-large': () => 'larger than 200 KB: leave attachments out of the form',
};

/** What the last failure means, as long as nothing came through since. Undefined when all is well. */
export function hintFor({ source, lastReceivedAt = '', lastRefusedAt, lastRefusedBecause }: SourceRecord): string | undefined {
  if (lastRefusedAt === undefined || lastRefusedBecause === undefined || lastRefusedAt < lastReceivedAt) return undefined;
  const parts = sourceParts(source);
  const provider = providerNamed(parts?.provider ?? '');
  const { title, secret, contentTypes } = provider ?? { title: source, secret: { from: 'baton' as const, what: 'secret' }, contentTypes: [] };
  const add = `"baton source add ${parts?.provider ?? source}${parts?.site === undefined ? '' : ` --name ${parts.site}`}"`;
  const hint = HINTS[lastRefusedBecause]({ add, title, what: secret.what, types: contentTypes.join(' or '), from: secret.from });
  return hint === '' ? undefined : `${source}: ${hint}.`;
}
