// What a message is called wherever it is counted, and what its provider is told (MS-05).

import { type HandoffId, handoffId } from './ids.ts';

/** The handoff that a message is about, and the effect that it is: `acceptance.requested:3:email`. */
export type MessageName = { id: HandoffId; effect: string };

/** What effects towards the customer begin with, whatever receipt led to them; all others are named after their receipt. */
export const TO_CUSTOMER = 'customer.told';

export const referenceOf = ({ id, effect }: MessageName): string => `${id}:${effect}`;

/** The message that a reference names; undefined when it is none of ours. */
export function namedBy(reference: string): MessageName | undefined {
  const [, id, effect] = /^(h-[0-9a-f]{32}):(.+)$/.exec(reference) ?? [];
  return id === undefined || effect === undefined ? undefined : { id: handoffId(id), effect };
}
