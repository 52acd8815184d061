export type Lead = Record<string, unknown>;

/** A lead as the sample business's website sends one. Say only what matters to the story. */
export const aRoofInspection = (fields: Lead = {}): Lead => ({
  name: 'Ada Marchetti',
  email: 'ada.marchetti@example.com',
  message: 'Water is coming through over the kitchen.',
  category: 'roof-inspection',
  postal_code: '97201',
  language: 'en',
  ...fields,
});
