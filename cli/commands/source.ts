// baton source: sets up a source, tries it, and says whether the ones set up deliver.

import type { Command } from '../command.ts';
import { UsageError } from '../command.ts';
import { INSTALLATION_HELP } from '../installation.ts';
import { addSource } from './source-add.ts';
import { listSources } from './source-list.ts';
import { showRaw } from './source-raw.ts';
import { testSource } from './source-test.ts';

const HELP = `baton source list [--all] [--json]
baton source add PROVIDER [--name SITE] [--secret VALUE|-] [--rotate] [--only-newest] [--fetch-token VALUE|-]
baton source test PROVIDER [--name SITE]
baton source raw HANDOFF | SOURCE EVENT [--erase --by PERSON]

list   the sources that are set up: last delivery, last failure, what was turned away, and what to do about a failure
       that is newer than the last delivery
add    makes or stores the secret of a source, and says which address goes where in the provider's screens
test   sends a genuine sample, signed with the source's secret, and shows the packet it becomes; nothing is opened
raw    prints the deliveries behind a handoff, or behind one signal, as they came, with the headers that sign and name
       them: personal data, kept for 30 days and readable by whoever may read the bucket

  --name SITE      add, test: one of several sites of a provider, with an address, secrets, figures and start rules of
                   its own: PROVIDER--SITE
  --erase          raw: deletes them instead, now and for good, by your own right to delete in the bucket, and notes who
                   did and when; what Baton read from them stays. Saying it again changes nothing
  --by PERSON      raw --erase: who erases, by the id in the roster
  --all            list: also providers that are not set up
  --json           list: as JSON
  --secret VALUE   add: the secret that the provider shows; "-" reads it from standard input, so that no shell remembers it
  --rotate         add: a new secret beside the present ones, which all stay valid
  --only-newest    add: forget every secret but the newest, once the provider uses it
  --fetch-token V  add: the token with which answers are fetched that a delivery only names (Meta; with --name one of
                   the site's own, beside the one for all), or the bot token that speaks in Slack; the one before it
                   stays in use until --only-newest
${INSTALLATION_HELP}

Exit status: 0 done, 1 the sample was not taken in or nothing raw is or was there, 2 wrong usage, 3 something failed.`;

const ACTIONS = { add: addSource, test: testSource, list: listSources, raw: showRaw } as const;

export const source: Command = {
  name: 'source',
  summary: 'set up a source (forms, ads, phones), try it, see what it delivered',
  help: HELP,
  async run([action = '', ...rest], output) {
    if (!Object.hasOwn(ACTIONS, action)) throw new UsageError('say "source list", "source add PROVIDER", "source test PROVIDER" or "source raw HANDOFF".');
    return ACTIONS[action as keyof typeof ACTIONS](rest, output);
  },
};
