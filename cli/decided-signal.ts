// Waits for the one row that proves the way from the address to the table: rules that were just deployed take a moment until they match (EB-12).

import type { RecordedSignal } from '../shared/ports/signal-log.ts';

const LOOKS_A_SECOND = 4;
const SECONDS = 60;
const AGAIN_AFTER_SECONDS = 15;

/** How the signal is looked up and, under the same id, sent once more. */
export type Watch = { find: () => Promise<RecordedSignal | undefined>; sendAgain: () => Promise<unknown>; pause: (milliseconds: number) => Promise<unknown> };

/** The signal once it is decided; undefined when that takes more than a minute. What was sent before a rule matched is lost, so it is sent again meanwhile. */
export async function decidedSignal({ find, sendAgain, pause }: Watch): Promise<RecordedSignal | undefined> {
  for (let look = 0; look < SECONDS * LOOKS_A_SECOND; look += 1) {
    const found = await find();
    if (found !== undefined && found.standing.kind !== 'received') return found;
    if (found === undefined && look > 0 && look % (AGAIN_AFTER_SECONDS * LOOKS_A_SECOND) === 0) await sendAgain();
    await pause(1000 / LOOKS_A_SECOND);
  }
  return undefined;
}
