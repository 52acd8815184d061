// The other half of "works here means works there": the same stories, from one description, on the local runtime and on
// the same app deployed by the real CDK into an independent emulator.

import { globSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pointAt } from '../../cli/installation.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyPress } from '../../shared/adapters/dynamodb-policy-press.ts';
import { verifyAcceptance } from '../../shared/adapters/jose-acceptance.ts';
import { type DeployedBaton, deployToMinistack, MovesTime } from '../support/deployed-baton.ts';
import { aRoofInspection } from '../support/leads.ts';
import { Baton, bootBaton, collectStories, type Story, samplePolicy } from '../support/story.ts';
import { DIFFERENCES, type Outcome, type Row, rowOf, tableOf, verdict } from './differences.ts';

let local: Baton;
let deployed: DeployedBaton;
let elsewhere: Baton;
const rows: Row[] = [];

/** Files of stories, each with its own: a file's stories share one Baton, as they do in test/story. */
const files: { file: string; stories: Story[] }[] = [];
for (const file of globSync('*.test.ts', { cwd: 'test/story' }).sort())
  files.push({ file, stories: await collectStories(() => import(`../story/${file.replace('.test.ts', '')}.test.ts`)) });
const stories = files.flatMap((one) => one.stories);

beforeAll(async () => {
  deployed = await deployToMinistack();
  elsewhere = new Baton(deployed, samplePolicy());
}, 600_000);

afterAll(async () => {
  await deployed?.stop();
  if (rows.length > 0) console.log(tableOf(rows));
});

it('a signal sent to the deployed intake is accepted on the deployed page, and its receipt verifies offline', async () => {
  pointAt(deployed.urls.aws);
  const id = await elsewhere.givenSignal(aRoofInspection());
  const [primary] = await elsewhere.candidates(id);
  const message = await elsewhere.thenMessageTo(primary, { about: id });
  const page = await elsewhere.whenAccepted(message);

  expect(page.status, page.text).toBe(200);
  await elsewhere.thenOwner(id, primary);
  const [acceptance] = await dynamodbHandoffStore(elsewhere.table).acceptances(id);
  const keys = (await (await fetch(new URL('/.well-known/baton-keys.json', deployed.urls.webhooks))).json()) as Parameters<typeof verifyAcceptance>[1];
  expect(await verifyAcceptance(acceptance?.jws ?? '', keys)).toMatchObject({ kind: 'valid', payload: { handoffId: id } });
});

it('stories were found, and no known difference is about a story that does not exist', () => {
  expect(stories.length).toBeGreaterThan(10);
  const names = new Set(stories.map(({ name }) => name));
  expect(Object.keys(DIFFERENCES).filter((name) => !names.has(name))).toEqual([]);
});

describe.each(files)('$file', ({ stories: ofFile }) => {
  beforeAll(async () => {
    local = await bootBaton();
    pointAt(deployed.urls.aws);
    await deployed.startOver();
    await dynamodbPolicyPress(elsewhere.table).publish(samplePolicy(), 'dana', new Date().toISOString());
  });
  afterAll(async () => {
    await local.runtime.stop?.();
  });

  it.each(ofFile)('$name', async ({ name, tell }) => {
    const known = DIFFERENCES[name];
    const here: Outcome = movesTime(tell) ? { kind: 'moves-time' } : await told(() => tell(notMoving(local)), local);
    const there = here.kind === 'moves-time' ? here : await told(() => tell(elsewhere), elsewhere);
    rows.push(rowOf(name, here, there, known));
    const judged = verdict(here, there, known);
    if (judged.kind === 'fails') throw new Error(judged.because, { cause: judged.fault });
  });
});

/** Tells a story to one Baton. What it leaves behind is finished before the next one begins. */
async function told(tell: () => Promise<void>, baton: Baton): Promise<Outcome> {
  pointAt(baton.runtime.urls.aws);
  try {
    await tell();
    return { kind: 'told' };
  } catch (fault) {
    return fault instanceof MovesTime ? { kind: 'moves-time' } : { kind: 'differs', fault };
  } finally {
    await baton.runtime.idle();
  }
}

/** Plain to see from the words of most stories that need the clock; the others say so when they come to it. */
const movesTime = (tell: (baton: Baton) => Promise<void>) => String(tell).includes('.fastForward(');

/** The local Baton without its clock: a story that needs it is not told here but in test/story. */
function notMoving({ runtime, policy }: Baton): Baton {
  const advance = async (seconds: number) => {
    throw new MovesTime(`this story moves time by ${seconds} s`);
  };
  return new Baton({ ...runtime, advance }, policy);
}
