import { SESv2Client } from '@aws-sdk/client-sesv2';
import { expect, test } from 'vitest';
import { pacedSend } from '../../shared/adapters/paced-send.ts';
import { sesv2EmailSender } from '../../shared/adapters/sesv2-email-sender.ts';
import type { Sent } from '../../shared/ports/message-sender.ts';

/** Time that passes only while everybody sleeps, and a provider that takes so many a second. */
function morning(aSecond: number) {
  let now = 0;
  let seed = 7;
  const sleepers: { until: number; wake: () => void }[] = [];
  const taken = new Map<number, number>();
  const provider = async (): Promise<Sent> => {
    const second = Math.floor(now / 1000);
    const count = taken.get(second) ?? 0;
    if (count >= aSecond) return { kind: 'not-taken', because: 'TooManyRequestsException' };
    taken.set(second, count + 1);
    return { kind: 'sent', providerId: `m-${second}-${count}` };
  };
  const pause = (milliseconds: number) => new Promise<void>((wake) => void sleepers.push({ until: now + milliseconds, wake }));
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const sleepOn = async () => {
    for (;;) {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      sleepers.sort((one, other) => other.until - one.until);
      const next = sleepers.pop();
      if (next === undefined) return now;
      now = next.until;
      next.wake();
    }
  };
  return { provider, pacing: { pause, random }, sleepOn, taken };
}

test('OP-10: two hundred messages due in the same second leave one by one at the provider’s rate; none is refused, none goes twice', async () => {
  const { provider, pacing, sleepOn, taken } = morning(14);
  const all = Promise.all(Array.from({ length: 200 }, () => pacedSend(provider, pacing)));
  const over = await sleepOn();
  const sent = await all;
  expect(sent.filter(({ kind }) => kind !== 'sent')).toEqual([]);
  expect(new Set(sent.map((one) => (one.kind === 'sent' ? one.providerId : ''))).size).toBe(200);
  expect(Math.max(...taken.values())).toBeLessThanOrEqual(14);
  expect(over).toBeLessThan(22_000);
});

test('OP-10: what does not fit into one run is held as not taken, never lost and never waited for longer than a run lasts', async () => {
  const { provider, pacing, sleepOn } = morning(14);
  const all = Promise.all(Array.from({ length: 1000 }, () => pacedSend(provider, pacing)));
  expect(await sleepOn()).toBeLessThan(22_000);
  const kinds = (await all).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'sent').length).toBeGreaterThan(200);
  expect(new Set(kinds)).toEqual(new Set(['sent', 'not-taken']));
});

test.each(['SendingPausedException', 'AccessDeniedException', 'ECONNREFUSED'])('%s is no matter of seconds, so it is not waited for', async (because) => {
  let asked = 0;
  const ask = async (): Promise<Sent> => {
    asked += 1;
    return { kind: 'not-taken', because };
  };
  await pacedSend(ask, { pause: () => Promise.reject(new Error('waited')), random: Math.random });
  expect(asked).toBe(1);
});

test('MS-05: only what SES says it did not take is asked again; an unclear outcome is thrown at once', async () => {
  const answers = ['TooManyRequestsException', 'TimeoutError'];
  let asked = 0;
  const client = new SESv2Client({ region: 'us-west-2' });
  const send = async () => {
    const name = answers[asked] ?? '';
    asked += 1;
    throw Object.assign(new Error(name), { name });
  };
  const sender = sesv2EmailSender({ from: 'baton@roof.example', configurationSet: 'reports' }, Object.assign(client, { send }) as never, {
    pause: async () => undefined,
    random: () => 0,
  });
  await expect(sender.send({ to: 'rosa@roof.example', subject: 's', text: 't', html: 'h', reference: 'h-1:e' })).rejects.toThrow('TimeoutError');
  expect(asked).toBe(2);
});
