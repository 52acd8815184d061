import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Asking, admit, EMPTY_LEDGER, type Ledger } from '../../shared/domain/message-limit.ts';
import { later, NOW } from '../support/builders.ts';

const MINUTE = 60;
const DAY = 24 * 60;

type Life = { asking: Asking; born: number; state: 'open' | 'sent' | 'along' | 'left-out'; sentAt?: number; leftAt?: number };

const message = fc.record({
  born: fc.integer({ min: 0, max: 6 * 60 }),
  urgency: fc.constantFrom('asks' as const, 'tells' as const, 'reminds' as const),
  window: fc.integer({ min: 3, max: 240 }),
});
const days = fc.record({ limit: fc.integer({ min: 1, max: 6 }), most: fc.integer({ min: 1, max: 5 }), messages: fc.array(message, { maxLength: 60 }) });

type Born = { born: number; urgency: Asking['urgency']; window: number };

/** A day and more on one channel: each message asks when it is born, and again every five minutes while it waits, unless its offer is over. */
function live({ limit, most, messages }: { limit: number; most: number; messages: readonly Born[] }): Life[] {
  const lives = messages.map(({ born, urgency, window }, index): Life => {
    const until = urgency === 'tells' ? {} : { until: later(NOW, (born + window) * MINUTE) };
    return { asking: { message: `m${index}`, urgency, limit, most, ...until }, born, state: 'open' };
  });
  let ledger: Ledger = EMPTY_LEDGER;
  for (let minute = 0; minute <= 6 * 60 + DAY + 70; minute++)
    for (const life of lives.filter((one) => asksAt(one, minute))) if (life.state === 'open') ledger = ask(ledger, life, lives, minute);
  return lives;
}

const asksAt = ({ born }: Life, minute: number): boolean => minute === born || (minute > born && minute % 5 === 0);

function ask(ledger: Ledger, life: Life, lives: readonly Life[], minute: number): Ledger {
  const admission = admit(ledger, life.asking, later(NOW, minute * MINUTE));
  if (admission.kind === 'no-place') Object.assign(life, { state: 'left-out', leftAt: minute });
  if (admission.kind === 'go') {
    Object.assign(life, { state: 'sent', sentAt: minute });
    for (const one of lives) if (one.state === 'open' && admission.together.includes(one.asking.message)) Object.assign(one, { state: 'along', sentAt: minute });
  }
  return ('ledger' in admission ? admission.ledger : undefined) ?? ledger;
}

test('O-09: no hour ever holds more messages than the limit, whatever comes when', () => {
  fc.assert(
    fc.property(days, (day) => {
      const sent = live(day).flatMap(({ state, sentAt }) => (state === 'sent' && sentAt !== undefined ? [sentAt] : []));
      for (const from of sent) expect(sent.filter((one) => one >= from && one < from + 60).length).toBeLessThanOrEqual(day.limit);
    }),
  );
});

test('O-09: whatever waits is sent in the end, or was of no use any more; nothing waits for ever', () => {
  fc.assert(
    fc.property(days, (day) => {
      for (const { state, asking, sentAt } of live(day)) {
        expect(state).not.toBe('open');
        if (sentAt !== undefined && asking.until !== undefined) expect(later(NOW, sentAt * MINUTE) < asking.until).toBe(true);
      }
    }),
  );
});

test('O-09: an offer that is left out is left out before its time is over, so that it can move on', () => {
  fc.assert(
    fc.property(days, (day) => {
      for (const { asking, leftAt } of live(day)) if (leftAt !== undefined && asking.urgency === 'asks') expect(later(NOW, leftAt * MINUTE) < (asking.until ?? '')).toBe(true);
    }),
  );
});
