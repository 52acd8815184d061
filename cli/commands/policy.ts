// baton policy: check the business's files, try them on what happened, put them in force, and take them back.

import { type Command, UsageError } from '../command.ts';
import { INSTALLATION_HELP } from '../installation.ts';
import { checkPolicy } from '../policy/check.ts';
import { showDiff } from '../policy/diff.ts';
import { rollBack, showHistory } from '../policy/history.ts';
import { publishPolicy } from '../policy/publish.ts';
import { replayPolicy } from '../policy/replay.ts';

const HELP = `baton policy check [FOLDER] [--map]
baton policy replay [FOLDER] [--limit N] [--json]
baton policy publish [FOLDER] --why TEXT [--by PERSON] [--evidence HANDOFF:RECEIPT,…]
baton policy rollback VERSION --why TEXT [--by PERSON] [--evidence HANDOFF:RECEIPT,…]
baton policy history [--json]
baton policy diff A B

check     the ownership audit of contracts/*.yaml, roster.yaml and calendars.yaml in FOLDER (default policy): every
          mistake with file, line, what was expected and the rule, and as warnings what is left to luck. Changes nothing.
replay    tries FOLDER on recorded handoffs, accepted ones first: who would be asked instead of whom, and why. It reads
          the whole table and changes nothing.
publish   checks, stores an immutable version and makes it the one in force. Open handoffs keep theirs.
rollback  puts an earlier publication (its number), or an earlier version of one contract, in force again.
history   every publication, newest first: who, when, why, on what evidence.
diff      what changes from A to B; each is a folder, "active", a number of the history, or a version of a contract.

  --map            check: also who answers for every decision and every wait
  --by PERSON      who answers for the change (default: the change owner of the contract)
  --why TEXT       one sentence for the history; needed when something changes
  --evidence LIST  receipts that the change rests on, such as rejections: h-…:5,h-…:7
  --limit N        replay: at most so many handoffs (default 500)
  --json           replay, history: as JSON
${INSTALLATION_HELP}

Exit status: 0 in order, 1 mistakes were found or somebody else was first, 2 wrong usage, 3 something failed.`;

const ACTIONS = { check: checkPolicy, replay: replayPolicy, publish: publishPolicy, rollback: rollBack, history: showHistory, diff: showDiff } as const;

export const policy: Command = {
  name: 'policy',
  summary: 'check, try, publish and take back the business policy',
  help: HELP,
  async run([action = '', ...rest], output) {
    if (!Object.hasOwn(ACTIONS, action)) throw new UsageError(`say one of ${Object.keys(ACTIONS).join(', ')}.`);
    return ACTIONS[action as keyof typeof ACTIONS](rest, output);
  },
};
