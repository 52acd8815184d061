import { describe, expect, test } from 'vitest';
import { type Asking, admit, EMPTY_LEDGER, type Ledger, messageLimit, withoutPlace } from '../../shared/domain/message-limit.ts';
import { aPerson, later, NOW } from '../support/builders.ts';

const at = (minutes: number) => later(NOW, minutes * 60);
const asks = (message: string, more: Partial<Asking> = {}): Asking => ({ message, urgency: 'asks', until: at(600), limit: 2, most: 12, ...more });

/** Lets messages ask one after another, each at its minute, and answers with what was decided and the ledger in the end. */
function past(...told: readonly [Asking, number][]) {
  let ledger: Ledger = EMPTY_LEDGER;
  const kinds = told.map(([asking, minute]) => {
    const admission = admit(ledger, asking, at(minute));
    if ('ledger' in admission && admission.ledger !== undefined) ledger = admission.ledger;
    return admission.kind;
  });
  return { kinds, ledger };
}

describe('O-09: messages of one person on one channel', () => {
  test('up to the limit they go; the next one waits until the first is an hour old', () => {
    const { kinds, ledger } = past([asks('a'), 0], [asks('b'), 10]);
    expect(kinds).toEqual(['go', 'go']);
    expect(admit(ledger, asks('c'), at(20))).toMatchObject({ kind: 'wait', until: at(60) });
  });

  test('to the second: at sixty minutes the place is free, a moment before it is not', () => {
    const { ledger } = past([asks('a'), 0], [asks('b'), 10]);
    expect(admit(ledger, asks('c'), later(at(60), -1)).kind).toBe('wait');
    expect(admit(ledger, asks('c'), at(60)).kind).toBe('go');
  });

  test('whoever goes next takes everything along that waited, offers first', () => {
    const { ledger } = past([asks('a'), 0], [asks('b'), 1], [asks('news', { urgency: 'tells' }), 2], [asks('c'), 3]);
    expect(admit(ledger, asks('d'), at(60))).toMatchObject({ kind: 'go', together: ['c', 'news'], ledger: { waiting: [] } });
  });

  test('no more go along than one message holds; the rest waits on', () => {
    const { ledger } = past([asks('a'), 0], [asks('b'), 1], [asks('c'), 3], [asks('d'), 4]);
    const admission = admit(ledger, asks('e', { most: 2 }), at(60));
    expect(admission).toMatchObject({ kind: 'go', together: ['c'], ledger: { waiting: [{ message: 'd' }] } });
  });

  test('asking again about a message that has its place, or goes along in another, changes nothing', () => {
    const { ledger } = past([asks('a'), 0], [asks('b'), 1], [asks('c'), 2], [asks('d'), 60]);
    expect(admit(ledger, asks('d'), at(61))).toEqual({ kind: 'go', together: ['c'] });
    expect(admit(ledger, asks('c'), at(61))).toEqual({ kind: 'carried', by: 'd' });
  });

  test('what the message that was to carry others never did frees them', () => {
    const { ledger } = past([asks('a'), 0], [asks('b'), 1], [asks('c'), 2], [asks('d'), 60]);
    expect(admit(withoutPlace(ledger, 'd'), asks('c'), at(61)).kind).toBe('go');
  });

  test('a reminder is left out first, and never takes the last place of an hour', () => {
    const reminder = asks('r', { urgency: 'reminds' });
    expect(past([asks('a'), 0], [reminder, 1]).kinds).toEqual(['go', 'no-place']);
    expect(past([reminder, 0], [asks('a'), 1]).kinds).toEqual(['go', 'go']);
    expect(past([{ ...reminder, limit: 1 }, 0]).kinds).toEqual(['no-place']);
  });

  test.each([
    ['an offer that would be over before its turn', asks('c', { until: at(60) }), 'no-place'],
    ['an offer that would leave two minutes to answer after the sweep', asks('c', { until: at(69) }), 'wait'],
    ['an offer that would leave less', asks('c', { until: at(68) }), 'no-place'],
    ['news that can wait', asks('c', { urgency: 'tells', until: at(67) }), 'wait'],
  ] as const)('%s', (_, asking, kind) => {
    expect(past([asks('a'), 0], [asks('b'), 1], [asking, 2]).kinds.at(-1)).toBe(kind);
  });

  test('a hundred may wait, and one more is told at once that it may not', () => {
    const crowd = Array.from({ length: 101 }, (_, index): [Asking, number] => [asks(`m${index}`, { limit: 1 }), 1]);
    const { kinds } = past([asks('a', { limit: 1 }), 0], ...crowd);
    expect(kinds.filter((kind) => kind === 'wait')).toHaveLength(100);
    expect(kinds.at(-1)).toBe('no-place');
  });

  test('a person’s own number comes before that of the firm; without either there is no limit', () => {
    const roster = { version: 'r', people: [], messagesPerHour: { email: 20, sms: 6 } };
    const rosa = aPerson('rosa', { messagesPerHour: { sms: 2 } });
    expect((['email', 'sms', 'slack'] as const).map((channel) => messageLimit(roster, rosa, channel))).toEqual([20, 2, undefined]);
  });
});
