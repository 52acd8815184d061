import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern, flattenEvent } from '../../infra/local/services/eventbridge/pattern.ts';
import { matchesWildcard } from '../../infra/local/services/iam/wildcard.ts';
import { nextFiring, readExpression } from '../../infra/local/services/scheduler/expression.ts';
import { instantsOf, wallTime } from '../../infra/local/services/scheduler/zone.ts';

const few = (alphabet: string) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 8 });
const asRegex = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');

describe('wildcards agree with regular expressions', () => {
  it('in policies', () => fc.assert(fc.property(few('ab*?'), few('ab'), (pattern, text) => matchesWildcard(pattern, text) === asRegex(pattern).test(text))));

  it('in event patterns', () =>
    fc.assert(
      fc.property(
        few('ab*').filter((pattern) => !pattern.includes('**')),
        few('ab'),
        (wildcard, s) => compilePattern({ s: [{ wildcard }] }).matches(flattenEvent({ s })) === asRegex(wildcard).test(s),
      ),
    ));
});

describe('schedules over any moment of ten years', () => {
  const moment = fc.integer({ min: Date.UTC(2022, 0), max: Date.UTC(2032, 0) });
  const zone = fc.constantFrom('UTC', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu');

  it('every wall-clock reading leads back to an instant that shows it', () =>
    fc.assert(
      fc.property(moment, zone, (instant, name) => {
        const whole = instant - (instant % 1000);
        expect(instantsOf(wallTime(whole, name), name)).toContain(whole);
      }),
    ));

  it('the next firing is later, shows the wanted reading, and nothing lies between', () =>
    fc.assert(
      fc.property(moment, zone, fc.integer({ min: 0, max: 23 }), (after, name, hour) => {
        const daily = readExpression(`cron(30 ${hour} * * ? *)`, name);
        const next = nextFiring(daily, after, 0) ?? Number.NaN;
        expect(next).toBeGreaterThan(after);
        expect(next - after).toBeLessThan(50 * 3_600_000);
        expect(new Date(wallTime(next, name)).toISOString().slice(11, 19)).toBe(`${String(hour).padStart(2, '0')}:30:00`);
        expect(nextFiring(daily, next - 1, 0)).toBe(next);
      }),
    ));
});
