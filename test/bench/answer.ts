// What the POST of a yes asks of the table when it wins on the first try. Budget: one transaction, and reads of what the link names.

import type { RunningBaton } from '../support/running-baton.ts';
import type { Driver } from './drive.ts';
import { type Print, rounded } from './figure.ts';
import { countsOf, difference } from './per-handoff.ts';

const ANSWERS = 10;

export async function answerFigures(print: Print, baton: RunningBaton, driver: Driver): Promise<void> {
  const spent: Record<string, { requests: number; entries: number }> = {};
  for (let made = 0; made < ANSWERS; made++) {
    const { id } = await driver.send();
    await baton.settled();
    const [asked] = await driver.untilAsked([id], 60);
    if (asked === undefined) throw new Error(`${id} asks nobody`);
    const page = await driver.open(asked);
    const before = await countsOf(baton);
    await driver.accept(page);
    await baton.settled();
    const { requests, functions } = difference(before, await countsOf(baton));
    const name = functions.find(({ path }) => path.includes('AnswerOffer'))?.name;
    for (const { caller, service, operation, requests: count, entries } of requests.filter((one) => one.caller === name && one.caller !== undefined)) {
      const what = `${caller === name ? service : caller} ${operation}`;
      const sum = spent[what] ?? { requests: 0, entries: 0 };
      spent[what] = { requests: sum.requests + count, entries: sum.entries + entries };
    }
  }
  for (const [what, { requests, entries }] of Object.entries(spent))
    print('accept-post', rounded(requests / ANSWERS, 2), 'requests', { of: what, items: rounded(entries / ANSWERS, 2), answers: ANSWERS, budget: BUDGET[what] ?? 'none expected' });
}

const BUDGET: Readonly<Record<string, string>> = {
  'dynamodb TransactWriteItems': '1',
  'dynamodb GetItem': 'the link',
  'dynamodb BatchGetItem': 'what the link names: row and packet, and the person in the policy in force',
};
