import { describe, expect, test } from 'vitest';
import { reportCsv } from '../../functions/report-orphans/report-csv.ts';
import { reportHtml } from '../../functions/report-orphans/report-html.ts';
import { activityBetween, countedOf } from '../../shared/domain/activity.ts';
import { balance, type Counts, headline } from '../../shared/domain/balance.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { attentionAt } from '../../shared/domain/next-step.ts';
import { classify, type ReportRow, rowOf, SECTION_TITLES, SECTIONS, signalRow, standsStill } from '../../shared/domain/report.ts';
import { ageText, type OrphanReport, reportText } from '../../shared/domain/report-text.ts';
import { aCalendar, aHandoff, anException, anOffer, anOfferedHandoff, aPolicy, aSignal, DANA, ID, later, NOW, OMAR, ROSA } from '../support/builders.ts';

const style = { now: later(NOW, 7200), zone: 'America/Los_Angeles', linkTo: (id: string) => `npx baton show ${id}` };
const zero: Counts = { received: 0, ignored: 0, linked: 0, waiting: 0, offered: 0, accepted: 0, exception: 0, closed: 0 };
const section = (handoff: Handoff, seconds: number) => classify(handoff, later(NOW, seconds), 300);
const promised = (more: Partial<Handoff> = {}) =>
  aHandoff({
    state: 'accepted',
    custodian: ROSA,
    ownership: { owner: ROSA, offer: 1, acceptedAt: NOW, nextAction: 'call', dueAt: later(NOW, 3600), late: false, channel: 'email' },
    ...more,
  });
const excepted = (more: object = {}) => aHandoff({ state: 'exception', lastReceipt: 'exception.raised', custodian: OMAR, exceptions: [anException(more)] });

const aReport = (rows: readonly ReportRow[] = [], counts: Partial<Counts> = {}, undecided = 0): OrphanReport => {
  const counted = countedOf({ ...zero, ...counts }, {});
  return {
    day: '2026-03-02',
    zone: style.zone,
    scheduledAt: NOW,
    generatedAt: style.now,
    rows,
    balance: balance({ ...zero, ...counts }, undecided),
    activity: activityBetween(undefined, { at: style.now, counts: counted }),
    counted,
  };
};
const aRow = (more: Partial<ReportRow> = {}): ReportRow => ({
  section: 'nobody-asked',
  handoff: ID,
  ageSeconds: 60,
  custodian: OMAR,
  why: 'because',
  link: `npx baton show ${ID}`,
  ...more,
});

describe('a workflow that should wait and does not (M-02)', () => {
  const respond = { wait: 'exception:1:omar:respond' } as const;
  const since = later(NOW, 600);
  const raised = () => excepted({ owner: OMAR, respondBy: later(NOW, 1800) });

  test('M-02: a handoff that waits for what its row says is left to its own section', () => {
    expect(standsStill({ handoff: raised(), wait: respond }, aPolicy(), since)).toBe(false);
    expect(standsStill({ handoff: raised(), wait: { ...respond, wokenAt: later(since, 1) } }, aPolicy(), since)).toBe(false);
  });

  test('M-02: no wait, the wait of another time, or one that was woken and led nowhere is listed', () => {
    expect(standsStill({ handoff: raised() }, aPolicy(), since)).toBe(true);
    expect(standsStill({ handoff: raised(), wait: { wait: 'offer:1' } }, aPolicy(), since)).toBe(true);
    expect(standsStill({ handoff: raised(), wait: { ...respond, wokenAt: NOW } }, aPolicy(), since)).toBe(true);
  });

  test('M-02: what was due and did not happen is listed, what moved a moment ago or is done is not', () => {
    const due = later(NOW, 1801);
    expect(standsStill({ handoff: raised(), wait: respond }, aPolicy(), due)).toBe(true);
    expect(standsStill({ handoff: { ...raised(), changedAt: later(due, 1) }, wait: respond }, aPolicy(), due)).toBe(false);
    expect(standsStill({ handoff: promised({ state: 'next-step-confirmed' }) }, aPolicy(), due)).toBe(false);
  });

  test('M-02: its row says where it stood as well', () => {
    expect(rowOf(raised(), 'workflow-stands-still', style).why).toMatch(/omar was to take it by .*; no workflow waits for it$/);
    expect(rowOf(promised(), 'workflow-stands-still', { ...style, now: NOW }).why).toMatch(/^accepted since .*; no workflow waits for it$/);
  });
});

