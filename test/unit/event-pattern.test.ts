import { describe, expect, it } from 'vitest';
import { compilePattern, flattenEvent } from '../../infra/local/services/eventbridge/pattern.ts';
import cases from './fixtures/event-patterns.json' with { type: 'json' };

type Case = { name: string; pattern: unknown; event: unknown; matches?: boolean; invalid?: boolean };

const matches = (pattern: unknown, event: unknown): boolean => compilePattern(pattern).matches(flattenEvent(event));
const verdict = ({ pattern, event }: Case): boolean | 'invalid' => {
  try {
    return matches(pattern, event);
  } catch (error) {
    if ((error as Error).name === 'InvalidEventPatternException') return 'invalid';
    throw error;
  }
};

describe("LR-07: event patterns mean what AWS's own rule engine says", () => {
  it('covers all 116 recorded verdicts', () => expect(cases).toHaveLength(116));
  it.each(cases as Case[])('$name', (one) => expect(verdict(one)).toBe(one.invalid ? 'invalid' : one.matches));
});

describe('EB-11: pattern traps beyond the recorded verdicts', () => {
  it.each([
    ['a list of prefixes behind anything-but', { s: [{ 'anything-but': { prefix: ['te', 'de'] } }] }, { s: 'dev' }, false],
    ['a mixed list of literal and absence', { s: [{ exists: false }, 'x'] }, {}, true],
    ['absence looks at the whole event', { d: { a: [{ exists: true }], b: [{ exists: false }] } }, { d: [{ a: 1 }, { b: 2 }] }, false],
    ['an IPv6 network', { ip: [{ cidr: '2001:db8::/32' }] }, { ip: '2001:db8::1' }, true],
    ['a network and text that is no address', { ip: [{ cidr: '10.0.0.0/8' }] }, { ip: 'ten' }, false],
    ['a lone $or is a field', { $or: ['x'] }, { $or: 'x' }, true],
    ['a wildcard needs room for both ends', { s: [{ wildcard: 'ab*ba' }] }, { s: 'aba' }, false],
    ['an escaped backslash', { s: [{ wildcard: 'a\\\\*' }] }, { s: 'a\\b' }, true],
    ['anything-but text accepts a number', { s: [{ 'anything-but': 'x' }] }, { s: 5 }, true],
    ['a dotted key is the nested path', { 'a.b': ['x'] }, { a: { b: 'x' } }, true],
  ])('%s', (_name, pattern, event, expected) => expect(matches(pattern, event)).toBe(expected));

  it.each([
    ['two operators in one expression', { s: [{ prefix: 'a', suffix: 'b' }] }],
    ['a nested list', { s: [['a']] }],
    ['an empty nested object', { s: {} }],
    ['a mixed anything-but list', { s: [{ 'anything-but': ['a', 1] }] }],
    ['an empty prefix behind anything-but', { s: [{ 'anything-but': { prefix: '' } }] }],
    ['numeric with its upper end first', { n: [{ numeric: ['<', 5, '>', 1] }] }],
    ['numeric with an empty range', { n: [{ numeric: ['>', 5, '<', 1] }] }],
    ['numeric beyond five thousand million', { n: [{ numeric: ['>', 6e9] }] }],
    ['a network without its length', { s: [{ cidr: '10.0.0.0' }] }],
    ['exists that is not a truth value', { s: [{ exists: 'yes' }] }],
    ['a stray escape', { s: [{ wildcard: 'a\\b' }] }],
    ['text that is not JSON', '{'],
    ['a list', []],
  ])('refuses %s', (_name, pattern) => expect(() => compilePattern(pattern)).toThrow(/Event pattern is not valid/));

  it('a repeated key keeps only its last value', () => expect(matches('{"a":["x"],"a":["y"]}', { a: 'x' })).toBe(false));
});
