// One question to a provider of AWS, and what its answer says of the message.

import type { Sent } from '../ports/message-sender.ts';
import { neverLeft } from './never-left.ts';

/** Names of errors: those that say the message was not and will not be sent, and those that say nothing was taken for a reason that is not the message's (MS-05). */
export type Answers = { refused: ReadonlySet<string>; notTaken: ReadonlySet<string> };

/** Asks once. Throws what says nothing about whether the message was taken. */
export async function askProvider(ask: () => Promise<{ MessageId?: string | undefined }>, { refused, notTaken }: Answers): Promise<Sent> {
  try {
    return { kind: 'sent', providerId: (await ask()).MessageId ?? '' };
  } catch (error) {
    if (error instanceof Error && refused.has(error.name)) return { kind: 'refused', because: error.name };
    const because = error instanceof Error && notTaken.has(error.name) ? error.name : neverLeft(error);
    if (because !== undefined) return { kind: 'not-taken', because };
    throw error;
  }
}
