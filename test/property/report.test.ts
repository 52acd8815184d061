import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balance } from '../../shared/domain/balance.ts';
import { type Handoff, lastMovedAt, QUEUE_STATE } from '../../shared/domain/handoff.ts';
import { attentionAt, nextStep } from '../../shared/domain/next-step.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import { classify } from '../../shared/domain/report.ts';
import { later } from '../support/builders.ts';
import { live, lives, RUNS, SEED } from './random-lives.ts';

const GRACE = 300;

/**
 * In order, said the other way round: the clock of five minutes ago knows of nothing that should have happened, and
 * whoever is waited for now is a person who said yes or is being asked.
 */
function inOrder(handoff: Handoff, policy: Policy, now: string): boolean {
  if (QUEUE_STATE[handoff.state] === 'waiting') return Date.parse(now) - Date.parse(lastMovedAt(handoff)) < GRACE * 1000;
  // A reminder that is late leaves nobody without an owner: only the end of the window does.
  if (QUEUE_STATE[handoff.state] === 'offered') return ['await', 'remind'].includes(nextStep(handoff, policy, later(now, -GRACE)).kind);
  const exception = handoff.exceptions.find((one) => one.resolvedAt === undefined);
  if (exception !== undefined) return exception.acceptedAt !== undefined && (exception.reviewAt ?? now) > now;
  if (handoff.state !== 'accepted') return true;
  const step = nextStep(handoff, policy, now);
  return handoff.overdue === undefined && step.kind === 'await';
}

describe(`the report, seed ${SEED}`, () => {
  const looks = fc.record({ life: lives, wait: fc.constantFrom(0, 1, 299, 300, 301, 3600, 86_400) });

  test('M-02: the report is what is open minus what is in order', () => {
    fc.assert(
      fc.property(looks, ({ life: { policy, script, missing }, wait }) => {
        for (const { handoff, at } of live(policy, script, missing).moments) {
          const now = later(at, wait);
          expect(classify(handoff, now, GRACE) === undefined, `${handoff.state} after ${wait}s`).toBe(inOrder(handoff, policy, now));
        }
      }),
      RUNS,
    );
  });

  test('M-05: whatever is listed is found by its attention time, so the index misses nothing', () => {
    fc.assert(
      fc.property(looks, ({ life: { policy, script, missing }, wait }) => {
        for (const { handoff, at } of live(policy, script, missing).moments) {
          const now = later(at, wait);
          if (classify(handoff, now, GRACE) !== undefined) expect((attentionAt(handoff) ?? 'never') <= now).toBe(true);
        }
      }),
      RUNS,
    );
  });

  test('M-03: the sheet balances for any mixture of fates, and a lost one is the difference', () => {
    const fates = fc.constantFrom(
      'ignored' as const,
      'linked' as const,
      'waiting' as const,
      'offered' as const,
      'accepted' as const,
      'exception' as const,
      'closed' as const,
      'undecided' as const,
    );
    fc.assert(
      fc.property(fc.array(fates), fc.nat(3), (all, lost) => {
        const counted = (fate: (typeof all)[number]) => all.filter((one) => one === fate).length;
        const counts = {
          ...{ ignored: counted('ignored'), linked: counted('linked'), waiting: counted('waiting'), offered: counted('offered') },
          ...{ accepted: counted('accepted'), exception: counted('exception'), closed: counted('closed'), received: all.length + lost },
        };
        expect(balance(counts, counted('undecided'))).toMatchObject({ unexplained: lost, open: counted('waiting') + counted('offered') });
      }),
      RUNS,
    );
  });
});
