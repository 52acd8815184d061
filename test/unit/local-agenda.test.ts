import { expect, test } from 'vitest';
import { RuntimeAgenda } from '../../infra/local/kernel/agenda.ts';
import { SteerableTime } from '../../infra/local/kernel/time.ts';
import { WorkUnderWay } from '../../infra/local/kernel/work.ts';

const MINUTE = 60_000;

function runtime() {
  const time = new SteerableTime();
  const work = new WorkUnderWay();
  const faults: string[] = [];
  return { time, work, faults, agenda: new RuntimeAgenda({ time, work, onFault: (id) => faults.push(id) }) };
}

test('LR-09: a five-minute wait is over as soon as the clock is advanced past it, not before', async () => {
  const { time, agenda } = runtime();
  const ran: number[] = [];
  const due = time.now() + 5 * MINUTE;
  agenda.at(due, 'time-out', async () => void ran.push(time.now()));
  await agenda.advance(299);
  expect(ran).toEqual([]);
  await agenda.advance(2);
  expect(ran).toHaveLength(1);
  expect(ran[0]).toBeGreaterThanOrEqual(due);
});

test('LR-08: something due in an hour fires once when 61 minutes are advanced', async () => {
  const { time, agenda } = runtime();
  let fired = 0;
  agenda.at(time.now() + 60 * MINUTE, 'once', async () => {
    fired += 1;
  });
  await agenda.advance(61 * 60);
  await agenda.advance(61 * 60);
  expect(fired).toBe(1);
});

test('LR-09: advancing answers only when work caused by due work is done too', async () => {
  const { time, work, agenda } = runtime();
  const done: string[] = [];
  agenda.at(time.now() + MINUTE, 'first', async () => {
    void work.track('caused', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      agenda.at(time.now() + MINUTE, 'second', async () => void done.push('second'));
      done.push('caused');
    });
  });
  await agenda.advance(180);
  expect(done).toEqual(['caused', 'second']);
});

test('LR-09: time never runs backwards, and a jump into the past changes nothing', () => {
  const time = new SteerableTime(5000);
  const before = time.now();
  time.jumpTo(before - 10_000);
  expect(time.now()).toBeGreaterThanOrEqual(before);
});

test('LR-09: an entry scheduled again replaces the earlier one, and a cancelled one never runs', async () => {
  const { time, agenda } = runtime();
  const ran: string[] = [];
  agenda.at(time.now() + MINUTE, 'a', async () => void ran.push('old'));
  agenda.at(time.now() + 2 * MINUTE, 'a', async () => void ran.push('new'));
  agenda.at(time.now() + MINUTE, 'b', async () => void ran.push('cancelled'));
  agenda.cancel('b');
  await agenda.advance(600);
  expect(ran).toEqual(['new']);
});

test('LR-09: work that throws is reported and does not stop the clock', async () => {
  const { time, faults, agenda } = runtime();
  let ran = false;
  agenda.at(time.now() + MINUTE, 'bad', async () => {
    throw new Error('broken');
  });
  agenda.at(time.now() + 2 * MINUTE, 'good', async () => {
    ran = true;
  });
  await agenda.advance(600);
  expect(faults).toEqual(['bad']);
  expect(ran).toBe(true);
});

test('LR-09: in real time what is already due runs at once after the start, and nothing runs before it', async () => {
  const { time, agenda } = runtime();
  const ran = new Promise<void>((resolve) => agenda.at(time.now() - 1, 'due', async () => resolve()));
  expect(agenda.size).toBe(1);
  agenda.start();
  await ran;
  agenda.stop();
});