describe('what is an orphan', () => {
  test('M-02: ready or resolved with nobody asked, after the grace', () => {
    expect([299, 300].map((seconds) => section(aHandoff(), seconds))).toEqual([undefined, 'nobody-asked']);
    expect(section(aHandoff({ state: 'candidates-resolved', offers: [anOffer({ status: 'timed-out' })] }), 300)).toBe('nobody-asked');
  });

  test('M-02: a rejection without a new owner is a section of its own', () => {
    expect(section(aHandoff({ state: 'candidates-resolved', lastReceipt: 'offer.rejected', offers: [anOffer({ status: 'rejected', reason: 'no-capacity' })] }), 300)).toBe(
      'rejected-without-owner',
    );
  });

  test('M-02: an offer past its deadline, once the machinery had its grace', () => {
    expect([0, 299, 599, 600].map((seconds) => section(anOfferedHandoff(), seconds))).toEqual([undefined, undefined, undefined, 'offer-past-deadline']);
  });

  test('M-02: an exception is listed from the first second that nobody took it, and again when its review passed', () => {
    expect(section(excepted(), 0)).toBe('exception-not-taken');
    const taken = excepted({ acceptedAt: NOW, reviewAt: later(NOW, 5000) });
    expect([4999, 5000].map((seconds) => section(taken, seconds))).toEqual([undefined, 'exception-review-passed']);
  });

  test('M-02: a promise is overdue at its due time, not a grace later', () => {
    expect([3599, 3600].map((seconds) => section(promised(), seconds))).toEqual([undefined, 'next-step-overdue']);
  });

  test('M-02 X-04: a meeting that no seller accepted is listed from the first second, whoever is being asked, and no longer than until a yes', () => {
    const meeting = { from: 'booking', at: later(NOW, 86_400) } as const;
    expect(section(anOfferedHandoff({ meeting }), 0)).toBe('meeting-without-seller');
    expect(section(aHandoff({ meeting }), 0)).toBe('meeting-without-seller');
    expect(section(promised({ meeting }), 0)).toBeUndefined();
    expect(section(aHandoff({ state: 'closed', meeting }), 0)).toBeUndefined();
    expect([aHandoff({ meeting }), promised({ meeting })].map(attentionAt)).toEqual([NOW, later(NOW, 3600)]);
  });

  test('M-02: what is confirmed or closed is in order for ever', () => {
    expect(section(aHandoff({ state: 'next-step-confirmed' }), 999_999)).toBeUndefined();
    expect(section(aHandoff({ state: 'closed' }), 999_999)).toBeUndefined();
  });
});

describe('a row', () => {
  test('M-04: says who is accountable, how long the customer waits, what happened last and why it is listed', () => {
    expect(rowOf(anOfferedHandoff({ occurredAt: later(NOW, -60) }), 'offer-past-deadline', style)).toEqual({
      section: 'offer-past-deadline',
      handoff: ID,
      ageSeconds: 7260,
      custodian: 'ina',
      lastReceipt: { kind: 'acceptance.requested', at: NOW },
      why: 'rosa was asked until 2026-03-02 08:05; nobody was asked since',
      link: `npx baton show ${ID}`,
    });
  });

  test.each<[ReportRow['section'], Handoff, string]>([
    ['nobody-asked', aHandoff(), 'ready since 2026-03-02 08:00; nobody is being asked'],
    [
      'rejected-without-owner',
      aHandoff({ offers: [anOffer({ status: 'rejected', reason: 'no-capacity' })] }),
      'rosa said no (no-capacity) 2026-03-02 08:00; nobody was asked since',
    ],
    ['exception-not-taken', excepted({ owner: DANA, earlierOwners: [OMAR] }), 'nobody-answered: everyone was asked; dana was to take it by 2026-03-02 08:30, after omar did not'],
    ['exception-review-passed', excepted({ acceptedAt: NOW, reviewAt: later(NOW, 3600) }), 'nobody-answered: omar took it and was to look again by 2026-03-02 09:00'],
    ['meeting-without-seller', anOfferedHandoff({ meeting: { from: 'booking', at: later(NOW, 3600) } }), 'a meeting 2026-03-02 09:00; nobody accepted it yet; rosa is being asked'],
    [
      'meeting-without-seller',
      aHandoff({ meeting: { from: 'promise', heldBy: ROSA } }),
      'a meeting at a time that no source stated; rosa was to hold it and does no longer; ready',
    ],
    ['next-step-overdue', promised(), 'rosa promised "call" by 2026-03-02 09:00; nothing shows that it happened'],
  ])('M-04: %s is explained in words and in the time of the reader', (listed, handoff, why) => {
    expect(rowOf(handoff, listed, style).why).toBe(why);
  });

  test('M-04: a signal that led to nothing is a row without handoff and custodian', () => {
    expect(signalRow(aSignal({ eventId: 'form-9' }), style)).toMatchObject({ section: 'undecided-signal', signal: { source: 'website', eventId: 'form-9' }, ageSeconds: 7200 });
    expect(signalRow(aSignal(), style)).not.toHaveProperty('custodian');
  });

  test('M-04, C-06: a handoff whose contract counts business time shows both clocks, in every form', () => {
    const friday = aHandoff({ occurredAt: '2026-02-28T00:30:00.000Z' }); // Friday 16:30 in Portland, half an hour before closing
    const row = rowOf(friday, 'nobody-asked', { ...style, calendarOf: () => aCalendar() });
    expect(row).toMatchObject({ ageSeconds: 235_800, businessAgeSeconds: 9000 });
    expect(rowOf(friday, 'nobody-asked', style)).not.toHaveProperty('businessAgeSeconds');
    expect(reportText(aReport([row]))).toContain('waiting 2 d 17 h (2 h 30 min of business time), custodian');
    expect(reportHtml(aReport([row]))).toContain('waiting 2 d 17 h (2 h 30 min of business time), custodian');
    expect(parseCsv(reportCsv([row]))[1]?.at(-1)).toBe('9000');
  });

  test('an age in the future is no age', () => {
    expect(rowOf(aHandoff({ occurredAt: later(NOW, 99_999) }), 'nobody-asked', style).ageSeconds).toBe(0);
  });
});

