// Keys that the resolver and the ownership audit read.

import { describe, expect, test } from 'vitest';
import { type PolicyFiles, readPolicy } from '../../shared/contracts/policy-files.ts';
import { CONTRACT, findings, lineOf, SAMPLE, valid, withChange } from '../support/sample-policy.ts';

describe('the keys of the resolver', () => {
  const people = (files: PolicyFiles) => valid(files).roster.people;
  const PERSON = 'speaks: es';
  const ROSA = `${PERSON}\n    capacity: 12\n    licences: [{ name: oregon-ccb, until: 2027-06-30 }, { name: oregon-ccb, from: 2027-07-01, until: 2028-06-30 }]\n    notReachableBy: [{ channel: sms, because: opted-out }]`;

  test('R-02 R-05: capacity, licences and channels that no longer work', () => {
    expect(people(withChange('roster.yaml', PERSON, ROSA))[3]).toMatchObject({
      capacity: 12,
      licences: [
        { name: 'oregon-ccb', until: '2027-06-30' },
        { name: 'oregon-ccb', from: '2027-07-01', until: '2028-06-30' },
      ],
      closedChannels: [{ channel: 'sms', because: 'opted-out' }],
    });
  });

  test('O-09: the sample shows a limit on messages, off, which taking its first # away switches on for everybody', () => {
    const roster = SAMPLE['roster.yaml'] ?? '';
    const on = roster.replace(/^# (messagesPerHour: .*\n\npeople:)/m, '$1');
    expect(on).not.toBe(roster);
    expect(valid(SAMPLE).roster.messagesPerHour).toBeUndefined();
    expect(valid({ ...SAMPLE, 'roster.yaml': on }).roster.messagesPerHour).toEqual({ email: 30, sms: 12 });
  });

  test('R-06: territories by name, and a roster version that follows their boundaries', () => {
    const drawn = (codes: string) => {
      const files = withChange('roster.yaml', 'people:\n', `territories:\n  - { name: west, postalCodes: [${codes}] }\n  - { name: coast, regions: [OR] }\npeople:\n`);
      return valid({ ...files, 'roster.yaml': (files['roster.yaml'] ?? '').replace('territories: [97201-97239]', 'territories: [west, 97005]') }).roster;
    };
    expect(drawn('97201-97229')).toMatchObject({
      territories: [
        { name: 'west', postalCodes: ['97201-97229'], regions: [] },
        { name: 'coast', postalCodes: [], regions: ['OR'] },
      ],
    });
    expect(drawn('97201-97229').people[3]?.territories).toEqual(['west', '97005']);
    expect(drawn('97201-97229').version).not.toBe(drawn('97201-97228').version);
  });

  test('O-09: how many messages an hour, for everybody and for one of them, as the sample explains it; another number is another roster', () => {
    const [, example = ''] = /^# +(messagesPerHour: \{.*\})$/m.exec(SAMPLE['roster.yaml'] ?? '') ?? [];
    const limited = (firm: string) => {
      const files = withChange('roster.yaml', 'people:\n', `${firm}\npeople:\n`);
      return valid({ ...files, 'roster.yaml': (files['roster.yaml'] ?? '').replace(PERSON, `${PERSON}\n    messagesPerHour: { sms: 4 }`) }).roster;
    };
    const roster = limited(example);
    expect([roster.messagesPerHour, roster.people[3]?.messagesPerHour]).toEqual([{ email: 30, sms: 12 }, { sms: 4 }]);
    expect(limited('messagesPerHour: { email: 31, sms: 12 }').version).not.toBe(roster.version);
  });

  test('R-02 R-03 O-02 C-02: whose turn, who may, who is left out, and who holds a job by role', () => {
    const text = (SAMPLE[CONTRACT] ?? '')
      .replace('order: least-open', 'order: fair-turn')
      .replace('no-capacity:               { then: next-candidate }', 'no-capacity:               { then: next-candidate, exclude: today }')
      .replace('other:                     { then: next-candidate }', 'other:                     { then: next-candidate, explain: required }')
      .replace('{ person: rosa, backup: sam }', '{ role: seller, backup: ina }')
      .replace(
        'lateAcceptance:',
        'licences: [{ licence: oregon-ccb, products: [roof-repair] }]\nserves: { products: [roof-repair], languages: [en], territories: [97201-97239] }\nlateAcceptance:',
      );
    expect(valid({ ...SAMPLE, [CONTRACT]: text }).contracts[0]).toMatchObject({
      ask: [{ order: 'fair-turn' }, { order: 'fixed' }],
      reject: { 'no-capacity': { then: 'next-candidate', exclude: 'today', flagRule: false }, other: { then: 'next-candidate', flagRule: false } },
      responsible: { executor: { role: 'seller', backup: 'ina' } },
      licences: [{ licence: 'oregon-ccb', products: ['roof-repair'] }],
      serves: { products: ['roof-repair'], languages: ['en'], territories: ['97201-97239'] },
      service: { categories: ['warranty', 'repair-complaint'] },
      regulated: { categories: ['insurance-claim'] },
    });
  });

  const WINDOWS = (rules: string) => ({ ...SAMPLE, [CONTRACT]: (SAMPLE[CONTRACT] ?? '').replace('lateAcceptance:', `windows:\n${rules}\nlateAcceptance:`) });

  test('C-06: windows by signal, channel, product and urgency, as the sample explains them', () => {
    const rules = [...(SAMPLE[CONTRACT] ?? '').matchAll(/^# {2,}(- \{ when: .*\})$/gm)].map(([, rule]) => `  ${rule}`);
    expect(rules).toHaveLength(2);
    expect(
      valid(WINDOWS([...rules, '  - { when: { channel: [twilio], product: [roof-inspection], urgency: [today] }, window: 10 business minutes }'].join('\n'))).contracts[0]?.windows,
    ).toEqual([
      { when: { signal: ['call.missed'] }, window: { seconds: 180 } },
      { when: { signal: ['call.missed'], product: ['roof-repair'] }, window: { seconds: 120 }, warnAt: { seconds: 60 } },
      { when: { channel: ['twilio'], product: ['roof-inspection'], urgency: ['today'] }, window: { seconds: 600, calendar: 'portland-sales' } },
    ]);
  });

  test.each([
    [
      'two that could mean one request',
      '  - { when: { signal: [call.missed] }, window: 3m }\n  - { when: { product: [roof-repair] }, window: 2m }',
      'windows[1].when: expected something that tells it from windows[0]',
    ],
    ['one twice', '  - { when: { signal: [call.missed] }, window: 3m }\n  - { when: { signal: [call.missed] }, window: 2m }', 'windows[1]'],
    ['one that names nothing', '  - { when: {}, window: 3m }', 'windows[0].when: expected at least one of signal, channel, product, urgency'],
    ['a key that nothing reads', '  - { when: { mood: [angry] }, window: 3m }', 'windows[0].when'],
    ['a kind of signal that does not exist', '  - { when: { signal: [telepathy] }, window: 3m }', 'windows[0].when.signal[0]: expected one of form.submitted'],
    ['a reminder after the end', '  - { when: { signal: [call.missed] }, window: 3m, warnAt: 4m }', 'windows[0].warnAt: expected a reminder before the window ends'],
  ])('C-06: %s is refused with file, path and what was expected', (_, rules, saying) => {
    expect(findings(WINDOWS(rules)).join('\n')).toContain(saying);
  });

  test('E-04: matters of safety by category and words, told even while sending is paused', () => {
    expect(valid(SAMPLE).contracts[0]).toMatchObject({
      safety: { categories: ['roof-collapse'], words: expect.arrayContaining(['smell of gas']) },
      exceptions: { 'safety-urgent': { whilePaused: 'send', respond: { seconds: 300 } } },
    });
  });

  test.each([
    ['a safety section that names nothing', CONTRACT, /^safety:\n.*\n.*$/m, 'safety: {}', 'safety: expected categories or words by which a matter of safety is known'],
    ['words that are no words', CONTRACT, 'words: [ceiling is coming down,', 'words: ["--",', 'safety.words[0]: expected words that customers use'],
    [
      'a matter of safety that waits for opening hours',
      CONTRACT,
      'respond: 5m,  review: 1h,',
      'respond: 5 business minutes, review: 1h,',
      'exceptions.safety-urgent.respond: expected time by the wall clock',
    ],
    ['nobody named for it', CONTRACT, /^ {2}safety-urgent:.*\n/m, '', 'exceptions: expected safety-urgent: who answers for the matters of safety'],
    ['an unknown word about pauses', CONTRACT, 'whilePaused: send', 'whilePaused: maybe', 'exceptions.safety-urgent.whilePaused: expected one of send'],
  ])('E-04: %s is refused with file, path and what was expected', (_, file, from, to, saying) => {
    const text = SAMPLE[file] ?? '';
    expect(text).toMatch(from);
    expect(findings({ ...SAMPLE, [file]: text.replace(from, to) }).join('\n')).toContain(saying);
  });

  test.each([
    [
      'a capacity of nothing',
      'roster.yaml',
      PERSON,
      `${PERSON}\n    capacity: 0`,
      'people[3].capacity: expected how many handoffs they may own at a time, from 1 to 9999, got "0"',
    ],
    [
      'a limit of nothing',
      'roster.yaml',
      'people:\n',
      'messagesPerHour: { email: 0 }\npeople:\n',
      'messagesPerHour.email: expected how many messages within an hour, from 1 to 60, got "0"',
    ],
    ['a limit on no channel', 'roster.yaml', PERSON, `${PERSON}\n    messagesPerHour: {}`, 'people[3].messagesPerHour: expected a number for email, sms or slack'],
    ['a limit on a channel that nobody has', 'roster.yaml', PERSON, `${PERSON}\n    messagesPerHour: { fax: 3 }`, 'people[3].messagesPerHour'],
    [
      'a licence that ends before it starts',
      'roster.yaml',
      PERSON,
      `${PERSON}\n    licences: [{ name: ccb, from: 2027-01-01, until: 2026-01-01 }]`,
      'people[3].licences[0]: expected a last day that is not before the first',
    ],
    [
      'a channel without an address',
      'roster.yaml',
      `${PERSON}\n    zone: America/Los_Angeles\n    email: rosa@roof.example`,
      `${PERSON}\n    zone: America/Los_Angeles\n    notReachableBy: [{ channel: email, because: bounced }]`,
      'people[3].notReachableBy: expected a channel that they have an address for, not email',
    ],
    ['a territory that nobody drew', 'roster.yaml', '[97201-97239]', '[west]', 'people[3].territories[0]: expected postal codes, or a territory of roster.yaml, got "west" (R-06)'],
    ['a territory without boundaries', 'roster.yaml', 'people:\n', 'territories: [{ name: west }]\npeople:\n', 'territories[0]: expected postalCodes or regions'],
    [
      'a territory twice',
      'roster.yaml',
      'people:\n',
      'territories: [{ name: west, regions: [OR] }, { name: west, regions: [WA] }]\npeople:\n',
      'territories[1].name: expected each territory once',
    ],
    [
      'an owner whom nothing reaches',
      'roster.yaml',
      '    sms: "+15035550103"',
      '    notReachableBy: [{ channel: email, because: bounced }]',
      'changeOwner: expected a person who can be reached (e-mail bounced), got "dana" (C-03)',
    ],
    [
      'a role that nobody holds',
      CONTRACT,
      '{ person: rosa, backup: sam }',
      '{ role: plumber, backup: sam }',
      'responsible.executor.role: expected a role that somebody on the roster holds, got "plumber" (C-03)',
    ],
    [
      'a person and a role',
      CONTRACT,
      '{ person: rosa, backup: sam }',
      '{ person: rosa, role: seller, backup: sam }',
      'responsible.executor: expected either person: or role:, and a backup',
    ],
    [
      'a backup that is the same',
      CONTRACT,
      'custodianUntilAccepted: { person: ina, backup: omar }',
      'custodianUntilAccepted: { person: ina, backup: ina }',
      'expected a backup who is somebody else, got "ina" (C-03)',
    ],
    [
      'a no that would ask a question',
      CONTRACT,
      'missing-required-field:    { then: exception, class: missing-context }',
      'missing-required-field:    { then: clarification, answeredBy: intake }',
      'reject.missing-required-field.then: expected one of next-candidate, exception; a no ends the offer, and a seller who needs to know more asks a question instead, got "clarification"',
    ],
    [
      'facts that nobody would complete',
      CONTRACT,
      'missing-required-field:    { then: exception, class: missing-context }',
      'missing-required-field:    { then: exception, class: missing-context, answeredBy: intake }',
      'reject.missing-required-field.answeredBy: expected it to be absent; nobody is asked to complete the facts after a no',
    ],
    [
      'an explanation where none is asked for',
      CONTRACT,
      'no-capacity:               { then: next-candidate }',
      'no-capacity:               { then: next-candidate, explain: required }',
      'reject.no-capacity.explain: expected it at other only',
    ],
    [
      'somebody left out by an exception',
      CONTRACT,
      'existing-customer-service: { then: exception }',
      'existing-customer-service: { then: exception, exclude: today }',
      'reject.existing-customer-service.exclude: expected it beside then: next-candidate only',
    ],
  ])('C-03: %s', (_, path, piece, instead, expected) => {
    expect(findings(withChange(path, piece, instead)).join('\n')).toContain(expected);
  });

  test('C-03: the sample leaves nothing to luck; what does is told with file, line and rule, and stops nobody', () => {
    expect(readPolicy(SAMPLE)).toMatchObject({ kind: 'valid', warnings: [] });
    const files = withChange(CONTRACT, '{ person: rosa, backup: sam }', '{ person: dana, backup: sam }');
    const read = readPolicy(files);
    expect(read).toMatchObject({ kind: 'valid' });
    expect(read.kind === 'valid' ? read.warnings : []).toEqual([
      `policy/${CONTRACT}:${lineOf(files, CONTRACT, '{ person: dana, backup: sam }')} warning: responsible.executor: dana approves and carries out: name different people, or accept that nobody checks the work (C-02)`,
    ]);
  });
});
