import { describe, expect, it } from 'vitest';
import { type Difference, rowOf, tableOf, verdict } from '../deploy/differences.ts';

const told = { kind: 'told' } as const;
const differs = (message: string) => ({ kind: 'differs', fault: new Error(message) }) as const;
const known: Difference = { cause: 'theirs', because: 'no such call there', shows: /no such call/ };

describe('results of the deploy test', () => {
  it('a story that holds on both passes', () => {
    expect(verdict(told, told)).toEqual({ kind: 'passes' });
  });

  it('a planted difference that nobody named fails, and so does another failure of a story with a named one', () => {
    expect(verdict(told, differs('planted'))).toMatchObject({ kind: 'fails', because: expect.stringContaining('nobody named') });
    expect(verdict(told, differs('planted'), known)).toMatchObject({ kind: 'fails', because: expect.stringContaining('nobody named') });
  });

  it('a named difference passes until it is none any more', () => {
    expect(verdict(told, differs('no such call'), known)).toEqual({ kind: 'passes' });
    expect(verdict(told, told, known)).toMatchObject({ kind: 'fails', because: expect.stringContaining('take it out') });
  });

  it('a story that does not hold here fails, whatever happens there', () => {
    expect(verdict(differs('planted'), told)).toMatchObject({ kind: 'fails', because: expect.stringContaining('local runtime') });
  });

  it('the table says of every story how it came out, also of one that was not told, and why', () => {
    const moves = { kind: 'moves-time' } as const;
    const table = tableOf([rowOf('A-01: one', told, told), rowOf('B-02: two', moves, moves), rowOf('C-03: three', told, differs('no such call'), known)]);
    expect(table).toMatch(/A-01: one +\| holds +\| holds/);
    expect(table).toMatch(/B-02: two +\| moves time \| not told +\| theirs: no clock/);
    expect(table).toMatch(/C-03: three +\| holds +\| differs +\| theirs: no such call there/);
    expect(table).toContain('Host header routing');
  });
});
