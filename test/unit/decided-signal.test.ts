import { expect, test } from 'vitest';
import { decidedSignal } from '../../cli/decided-signal.ts';
import type { RecordedSignal, SignalStanding } from '../../shared/ports/signal-log.ts';
import { aSignal } from '../support/builders.ts';

/** A Baton whose rule matches from this moment on: what was sent before is lost. */
function deployed({ matchesAfter, decides = true }: { matchesAfter: number; decides?: boolean }) {
  const state = { waited: 0, sent: [0] };
  const standing: SignalStanding = decides ? { kind: 'ignored', because: 'test delivery of the provider' } : { kind: 'received' };
  const find = async (): Promise<RecordedSignal | undefined> => (state.sent.some((at) => at >= matchesAfter) ? { signal: aSignal(), standing } : undefined);
  const sendAgain = async () => void state.sent.push(state.waited);
  const pause = async (milliseconds: number) => {
    state.waited += milliseconds;
  };
  return { state, watch: { find, sendAgain, pause } };
}

test('EB-12: a rule that matches at once is proved by one delivery', async () => {
  const { state, watch } = deployed({ matchesAfter: 0 });
  expect(await decidedSignal(watch)).toMatchObject({ standing: { kind: 'ignored' } });
  expect(state).toEqual({ waited: 0, sent: [0] });
});

test('EB-12: what was sent before the rule matched is sent again, until it is recorded', async () => {
  const { state, watch } = deployed({ matchesAfter: 20_000 });
  expect(await decidedSignal(watch)).toMatchObject({ standing: { kind: 'ignored' } });
  expect(state.sent).toEqual([0, 15_000, 30_000]);
});

test('EB-12: after a minute without a row the answer is no, and what is recorded but not decided is not sent again', async () => {
  const never = deployed({ matchesAfter: Number.POSITIVE_INFINITY });
  expect(await decidedSignal(never.watch)).toBeUndefined();
  expect(never.state).toEqual({ waited: 60_000, sent: [0, 15_000, 30_000, 45_000] });
  const stuck = deployed({ matchesAfter: 0, decides: false });
  expect(await decidedSignal(stuck.watch)).toBeUndefined();
  expect(stuck.state).toEqual({ waited: 60_000, sent: [0] });
});
