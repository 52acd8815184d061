// The schemas that contracts are made of, each built once: a cold start pays for every one that is built, and a row has dozens of texts and instants.

import * as z from 'zod/mini';

export const TEXT = z.string();
export const FILLED = z.string().check(z.minLength(1));
export const OPTIONAL_TEXT = z.exactOptional(TEXT);
export const TEXTS = z.array(TEXT);
export const POSITIVE = z.int().check(z.positive());

/** An instant. The domain writes UTC with `Z`; what a source stated may carry its offset. */
export const INSTANT = z.iso.datetime({ offset: true });
export const HANDOFF_ID = z.string().check(z.regex(/^h-[0-9a-f]{32}$/));
