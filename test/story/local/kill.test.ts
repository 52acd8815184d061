import { afterEach, expect, test } from 'vitest';
import { MortalBaton } from '../../support/mortal-baton.ts';
import { waitingMessages } from '../../support/queues.ts';
import { Baton, samplePolicy } from '../../support/story.ts';
import { copies, endings, type Post, post, runningWorkflows, sheet, twentyHandoffs, unaccounted } from '../../support/twenty-handoffs.ts';

const KILLS = 50;
/** `BATON_SEED=<n>` chooses the same moments again; what happens in them is the machine's choice. */
const SEED = Number(process.env.BATON_SEED ?? Math.floor(Math.random() * 2 ** 31));

let batons: MortalBaton[] = [];
afterEach(async () => {
  await Promise.all(batons.map((baton) => baton.end()));
  batons = [];
});

async function begun(): Promise<MortalBaton> {
  const baton = await MortalBaton.start();
  batons.push(baton);
  return baton;
}

async function outcome(mortal: MortalBaton, kills: number) {
  const hands = { stage: mortal.stage(), persist: <T>(attempt: () => Promise<T>) => mortal.persist(attempt) };
  const baton = new Baton(hands.stage, samplePolicy());
  const steps = twentyHandoffs(baton, hands);
  const random = numbers(SEED);
  const killed: Record<string, number> = {};
  for (const [at, { name, run }] of steps.entries()) {
    const share = Math.floor((kills * (at + 1)) / steps.length) - Math.floor((kills * at) / steps.length);
    const before = mortal.kills;
    const work = run().then(() => {
      killed[name] = mortal.kills - before;
    });
    await Promise.all([work, mortal.dieAndLive(share, random)]);
  }
  await hands.stage.advance(20 * 60);
  await hands.stage.idle();
  return {
    killed,
    ends: await endings(baton),
    post: await post(hands, baton),
    copies: await copies(hands),
    sheet: await sheet(baton),
    running: await runningWorkflows(baton),
    queues: await waitingMessages(hands.stage.urls.console),
  };
}

test('B-3: twenty handoffs end as they would have, whatever moments fifty kills choose', { timeout: 1_200_000 }, async () => {
  console.info(`kill seed ${SEED}`);
  const undisturbed = await begun();
  const expected = await outcome(undisturbed, 0);
  expect(await undisturbed.end()).toBe(0);
  const mortal = await begun();
  const actual = await outcome(mortal, KILLS);

  const { atWork, whileBooting, boots, databasesAtMost } = mortal.figures;
  const sorted = boots.toSorted((a, b) => a - b);
  console.info(
    `${atWork + whileBooting} kills, ${whileBooting} while booting; while there was something to do: ${JSON.stringify(actual.killed)}; boot ${Math.round(sorted[0] ?? 0)} to ${Math.round(sorted.at(-1) ?? 0)} ms, median ${Math.round(sorted[sorted.length >> 1] ?? 0)} ms; ${actual.copies.filter((count) => count > 1).length} of ${actual.copies.length} messages went out twice`,
  );
  expect(actual.ends).toEqual(expected.ends);
  expect(actual.ends.map((end) => end.acceptances)).toEqual(actual.ends.map(() => 1));
  expect(expected.post.flatMap(({ leftOut }) => leftOut)).toEqual([]);
  expect(actual.post.flatMap((one, at) => unaccounted(one, expected.post[at] as Post))).toEqual([]);
  expect(Math.max(...actual.copies)).toBeLessThanOrEqual(2);
  expect(expected.copies).toEqual(expected.copies.map(() => 1));
  expect(actual.sheet).toEqual(expected.sheet);
  expect(actual.sheet).toMatchObject({ received: 20, unexplained: 0 });
  expect(actual.running).toBe(expected.running);
  expect(actual.queues).toEqual([]);
  expect(databasesAtMost).toBe(1);
  expect(await mortal.end()).toBe(0);
});

test('MS-05: a message is missed unless it was left out for a good reason, and so is one that nobody expected', () => {
  const easy: Post = { messages: ['offer.accepted:5:email', 'offer.accepted:5:sms'], leftOut: [], came: ['email', 'sms'] };
  const unknown = { channel: 'sms', because: 'refused: outcome unknown after 2 attempts' };
  expect(unaccounted(easy, easy)).toEqual([]);
  expect(unaccounted({ ...easy, leftOut: [unknown] }, easy)).toEqual([]);
  expect(unaccounted({ ...easy, leftOut: [unknown], came: ['email'] }, easy)).toEqual([]);
  expect(unaccounted({ ...easy, came: ['email'] }, easy)).toEqual(['0 of 1 by sms, 0 left out']);
  expect(unaccounted({ ...easy, leftOut: [{ channel: 'sms', because: 'undefined: undefined' }], came: ['email'] }, easy)).toEqual(['by sms undefined: undefined']);
  expect(unaccounted({ ...easy, came: ['email', 'sms', 'sms'] }, easy)).toEqual(['2 of 1 by sms, 0 left out']);
  expect(unaccounted({ ...easy, messages: [] }, easy)).toHaveLength(1);
});

test('B-3: once a story has failed and ended its Baton, nothing kills, starts or waits for it behind its back', { timeout: 120_000 }, async () => {
  const mortal = await begun();
  const dying = mortal.dieAndLive(1000, numbers(SEED));
  const waiting = mortal.persist(() => Promise.reject(new Error('fetch failed')));
  const failed = expect(waiting).rejects.toThrow('has ended for good');
  expect(await mortal.end()).toBe(0);
  await Promise.all([dying, failed]);
  const { boots } = mortal.figures;
  await mortal.dieAndLive(3, numbers(SEED));
  expect(mortal.figures.boots).toHaveLength(boots.length);
});

/** Numbers from 0 to 1, the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