describe('the balance sheet', () => {
  test('M-03: received is ignored, linked, open, accepted, exception and closed', () => {
    const sheet = balance({ received: 21, ignored: 1, linked: 2, waiting: 3, offered: 4, accepted: 5, exception: 3, closed: 3 }, 0);
    expect(sheet).toMatchObject({ open: 7, accountedFor: 21, difference: 0, unexplained: 0 });
  });

  test('M-03: signals known as undecided explain a difference; anything else is the headline', () => {
    expect(headline(balance({ ...zero, received: 2, closed: 1 }, 1), 1)).toBe('1 thing needs a person. The sheet balances.');
    expect(headline(balance({ ...zero, received: 3, closed: 1 }, 1), 2)).toBe(
      'The sheet does not balance: 3 received, 1 accounted for, 1 undecided, 1 missing. 2 things need a person.',
    );
    expect(headline(balance({ ...zero, received: 1, closed: 2 }, 0), 0)).toBe('The sheet does not balance: 1 received, 2 accounted for, 1 too many. Nothing else is listed.');
  });

  test('M-01: an empty report says plainly that it is empty and reconciled', () => {
    expect(headline(balance({ ...zero, received: 4, closed: 4 }, 0), 0)).toBe('Empty and reconciled: nothing is unowned, and every signal is accounted for.');
  });
});

describe('as text', () => {
  test('a tired person reads the headline, then what is worst, then the sheet', () => {
    const rows = [rowOf(excepted(), 'exception-not-taken', style), rowOf(aHandoff(), 'nobody-asked', style)];
    expect(reportText(aReport(rows, { received: 2, waiting: 1, exception: 1 }))).toBe(
      [
        'Orphan report for 2026-03-02',
        '',
        '2 things need a person. The sheet balances.',
        '',
        'Ready, and nobody is being asked (1)',
        `  ${ID}, waiting 2 h, custodian ina`,
        '    ready since 2026-03-02 08:00; nobody is being asked',
        '    last receipt handoff.opened, 2026-03-02 08:00',
        `    npx baton show ${ID}`,
        '',
        'Exceptions that nobody has taken (1)',
        `  ${ID}, waiting 2 h, custodian omar`,
        '    nobody-answered: everyone was asked; omar was to take it by 2026-03-02 08:30',
        '    last receipt exception.raised, 2026-03-02 08:00',
        `    npx baton show ${ID}`,
        '',
        'The sheet',
        '    received                           2',
        '  = ignored, with the reason           0',
        '  = linked as duplicates               0',
        '  = open, nobody owns them yet         1',
        '  = accepted by a person               0',
        '  = exceptions                         1',
        '  = closed                             0',
        '  = not decided yet                    0',
        '    difference                         0',
        '',
        'Since the beginning, each stage by itself',
        '  signals received                                 2',
        '  requests opened                                  0',
        '  accepted by a person                             0',
        '  moved to another person                          0',
        '  outcomes that match no request                   0',
        '',
        'Read 2026-03-02 10:00 (America/Los_Angeles).',
        '',
      ].join('\n'),
    );
  });

  test('a long report is cut, and says by how much', () => {
    const text = reportText(aReport(Array.from({ length: 12 }, () => aRow())), 10);
    expect(text).toContain('And 2 more: see the files of this report.');
    expect(text.match(/custodian omar/g)).toHaveLength(10);
  });

  test('WH-15: what a partner named cannot break a line or fill a page', () => {
    const text = reportText(
      aReport([aRow({ section: 'undecided-signal', signal: { source: 'partner', eventId: `a\n\u001b[31mFAKE HEADLINE${'x'.repeat(5000)}` } }), aRow({ why: 'w'.repeat(5000) })]),
    );
    expect(text).not.toMatch(/^.{0,5}FAKE/m);
    expect(text.length).toBeLessThan(2500);
    expect(text).not.toContain('\u001b');
  });

  test.each([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3599, '59 min'],
    [3660, '1 h 1 min'],
    [7200, '2 h'],
    [90_000, '1 d 1 h'],
    [86_400 * 40, '40 d'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(ageText(seconds)).toBe(text);
  });

  test('every section has a title', () => {
    expect(Object.keys(SECTION_TITLES)).toEqual([...SECTIONS]);
  });
});

