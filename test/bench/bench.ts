// Figures, one JSON line each: { "figure", "value", "unit", … }. Never a pass or a fail on a time.
// `npm run bench -- bundles signatures resolver report local ministack` chooses parts; the last two print their ratio when both run.
// BENCH_HANDOFFS=10000 for the memory after many handoffs; BENCH_SIGNALS for the length of the load; BENCH_IMPORTS for the runs of a cold import.

import { spawnSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import type { Outputs } from '../../cli/installation.ts';
import { deployToMinistack } from '../support/deployed-baton.ts';
import type { RunningBaton } from '../support/running-baton.ts';
import { answerFigures } from './answer.ts';
import { bootFigures } from './boot.ts';
import { bundleFigures } from './bundles.ts';
import { costFigures, quotaFigures } from './cost.ts';
import { Driver, manyTimes, type Target } from './drive.ts';
import { type Print, rounded } from './figure.ts';
import { type Load, loadFigures } from './load.ts';
import { atRest, memoryFigure } from './memory.ts';
import { perHandoffFigures } from './per-handoff.ts';
import { reportFigures } from './report.ts';
import { resolverFigures } from './resolver.ts';
import { signatureFigures } from './signatures.ts';

const SIGNALS = Number(process.env.BENCH_SIGNALS ?? 200);
const HANDOFFS = Number(process.env.BENCH_HANDOFFS ?? 100);
const GOAL = 10;

const print: Print = (figure, value, unit, more = {}) => console.log(JSON.stringify({ figure, value, unit, ...more }));

const PARTS = ['bundles', 'signatures', 'resolver', 'report', 'local', 'ministack'] as const;
const chosen = new Set(process.argv.length > 2 ? process.argv.slice(2) : PARTS);
const unknown = [...chosen].filter((part) => !PARTS.some((known) => known === part));
if (unknown.length > 0) throw new Error(`there is no part ${unknown.join(', ')}; there are ${PARTS.join(', ')}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1)); // what it started ends with it

print('load-of-this-machine', rounded(loadavg()[0] ?? 0, 2), 'processes', { cores: availableParallelism(), node: process.version, at: 'the start' });
if (chosen.has('bundles')) await bundleFigures(print);
if (chosen.has('signatures')) signatureFigures(print);
if (chosen.has('resolver')) await resolverFigures(print);
if (chosen.has('report')) await reportFigures(print);
const here = chosen.has('local') ? await local() : undefined;
const there = chosen.has('ministack') ? await ministack() : undefined;
if (here !== undefined && there !== undefined) print('throughput-ratio', rounded(here.signalsPerSecond / there.signalsPerSecond), 'times MiniStack', { goal: GOAL });
print('load-of-this-machine', rounded(loadavg()[0] ?? 0, 2), 'processes', { at: 'the end' });

async function local(): Promise<Load> {
  const baton = await bootFigures(print);
  try {
    memoryFigure(print, baton, 'boot');
    const driver = await Driver.of(targetOf(baton));
    const usage = await perHandoffFigures(print, baton, driver);
    costFigures(print, usage);
    quotaFigures(print, usage);
    await answerFigures(print, baton, driver);
    const load = await loadFigures(print, 'local', driver, SIGNALS);
    await many(baton, driver);
    return load;
  } finally {
    await baton.stop();
  }
}

/** Takes in many more signals and answers each, for what stays in memory. */
async function many(baton: RunningBaton, driver: Driver): Promise<void> {
  const from = performance.now();
  for (let made = 0; made < HANDOFFS; made += 100) {
    const sent = await manyTimes(Math.min(100, HANDOFFS - made), 8, () => driver.send());
    const asked = await driver.untilAsked(
      sent.map(({ id }) => id),
      600,
    );
    await manyTimes(asked.length, 8, async (index) => {
      const handoff = asked[index];
      if (handoff !== undefined) await driver.accept(await driver.open(handoff));
    });
    if ((made / 100) % 10 === 9 && made + 100 < HANDOFFS) memoryFigure(print, baton, `${made + 100} handoffs`);
  }
  await baton.settled();
  print('handoffs', rounded(HANDOFFS / ((performance.now() - from) / 1000)), 'handoffs/s', { handoffs: HANDOFFS, path: 'signal, page, accepted, machine waits', target: 'local' });
  memoryFigure(print, baton, `${HANDOFFS} handoffs`);
  await atRest();
  memoryFigure(print, baton, `${HANDOFFS} handoffs, at rest`);
}

function targetOf({ urls, outputs }: RunningBaton): Target {
  const now = async () => Date.parse(((await (await fetch(new URL('/_baton/time', urls.console))).json()) as { now: string }).now);
  return { base: new URL(urls.console).origin, endpoint: urls.aws, outputs: outputs as Outputs, now };
}

async function ministack(): Promise<Load | undefined> {
  if (spawnSync('ministack', ['--help']).error !== undefined) {
    console.log(JSON.stringify({ figure: 'ministack', value: null, unit: 'not installed', because: 'pip install ministack==1.5.33 to compare' }));
    return undefined;
  }
  const deployed = await deployToMinistack();
  try {
    const { apiUrl: base, ministack: emulator, outputs } = deployed;
    const driver = await Driver.of({ base, endpoint: emulator.endpoint, outputs, now: async () => Date.now() });
    return await loadFigures(print, 'MiniStack', driver, SIGNALS);
  } finally {
    await deployed.stop();
  }
}
