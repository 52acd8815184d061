import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { type Measures, measure } from '../../shared/domain/measures.ts';
import { measuresText } from '../../shared/domain/measures-text.ts';
import { spread } from '../../shared/domain/spread.ts';
import { aHandoff, anException, anOffer, later, NOW, ROSA, SAM } from '../support/builders.ts';

const HOUR = 3600;
const opened = later(NOW, -HOUR);
const until = NOW;

const accepted = (after: number, number = 1) => {
  const at = later(opened, after);
  const offer = anOffer({ number, to: ROSA, status: 'accepted', requestedAt: opened, deadlineAt: later(opened, 300), endedAt: at });
  return aHandoff({
    state: 'accepted',
    occurredAt: opened,
    openedAt: opened,
    offers: [offer],
    ownership: { owner: ROSA, offer: number, acceptedAt: at, nextAction: 'call', dueAt: later(NOW, HOUR), late: false, channel: 'sms' },
  });
};
const unanswered = () =>
  aHandoff({ state: 'acceptance-requested', occurredAt: opened, openedAt: opened, offers: [anOffer({ requestedAt: opened, deadlineAt: later(opened, 300) })] });

describe('the spread of what is not all over (M-07)', () => {
  it('M-07: two that took a minute and eight never accepted do not have a median of one minute', () => {
    const { times } = measure([accepted(60), accepted(60), ...Array.from({ length: 8 }, unanswered)], opened, until);
    expect(times.eventToAcceptance).toEqual({
      count: 10,
      still: 8,
      median: { seconds: HOUR, atLeast: true },
      p90: { seconds: HOUR, atLeast: true },
      p95: { seconds: HOUR, atLeast: true },
      max: { seconds: HOUR, atLeast: true },
    });
  });

  it('M-07: a figure below everything unfinished is exact, one at or above it is a bound', () => {
    const all = [1, 2, 3].map((seconds) => ({ seconds, still: false })).concat({ seconds: 9, still: true });
    expect(spread(all)).toMatchObject({ median: { seconds: 2, atLeast: false }, max: { seconds: 9, atLeast: true } });
  });

  it('M-07: a machine-written text is timed apart, and shortens no wait', () => {
    const generated = { seq: 3, generator: 'draft-bot', generatorVersion: '3', packetVersion: 1, firstAt: later(opened, 120) };
    const { times, funnel } = measure([{ ...unanswered(), generated }, unanswered()], opened, until);
    expect(times.eventToDraft).toMatchObject({ count: 1, still: 0, max: { seconds: 120, atLeast: false } });
    expect(times.eventToAcceptance).toMatchObject({ count: 2, still: 2, median: { seconds: HOUR, atLeast: true } });
    expect(funnel.accepted).toBe(0);
  });

  it('M-07: nothing to measure has no figure', () => {
    expect(spread([])).toBeUndefined();
  });

  it('M-07: whatever the unfinished ones turn out to be, no figure was too high', () => {
    const lengths = fc.array(fc.record({ seconds: fc.nat(10_000), still: fc.boolean(), more: fc.nat(10_000) }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(lengths, (all) => {
        const now = spread(all);
        const later = spread(all.map(({ seconds, still, more }) => ({ seconds: still ? seconds + more : seconds, still: false })));
        for (const figure of ['median', 'p90', 'p95', 'max'] as const) {
          expect(now?.[figure].seconds).toBeLessThanOrEqual(later?.[figure].seconds ?? Number.NaN);
          if (now?.[figure].atLeast === false) expect(now[figure].seconds).toBe(later?.[figure].seconds);
        }
      }),
    );
  });
});

describe('the funnel (M-06)', () => {
  it('M-06 X-05: each stage is counted by its own evidence, and an outcome nobody stated stays unknown and counted', () => {
    const taken = aHandoff({
      offers: [anOffer({ number: 2, status: 'accepted', requestedAt: NOW, deadlineAt: NOW, endedAt: NOW })],
      exceptions: [anException({ resolvedAt: NOW })],
    });
    const { funnel } = measure([accepted(60), accepted(400, 2), unanswered(), taken], opened, until);
    expect(funnel).toMatchObject({ opened: 4, asked: 3, accepted: 3, acceptedByBackup: 1, takenByExceptionOwner: 1, nextStepConfirmed: 0, closed: 0, outcomeUnknown: 3 });
  });

  it('M-06: tried is no conversation, a meeting is no proposal, and what a system states stands under its own words, with its own money', () => {
    const done = (evidence: 'call' | 'visit' | 'quote', recorded?: Handoff['recorded']) =>
      aHandoff({ nextStep: { confirmedAt: NOW, evidence }, ...(recorded !== undefined && { recorded }) });
    const won = (minorUnits: number, currency: string) => ({ system: 'crm', result: 'won', at: NOW, revenue: { minorUnits, currency } });
    const lost = { system: 'crm', result: 'lost', at: NOW };
    const booked = aHandoff({ meeting: { from: 'booking' } });
    const failed = aHandoff({ state: 'closed', outcome: { kind: 'contact-failed', at: NOW, by: ROSA } });
    const measures = measure(
      [done('call'), done('visit', won(120_050, 'USD')), done('visit', won(50, 'USD')), done('quote', lost), done('quote', won(700, 'JPY')), booked, failed],
      opened,
      until,
    );
    expect(measures.funnel).toMatchObject({ contactAttempts: 2, conversations: 2, proposals: 2, meetings: 1, notAFit: 0, closed: 1, outcomeFromSystem: 4 });
    expect([measures.outcomes, measures.revenue]).toEqual([
      { 'crm lost': 1, 'crm won': 3 },
      { JPY: 700, USD: 120_100 },
    ]);
    const text = measuresText(measures, () => 'here');
    expect(text).toMatch(/crm won +3\n {2}revenue 700 JPY\n {2}revenue 1201\.00 USD/);
    expect(text).toMatch(/contact tried \(call, message\) +2/);
  });

  it('M-06 P-04: ready is what arrived with all that is required, whatever was missing from others', () => {
    const arrived = (missing: string[]) => aHandoff({ arrival: { required: 2, missing } });
    expect(measure([arrived([]), arrived([]), arrived(['request.words'])], opened, until).funnel).toMatchObject({ opened: 3, ready: 2 });
  });

  it('M-08: shares of nothing are absent, not zero', () => {
    expect(measure([], opened, until).rates).toEqual({});
  });
});

describe('rejections (M-09)', () => {
  const rejected = (to = ROSA) => aHandoff({ offers: [anOffer({ to, status: 'rejected', reason: 'wrong-territory', step: 0, rule: 'serves 97201-97239' })] });

  it('M-09: the same reason under the same rule is a cluster that names the contract line; a single no is none', () => {
    const measures = measure([rejected(), rejected(SAM), aHandoff({ offers: [anOffer({ status: 'rejected', reason: 'no-capacity' })] })], opened, until);
    expect(measures.clusters).toMatchObject([{ contract: 'roof-inspection', step: 0, rule: 'serves 97201-97239', reason: 'wrong-territory', count: 2 }]);
    expect(measures.rejections).toEqual({ 'wrong-territory': 2, 'no-capacity': 1 });
    expect(measuresText(measures, (contract, step) => `${contract}.yaml:${step + 30}`)).toContain('2 × wrong-territory: look at roof-inspection.yaml:30 (serves 97201-97239)');
  });
});

it('P-04: completeness is the share of required facts that were there on arrival, for each source', () => {
  const from = (system: string, required: number, missing: string[]) => aHandoff({ source: { system, eventId: '1' }, arrival: { required, missing } });
  const { completeness } = measure(
    [from('website', 3, []), from('website', 3, ['location.postalCode']), from('twilio', 2, ['request.words', 'location.postalCode'])],
    opened,
    until,
  );
  expect(completeness).toEqual({ website: 5 / 6, twilio: 0 });
});

it('M-06: the sheet reads without a figure missing, also when nothing happened', () => {
  const nothing: Measures = measure([], opened, until);
  expect(measuresText(nothing, () => '')).toContain('nothing to measure');
});
