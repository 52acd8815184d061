// Tokens with which Baton calls other systems, as people set them: one for all sites of a provider, or one for each.

import { FETCH_SECRETS_PREFIX } from '../shared/contracts/secret-names.ts';
import { sourceNamed } from '../shared/domain/source-name.ts';
import { UsageError } from './command.ts';
import { readValues, writeValues } from './source-secrets.ts';

type Called = { system: string; bySite: boolean; without: string };

/** Systems that Baton calls, by the provider that brings the token: whether a site may have its own, and what happens without one. */
const CALLED: Readonly<Record<string, Called>> = {
  'meta-leads': { system: 'meta', bySite: true, without: 'handoffs open with the reference of a lead, and a person looks it up' },
  slack: { system: 'slack', bySite: false, without: 'messages to Slack are refused, and e-mail and SMS go out' },
};

/** As many as a fetch tries: the newest, and the one that it replaces. */
const IN_USE = 2;

/** Keeps a token beside the one before it, which stays valid until it is forgotten, and says which are used. Nothing is said of a provider that takes none. */
export async function keepFetchToken(name: string, site: string | undefined, { token, onlyNewest }: { token: string | undefined; onlyNewest: boolean }): Promise<string[]> {
  const called = Object.hasOwn(CALLED, name) ? CALLED[name] : undefined;
  if (called === undefined && token === undefined) return [];
  if (called === undefined || token === '') throw new UsageError('only meta-leads and slack take such a token, and it is not empty.');
  if (site !== undefined && token !== undefined && !called.bySite) throw new UsageError(`${called.system} has one token, whatever the site: give it without --name.`);
  const id = `${FETCH_SECRETS_PREFIX}${called.system}`;
  const at = called.bySite ? site : undefined;
  const known = await readValues(id, at);
  const wanted = [...(token === undefined ? [] : [token]), ...known.filter((one) => one !== token)].slice(0, onlyNewest ? 1 : IN_USE);
  if (wanted.join('\n') !== known.join('\n')) await writeValues(id, wanted, `Token with which Baton calls ${called.system}.`, at);
  return [wanted.length > 0 ? using(called, wanted.length, sourceNamed(name, at)) : using(called, (await readValues(id)).length, `${name} itself`)];
}

function using({ system, without }: Called, count: number, whose: string): string {
  if (count === 0) return `No token stands for ${system} yet: ${without}. Give it with --fetch-token -.`;
  return `Calls ${system} with ${count === 1 ? 'the token' : 'the newer of two tokens, then the older one,'} of ${whose}.`;
}
