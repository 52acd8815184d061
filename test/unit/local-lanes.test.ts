import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterWorkingTime } from '../../infra/local/kernel/working-time.ts';
import { Lanes } from '../../infra/local/services/lambda-lanes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when told. */
function held() {
  let end = (): void => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => done, end };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

test('B-8: no more run at once than there are lanes, and the rest follow in the order they came', async () => {
  const lanes = new Lanes(2);
  const begun: number[] = [];
  const works = Array.from({ length: 5 }, () => held());
  const all = works.map((work, n) =>
    lanes.run('somebody-waits', () => {
      begun.push(n);
      return work.run();
    }),
  );
  await settle();
  expect({ begun, running: lanes.running, waiting: lanes.waiting }).toEqual({ begun: [0, 1], running: 2, waiting: 3 });
  works[1]?.end();
  await settle();
  expect(begun).toEqual([0, 1, 2]);
  for (const work of works) work.end();
  await Promise.all(all);
  expect({ begun, running: lanes.running, waiting: lanes.waiting }).toEqual({ begun: [0, 1, 2, 3, 4], running: 0, waiting: 0 });
});

test('B-8: whoever waits for an answer goes before the background, which still gets every third turn', async () => {
  const lanes = new Lanes(1);
  const begun: string[] = [];
  const first = held();
  const runs = [lanes.run('background', first.run)];
  for (let n = 0; n < 6; n += 1) {
    runs.push(lanes.run('background', async () => void begun.push('background')));
    runs.push(lanes.run('somebody-waits', async () => void begun.push('waits')));
  }
  first.end();
  await Promise.all(runs);
  expect(begun.slice(0, 6)).toEqual(['background', 'waits', 'waits', 'background', 'waits', 'waits']);
  expect(begun.filter((one) => one === 'background')).toHaveLength(6);
});

test('B-8: a function that waits for a function that waits for its lane cannot hold everything up', async () => {
  const lanes = new Lanes(2);
  const nested = (depth: number): Promise<number> => lanes.run('somebody-waits', async () => (depth === 0 ? 0 : 1 + (await nested(depth - 1))));
  const answer = nested(5);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await answer).toBe(5);
  expect({ running: lanes.running, waiting: lanes.waiting }).toEqual({ running: 0, waiting: 0 });
});

test('B-8: work that throws gives its lane back', async () => {
  const lanes = new Lanes(1);
  await expect(lanes.run('background', () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
  expect(await lanes.run('background', async () => 'next')).toBe('next');
});

test('LA-03: a time-out counts the time in which this process could work; a machine that stood still did not use it up', async () => {
  const over = vi.fn();
  afterWorkingTime(1000, over);
  await vi.advanceTimersByTimeAsync(900);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(99);
  expect(over).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(over).toHaveBeenCalledOnce();
});

test('LA-03: a time-out that was called off never comes', async () => {
  const over = vi.fn();
  const inTime = afterWorkingTime(1000, over);
  await vi.advanceTimersByTimeAsync(990);
  inTime();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(over).not.toHaveBeenCalled();
});
