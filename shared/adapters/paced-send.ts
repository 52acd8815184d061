// What a provider's rate refuses for a moment is asked again while the run lasts, so that a morning on which everything is due needs no repetition.

import { setTimeout as later } from 'node:timers/promises';
import type { Sent } from '../ports/message-sender.ts';

/** Answers that say only that too much was asked at once. Nothing was taken, so nothing goes twice (MS-05). */
const TOO_OFTEN: ReadonlySet<string> = new Set(['TooManyRequestsException', 'ThrottlingException']);

/** A run of `notify` lasts thirty seconds at most, and does other things as well. */
const PATIENCE_MS = 18_000;
/** Far apart and at random, or everybody who was refused together comes back together. */
const PAUSE_MS = { least: 200, most: 3000 };

export type Pacing = { pause: (milliseconds: number) => Promise<unknown>; random: () => number };

/** Asks until the provider says anything else, for as long as there is patience (OP-10). */
export async function pacedSend(ask: () => Promise<Sent>, { pause, random }: Pacing = { pause: later, random: Math.random }): Promise<Sent> {
  let waited = 0;
  for (;;) {
    const sent = await ask();
    if (sent.kind !== 'not-taken' || !TOO_OFTEN.has(sent.because) || waited >= PATIENCE_MS) return sent;
    const wait = PAUSE_MS.least + random() * (PAUSE_MS.most - PAUSE_MS.least);
    waited += wait;
    await pause(wait);
  }
}
