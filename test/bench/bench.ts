// Figures, one JSON line each: { "figure", "value", "unit", … }. Never a pass or a fail.

import { bundleFigures } from './bundles.ts';
import { handoffFigures } from './handoff.ts';

const print = (figure: string, value: number, unit: string, more: Record<string, unknown> = {}) => console.log(JSON.stringify({ figure, value, unit, ...more }));

await bundleFigures(print);
await handoffFigures(print);
