import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sentenceOf } from '../../../cli/reload-on-change.ts';
import { watchFolders } from '../../../infra/local/watch.ts';

let folder: string;
let stop = () => {};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-watch-'));
  mkdirSync(join(folder, 'deep'));
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A watch whose calls can be awaited and held up. */
function watched() {
  const calls: { begun: PromiseWithResolvers<void>; end: PromiseWithResolvers<void> }[] = Array.from({ length: 5 }, () => ({
    begun: Promise.withResolvers<void>(),
    end: Promise.withResolvers<void>(),
  }));
  let count = 0;
  stop = watchFolders({ folders: [folder], quietMilliseconds: 20 }, () => {
    const call = calls[count];
    count += 1;
    call?.begun.resolve();
    return call?.end.promise ?? Promise.resolve();
  });
  return { calls, count: () => count };
}

test('B-9: a change in any depth is noticed, several at once are one, and one that comes meanwhile is taken afterwards', async () => {
  const { calls, count } = watched();
  writeFileSync(join(folder, 'a.ts'), '1');
  writeFileSync(join(folder, 'deep', 'b.ts'), '1');
  await calls[0]?.begun.promise;
  writeFileSync(join(folder, 'deep', 'c.ts'), '1');
  expect(count()).toBe(1);
  calls[0]?.end.resolve();
  await calls[1]?.begun.promise;
  expect(count()).toBe(2);
  calls[1]?.end.resolve();
});

test('B-9: files that editors keep beside the one they change are no changes', async () => {
  const { calls, count } = watched();
  for (const name of ['.a.ts.swp', 'a.ts~', '4913', '.#a.ts', 'a.ts.tmp']) writeFileSync(join(folder, name), '1');
  writeFileSync(join(folder, 'a.ts'), '1');
  await calls[0]?.begun.promise;
  expect(count()).toBe(1);
});

test.each([
  [{ functions: [], machines: [], restart: [] }, ''],
  [{ functions: ['Baton/AnswerOffer/Function/Resource', 'Baton/Notify/Function/Resource'], machines: [], restart: [] }, 'Reloaded in 1.2 s: AnswerOffer, Notify'],
  [
    { functions: [], machines: ['Baton/HandoffWorkflow/Resource'], restart: ['Things (Baton/Things/Resource)', 'Outputs'] },
    'Reloaded in 1.2 s: HandoffWorkflow (executions under way keep their definition)\nRestart to apply: Things (Baton/Things/Resource), Outputs',
  ],
])('B-9: what a reload did is one line for what runs and one for what takes a restart', (reloaded, sentence) => {
  expect(sentenceOf(reloaded, 1230)).toBe(sentence);
});
