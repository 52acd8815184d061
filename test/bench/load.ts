// How much one Baton takes: signals a second from webhook to acceptance requested, and how long a yes takes. The same drive for every target.

import { type Driver, manyTimes, type Timed } from './drive.ts';
import { type Print, percentile, rounded } from './figure.ts';
import { verificationOf } from './signatures.ts';

export type Load = { signalsPerSecond: number };

const TOGETHER = 8;
const ALONE = 40;

/** Sends signals, waits until each has asked somebody, then says yes to each, one after the other. */
export async function loadFigures(print: Print, target: string, driver: Driver, signals: number): Promise<Load> {
  await warmUp(driver);
  const from = performance.now();
  const sent = await manyTimes(signals, TOGETHER, () => driver.send());
  const intakeSeconds = (performance.now() - from) / 1000;
  const { asked, at } = await driver.untilNoneMoreIsAsked(sent.map(({ id }) => id));
  const signalsPerSecond = asked.length / ((at - from) / 1000);

  const more = { target, signals, together: TOGETHER };
  const sum = (of: 'throttled' | 'failed') => sent.reduce((total, one) => total + one[of], 0);
  print('intake', rounded(signals / intakeSeconds), 'requests/s', { ...more, ...quantiles(sent), throttled: sum('throttled'), failed: sum('failed') });
  await aloneFigures(print, target, driver);
  print('signals', rounded(signalsPerSecond, 2), 'signals/s', { ...more, from: 'webhook', to: 'acceptance requested', standstill: signals - asked.length });

  const answers: Timed[] = [];
  for (const handoff of asked.slice(0, Math.min(signals, 50))) answers.push(await driver.accept(await driver.open(handoff)));
  print('accept', quantiles(answers).p50, 'ms', { target, ...quantiles(answers), answers: answers.length });
  return { signalsPerSecond };
}

/** One delivery after another, so that nothing waits for anything: a request as its sender feels it, and how much of it is the check of the signature. */
async function aloneFigures(print: Print, target: string, driver: Driver): Promise<void> {
  const sent = await manyTimes(ALONE, 1, () => driver.send());
  const { p50, p99 } = quantiles(sent);
  await driver.untilNoneMoreIsAsked(sent.map(({ id }) => id));
  const { microseconds = Number.NaN } = verificationOf('website') ?? {};
  print('intake-alone', p50, 'ms', { target, deliveries: ALONE, p50, p99, from: 'request', to: '2xx' });
  print('signature-share', rounded(microseconds / 10 / p50, 3), '% of the p50', {
    target,
    provider: 'website',
    microseconds: rounded(microseconds),
    measured: 'in this process, many times in a row',
  });
}

/** As much at once as is measured later, so that functions have been started on every target. */
async function warmUp(driver: Driver): Promise<void> {
  const sent = await manyTimes(2 * TOGETHER, TOGETHER, () => driver.send());
  const { asked } = await driver.untilNoneMoreIsAsked(sent.map(({ id }) => id));
  for (const handoff of asked.slice(0, 2)) await driver.accept(await driver.open(handoff));
}

function quantiles(timings: readonly Timed[]): { p50: number; p99: number } {
  const milliseconds = timings.map((one) => one.milliseconds);
  return { p50: rounded(percentile(milliseconds, 50)), p99: rounded(percentile(milliseconds, 99)) };
}