/** What a reader of RFC 4180 makes of a file. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (const [, cells = ''] of text.matchAll(/((?:"(?:[^"]|"")*",?)+)\r\n/g))
    rows.push([...cells.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = '']) => cell.replaceAll('""', '"')));
  return rows;
}

describe('as CSV', () => {
  test.each(['=HYPERLINK("http://evil.example","x")', ' =1+1', '\t=1', '-2+3', '@SUM(A1)', '+15035550101', '\r=1', '\u0000=1', '\n=1', '＝1+1'])(
    'WH-14: %j is text, and the original is back without the apostrophe',
    (name) => {
      const [, row] = parseCsv(reportCsv([aRow({ why: name })]));
      expect(row?.[7]).toBe(`'${name}`);
    },
  );

  test('WH-14: what no spreadsheet evaluates stays as it is, quotes, commas and line breaks included', () => {
    for (const why of ['plain', 'a "quoted", thing', 'two\r\nlines', "'quoted'", 'a=b', '2-3', '']) expect(parseCsv(reportCsv([aRow({ why })]))[1]?.[7], why).toBe(why);
  });

  test('M-04: a header, one row each, CRLF; an empty report is its header', () => {
    expect(reportCsv([])).toBe('"section","handoff","signal","age_seconds","custodian","last_receipt","last_receipt_at","why","link","business_age_seconds"\r\n');
    expect(parseCsv(reportCsv([aRow({ section: 'undecided-signal', signal: { source: 'partner', eventId: '=1' } }), aRow()]))).toHaveLength(3);
    const first = aRow();
    const { handoff: _, custodian: __, ...bare } = first;
    expect(parseCsv(reportCsv([{ ...bare, signal: { source: '=cmd', eventId: '1' } }]))[1]).toEqual([
      'nobody-asked',
      '',
      "'=cmd 1",
      '60',
      '',
      '',
      '',
      'because',
      `npx baton show ${ID}`,
      '',
    ]);
  });
});

describe('as a page', () => {
  test('WH-15: every text is escaped, attributes included', () => {
    const page = reportHtml(
      aReport([aRow({ why: '<a href=//e>x</a> & "y" \'z\'', link: 'https://x.example/"><script>1</script>' }), aRow({ section: 'undecided-signal', link: '<b>' })]),
    );
    expect(page).toContain('&lt;a href=//e&gt;x&lt;/a&gt; &amp; &quot;y&quot; &#39;z&#39;');
    expect(page).not.toMatch(/<script|<b>|<a href=\/\//);
  });

  test('WH-15: only a web address becomes a link', () => {
    expect(reportHtml(aReport([aRow({ link: 'javascript:alert(1)' })]))).not.toContain('href');
    expect(reportHtml(aReport([aRow({ link: 'https://x.example/h' })]))).toContain('<a href="https://x.example/h">');
  });

  test('M-01: the title is the headline, also when nothing is listed', () => {
    const page = reportHtml(aReport([], { received: 1, closed: 1 }));
    expect(page).toContain('<title>Empty and reconciled: nothing is unowned, and every signal is accounted for.</title>');
    expect(page).toContain('class="calm"');
    expect(reportHtml(aReport([aRow()]))).toContain('class="alarm"');
    expect(reportHtml(aReport([], { received: 1 }))).toContain('class="alarm"');
  });

  test('it fits a phone and paper, and needs no script', () => {
    const page = reportHtml(aReport([aRow()]));
    expect(page).toContain('width=device-width');
    expect(page).toContain('@media print');
    expect(page).not.toContain('<script');
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  test('a long report is cut, and says by how much', () => {
    expect(reportHtml(aReport(Array.from({ length: 12 }, () => aRow())), 10)).toContain('And 2 more');
  });
});
