import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadPolicy, type PolicyFiles, readPolicy } from '../../shared/contracts/policy-files.ts';
import { resolveCandidates } from '../../shared/domain/resolver.ts';
import { aPacket } from '../support/builders.ts';
import { CONTRACT, findings, lineOf, SAMPLE, valid, withChange } from '../support/sample-policy.ts';

describe('the sample business', () => {
  const policy = valid(SAMPLE);
  const [contract] = policy.contracts;
  if (contract === undefined) throw new Error('no contract');
  const ask = (packet: Parameters<typeof aPacket>[0], now: string) =>
    resolveCandidates({ packet: aPacket(packet), policy: { contract, roster: policy.roster, calendars: policy.calendars }, openCounts: {}, now }).candidates.map(
      (one) => one.person,
    );

  test('C-01: five people, one contract, and every exception ends at a third person', () => {
    expect(policy.roster.people.map((person) => person.id)).toEqual(['ina', 'omar', 'dana', 'rosa', 'sam']);
    for (const rule of Object.values(contract.exceptions)) expect(new Set([rule.owner, rule.backup, rule.escalateTo]).size).toBe(3);
  });

  test('C-01: a customer in Portland has somebody to ask and somebody after them, at any hour', () => {
    for (const now of ['2026-03-02T16:00:00.000Z', '2026-03-08T10:30:00.000Z', '2026-12-25T09:00:00.000Z']) expect(ask({}, now)).toEqual(['rosa', 'sam']);
  });

  test('C-01: Spanish goes to Rosa, Beaverton to Sam, and New York to nobody', () => {
    const now = '2026-03-02T16:00:00.000Z';
    expect(ask({ contact: { language: 'es' } }, now)).toEqual(['rosa']);
    expect(ask({ location: { postalCode: '97006' } }, now)).toEqual(['sam']);
    expect(ask({ location: { postalCode: '10001' } }, now)).toEqual([]);
  });

  test('addresses are fictional', () => {
    for (const person of policy.roster.people) {
      expect(person.email).toMatch(/@roof\.example$/);
      expect(person.sms).toMatch(/^\+1503555\d{4}$/);
    }
  });
});

