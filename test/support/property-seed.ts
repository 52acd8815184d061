// Every run of the laws draws the same examples, so that a failure is a change of the code; PROPERTY_SEED draws others.

import fc from 'fast-check';

const asked = process.env.PROPERTY_SEED;
const seed = asked === undefined ? 20_261_130 : asked === 'random' ? undefined : Number(asked);
if (Number.isNaN(seed)) throw new Error(`PROPERTY_SEED is '${asked}': expected a whole number, or 'random'`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(seed !== undefined && { seed }) });
