import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RuntimeAgenda } from '../../infra/local/kernel/agenda.ts';
import { DueQueue } from '../../infra/local/kernel/due-queue.ts';
import { SteerableTime } from '../../infra/local/kernel/time.ts';
import { WorkUnderWay } from '../../infra/local/kernel/work.ts';

const entry = fc.record({ seconds: fc.integer({ min: 1, max: 5000 }), children: fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 2 }), cancelled: fc.boolean() });

test('LR-09: advancing runs everything due in order of due time, never early, children included, and nothing beyond the target', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 30 }), fc.integer({ min: 1, max: 6000 }), async (entries, advance) => {
      const time = new SteerableTime();
      const work = new WorkUnderWay();
      const agenda = new RuntimeAgenda({ time, work, onFault: () => {} });
      const start = time.now();
      const ran: { id: string; due: number; early: boolean }[] = [];
      const expected: string[] = [];
      const schedule = (id: string, due: number, children: number[], counted: boolean): void => {
        if (counted && due <= start + advance * 1000) {
          expected.push(id);
          for (const [at, seconds] of children.entries()) schedule(`${id}.${at}`, due + seconds * 1000, [], true);
        }
      };
      const plant = (id: string, due: number, children: number[]): void =>
        agenda.at(due, id, async () => {
          ran.push({ id, due, early: time.now() < due });
          for (const [at, seconds] of children.entries()) plant(`${id}.${at}`, due + seconds * 1000, []);
        });
      for (const [at, { seconds, children, cancelled }] of entries.entries()) {
        const id = `e${at}`;
        plant(id, start + seconds * 1000, children);
        if (cancelled) agenda.cancel(id);
        schedule(id, start + seconds * 1000, children, !cancelled);
      }
      await agenda.advance(advance);
      expect(ran.map(({ id }) => id).sort()).toEqual(expected.sort());
      expect(ran.filter(({ early }) => early)).toEqual([]);
      expect(ran.map(({ due }) => due)).toEqual(ran.map(({ due }) => due).sort((a, b) => a - b));
      expect(time.now()).toBeGreaterThanOrEqual(start + advance * 1000);
    }),
    { numRuns: 150 },
  );
});

test('LR-09: the queue gives back what a sorted list would, first come first served among equals', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ due: fc.integer({ min: 0, max: 20 }), remove: fc.boolean() }), { maxLength: 200 }), (plan) => {
      const queue = new DueQueue();
      for (const [at, { due }] of plan.entries()) queue.put({ dueAt: due, id: String(at), run: async () => {} });
      for (const [at, { remove }] of plan.entries()) if (remove) queue.remove(String(at));
      const kept = plan.map(({ due, remove }, at) => ({ due, remove, id: String(at) })).filter(({ remove }) => !remove);
      const expected = kept.toSorted((a, b) => a.due - b.due || Number(a.id) - Number(b.id)).map(({ id }) => id);
      const taken: string[] = [];
      for (let item = queue.takeDue(Number.POSITIVE_INFINITY); item; item = queue.takeDue(Number.POSITIVE_INFINITY)) taken.push(item.id);
      expect(taken).toEqual(expected);
      expect(queue.size).toBe(0);
    }),
  );
});