describe('what is wrong is named by file, line, path, expectation and what stands there', () => {
  test.each([
    ['a duration', CONTRACT, 'window: 5m', 'window: five', 'ask[0].window: expected a duration such as 5m, got "five"'],
    ['a reminder after the end', CONTRACT, 'warnAt: 3m', 'warnAt: 5m', 'ask[0].warnAt: expected a reminder before the window ends, counted in the same time'],
    ['a duration of nothing', CONTRACT, 'window: 5m', 'window: 0m', 'ask[0].window: expected a duration such as 5m, got "0m"'],
    ['an endless duration', CONTRACT, 'dueWithin: 2d ', 'dueWithin: 400d ', 'accept.dueWithin: expected at most 90d, got "400d"'],
    ['a missing key', CONTRACT, 'changeOwner: dana', '', 'changeOwner: expected the id of a person of the roster, got nothing'],
    ['an unknown key', CONTRACT, 'changeOwner: dana', 'changeOwner: dana\nshoutAt: everyone', 'shoutAt: no rule reads this key; expected it to be absent, got "everyone"'],
    ['a team as owner', CONTRACT, 'changeOwner: dana', 'changeOwner: sales team', 'changeOwner: expected a person of the roster (ina, omar, dana, rosa, sam), got "sales team"'],
    [
      'a backup that is the same person',
      CONTRACT,
      '{ person: ina,  backup: omar }    #',
      '{ person: ina, backup: ina }    #',
      'responsible.observer.backup: expected a backup who is somebody else, got "ina"',
    ],
    [
      'an escalation to the owner',
      CONTRACT,
      'default:                   { owner: omar, backup: dana, escalateTo: ina,',
      'default: { owner: omar, backup: dana, escalateTo: omar,',
      'exceptions.default.escalateTo: expected somebody other than the owner to escalate to, got "omar"',
    ],
    [
      'a reject reason without consequence',
      CONTRACT,
      '  no-capacity:               { then: next-candidate }\n',
      '',
      'reject.no-capacity: expected then, class, flag, exclude, explain, got nothing',
    ],
    [
      'a consequence nobody carries out',
      CONTRACT,
      '{ then: next-candidate }\n',
      '{ then: forget-it }\n',
      'reject.no-capacity.then: expected one of next-candidate, exception, got "forget-it"',
    ],
    [
      'an exception without class',
      CONTRACT,
      '{ then: exception, class: possible-duplicate }',
      '{ then: exception }',
      'reject.duplicate.class: expected the class of the exception, one of no-eligible-owner',
    ],
    ['a class that does not exist', CONTRACT, 'exception: nobody-answered', 'exception: bad-luck', 'accept.ifOverdue.exception: expected one of no-eligible-owner'],
    [
      'no default for exceptions',
      CONTRACT,
      '  default:                   { owner: omar, backup: dana, escalateTo: ina,  respond: 30m, review: 4h, meanwhile: hold }\n',
      '',
      'exceptions.default: expected owner, backup, escalateTo',
    ],
    [
      'a role nobody holds',
      CONTRACT,
      '{ role: seller, order: least-open }',
      '{ role: plumber, order: least-open }',
      'ask[0].who.role: expected a role that somebody on the roster holds, got "plumber"',
    ],
    ['somebody asked who lacks the role', CONTRACT, 'people: [sam, rosa]', 'people: [sam, ina]', 'ask[1].who.people[1]: expected a seller of the roster (rosa, sam), got "ina"'],
    ['an order that is none', CONTRACT, 'order: fixed', 'order: random', 'ask[1].who.order: expected one of fixed, least-open, fair-turn, got "random"'],
    ['a fact nobody can state', CONTRACT, '- request.words', '- request.budget', 'requires[2]: expected a fact'],
    ['no start rule', CONTRACT, SAMPLE[CONTRACT]?.match(/starts:\n[\s\S]*?\n\n/)?.[0] ?? '?', 'starts: []\n\n', 'starts: expected at least one of: start rules, got a list'],
    ['a signal kind that does not exist', CONTRACT, 'on: call.missed', 'on: fax.received', 'starts[3].on: expected one of form.submitted, call.missed, '],
    ['a next action twice', CONTRACT, '[call, visit, write-quote]', '[call, visit, call]', 'accept.nextActions[2]: expected each of next actions once, got "call"'],
    ['an empty value', CONTRACT, 'lateAcceptance: allow-if-unclaimed', 'lateAcceptance:', 'lateAcceptance: expected one of deny, allow-if-unclaimed, got nothing'],
    ['a person twice', 'roster.yaml', 'id: sam', 'id: rosa', 'people[4].id: expected each person once, got "rosa"'],
    ['a team on the roster', 'roster.yaml', 'id: sam', 'id: sales-team', 'people[4].id: expected one named person, not a team or a role, got "sales-team"'],
    ['a phone number', 'roster.yaml', '"+15035550105"', '503-555-0105', 'people[4].sms: expected a number with country code, such as +15035550101, got "503-555-0105"'],
    ['an address', 'roster.yaml', 'sam@roof.example', 'sam at roof', 'people[4].email: expected one e-mail address, got "sam at roof"'],
    ['a zone', 'roster.yaml', 'zone: America/Los_Angeles', 'zone: Pacific', 'people[0].zone: expected a zone such as America/Los_Angeles, got "Pacific"'],
    ['a zone that is an offset', 'roster.yaml', 'zone: America/Los_Angeles', 'zone: -08:00', 'people[0].zone: expected a zone such as America/Los_Angeles, got "-08:00"'],
    [
      'a calendar that does not exist',
      'roster.yaml',
      'calendar: portland-office',
      'calendar: seattle',
      'people[0].calendar: expected a calendar of calendars.yaml (portland-office, portland-sales), got "seattle"',
    ],
    ['a range that runs backwards', 'roster.yaml', '97201-97239', '97239-97201', 'people[3].territories[0]: expected a postal code such as 97201'],
    ['a range of unequal codes', 'roster.yaml', '97201-97239', '97201-9', 'people[3].territories[0]: expected a postal code such as 97201'],
    [
      'an absence that ends before it starts',
      'roster.yaml',
      'speaks: es',
      'speaks: es\n    away: [{ from: 2026-03-05, to: 2026-03-01 }]',
      'people[3].away[0]: expected a last day that is not before the first, got a group of keys',
    ],
    ['hours', 'calendars.yaml', '07:00-19:00', '7-19', 'calendars[1].weekly.mon[0]: expected hours such as 08:00-17:00'],
    ['hours without length', 'calendars.yaml', '07:00-19:00', '07:00-07:00', 'calendars[1].weekly.mon[0]: expected an end that differs from the start'],
    ['a date that does not exist', 'calendars.yaml', '2026-11-26', '2026-11-31', 'calendars[0].closedOn[0]: expected a date that exists, got "2026-11-31"'],
    ['a calendar twice', 'calendars.yaml', 'name: portland-sales', 'name: portland-office', 'calendars[1].name: expected each calendar once, got "portland-office"'],
  ])('C-03: %s', (_, path, piece, instead, expected) => {
    const files = withChange(path, piece, instead);
    expect(findings(files).join('\n')).toContain(expected);
    expect(findings(files)[0]).toMatch(new RegExp(`^policy/${path}:\\d+ `));
  });

  test('C-03: the line is that of the mistake, not of the file', () => {
    const files = withChange(CONTRACT, 'window: 5m', 'window: five');
    expect(findings(files)).toEqual([`policy/${CONTRACT}:${lineOf(files, CONTRACT, 'window: five')} ask[0].window: expected a duration such as 5m, got "five" (C-01)`]);
  });

  test('C-03: every mistake is named at once, across all files', () => {
    const files = { ...withChange(CONTRACT, 'window: 5m', 'window: five'), 'roster.yaml': withChange('roster.yaml', 'sam@roof.example', 'sam')['roster.yaml'] ?? '' };
    expect(findings(files)).toHaveLength(2);
  });

  test('C-03: an owner without any address could never be told', () => {
    const files = withChange('roster.yaml', '    email: dana@roof.example\n    sms: "+15035550103"\n', '');
    expect(findings(files).join('\n')).toContain('changeOwner: expected a person who has an e-mail address or a phone number on the roster, got "dana"');
  });

  test('C-03: a key written twice is refused, since one of them would be lost in silence', () => {
    expect(findings(withChange(CONTRACT, 'changeOwner: dana', 'changeOwner: dana\nchangeOwner: omar'))[0]).toMatch(/^policy\/contracts\/roof-inspection\.yaml:\d+ .*unique/);
  });

  test.each([
    ['a tab and a broken bracket', 'starts:\n\t- [a'],
    ['nothing', ''],
    ['a plain word', 'hello'],
    ['two documents', 'contract: a\n---\ncontract: b'],
    ['references that multiply', `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]`],
  ])('C-03: a file of %s is a finding, not a crash', (_, text) => {
    expect(findings({ ...SAMPLE, [CONTRACT]: text })[0]).toMatch(/^policy\/contracts\/roof-inspection\.yaml:\d+ /);
  });

  test('C-03: two contracts of one name, no contract, and a missing file', () => {
    expect(findings({ ...SAMPLE, 'contracts/second.yaml': SAMPLE[CONTRACT] ?? '' })[0]).toContain('contract: expected a name that no other contract has, got "roof-inspection"');
    const { [CONTRACT]: _, ...without } = SAMPLE;
    expect(findings(without)[0]).toMatch(/^policy\/contracts: expected at least one contract/);
    const { 'roster.yaml': __, ...noRoster } = SAMPLE;
    expect(findings(noRoster)[0]).toBe('policy/roster.yaml: expected this file, got nothing');
  });
});

