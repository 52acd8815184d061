import { randomUUID } from 'node:crypto';

export type Lead = Record<string, unknown>;

/** A lead as the sample business's website sends one, of a person whom nobody has heard of before. Say only what matters to the story. */
export function aRoofInspection(fields: Lead = {}): Lead {
  const own = randomUUID().slice(0, 8);
  return {
    name: `Ada Marchetti-${own}`,
    email: `ada.marchetti.${own}@example.com`,
    message: 'Water is coming through over the kitchen.',
    category: 'roof-inspection',
    postal_code: '97201',
    language: 'en',
    ...fields,
  };
}
