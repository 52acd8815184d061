// How much one Baton takes: signals a second from webhook to acceptance requested, and how long a yes takes. The same drive for every target.

import { type Driver, manyTimes, type Timed } from './drive.ts';
import { type Print, percentile, rounded } from './figure.ts';

export type Load = { signalsPerSecond: number };

const TOGETHER = 8;

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
  print('signals', rounded(signalsPerSecond, 2), 'signals/s', { ...more, from: 'webhook', to: 'acceptance requested', standstill: signals - asked.length });

  const answers: Timed[] = [];
  for (const handoff of asked.slice(0, Math.min(signals, 50))) answers.push(await driver.accept(await driver.open(handoff)));
  print('accept', quantiles(answers).p50, 'ms', { target, ...quantiles(answers), answers: answers.length });
  return { signalsPerSecond };
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