describe('what a value means', () => {
  test('postal codes keep their zeros, and a bare no stays a word', () => {
    const [, , , rosa] = valid(withChange('roster.yaml', '[97201-97239]', '[02101, 02115-02119, V6B 1A1]')).roster.people;
    expect(rosa?.territories).toEqual(['02101', '02115-02119', 'V6B 1A1']);
    const [, , , speaker] = valid(withChange('roster.yaml', 'languages: [en, es]\n    speaks: es', 'languages: [no]\n    speaks: es')).roster.people;
    expect(speaker?.languages).toEqual(['no']);
  });

  test.each([
    ['30s', 30],
    ['5m', 300],
    ['2h', 7200],
    ['1d', 86_400],
  ])('%s is %i seconds of wall time', (text, seconds) => {
    expect(valid(withChange(CONTRACT, 'dueWithin: 2d', `dueWithin: ${text}`)).contracts[0]?.accept.dueWithin).toEqual({ seconds });
  });

  test('O-02: a reason that is itself a class of exception raises that class', () => {
    expect(valid(SAMPLE).contracts[0]?.reject['existing-customer-service']).toEqual({ then: 'exception', class: 'existing-customer-service', flagRule: false });
    expect(valid(SAMPLE).contracts[0]?.reject['wrong-territory']).toEqual({ then: 'next-candidate', flagRule: true });
  });
});

describe('versions', () => {
  const versionOf = (files: PolicyFiles) => valid(files).contracts[0]?.version;

  test('C-04: comments, layout and the order of keys do not change a version', () => {
    const text = (SAMPLE[CONTRACT] ?? '')
      .replaceAll(/#.*$/gm, '')
      .replaceAll('{ then: exception, class: possible-duplicate }', '\n    class: possible-duplicate\n    then: exception');
    expect(versionOf({ ...SAMPLE, [CONTRACT]: text })).toBe(versionOf(SAMPLE));
    expect(versionOf(SAMPLE)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('C-04: a changed rule and a changed calendar each make a new version; the roster has its own', () => {
    expect(versionOf(withChange(CONTRACT, 'window: 5m', 'window: 6m'))).not.toBe(versionOf(SAMPLE));
    expect(versionOf(withChange('calendars.yaml', '07:00-19:00', '07:00-20:00'))).not.toBe(versionOf(SAMPLE));
    const moved = withChange('roster.yaml', '[97201-97239]', '[97201-97238]');
    expect(versionOf(moved)).toBe(versionOf(SAMPLE));
    expect(valid(moved).roster.version).not.toBe(valid(SAMPLE).roster.version);
  });
});

describe('a folder on disk', () => {
  let folder: string | undefined;
  afterEach(() => folder !== undefined && rmSync(folder, { recursive: true }));

  test('is read like the files in it, and one that is not there is a finding', () => {
    folder = mkdtempSync(join(tmpdir(), 'policy-'));
    mkdirSync(join(folder, 'contracts'));
    for (const [path, text] of Object.entries(SAMPLE)) writeFileSync(join(folder, path), text);
    writeFileSync(join(folder, 'contracts/notes.txt'), 'not a contract');
    const read = loadPolicy(folder);
    expect(read).toEqual(readPolicy(SAMPLE));
    expect(loadPolicy(join(folder, 'nowhere'))).toMatchObject({ kind: 'invalid' });
  });
});
