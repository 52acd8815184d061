import type { JsonValue } from './read-json.ts';
import { factsWith, type StatedFacts } from './stated-facts.ts';
import { statedPhone } from './stated-phone.ts';

/** The facts that fields state. `country` is where numbers without a country code are dialled, unless a field says where. */
export const factsFrom = (fields: readonly (readonly [string, JsonValue])[], country: string): StatedFacts =>
  factsWith((text, stated) => statedPhone(text, ...(stated === undefined ? [] : [stated]), country), fields);
