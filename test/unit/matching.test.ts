import { describe, expect, test } from 'vitest';
import { firstPacket } from '../../shared/domain/first-packet.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { linkedPacket } from '../../shared/domain/linked-packet.ts';
import { emailKey, isOldNews, type MatchEntry, type MatchKeys, matchesOf, matchKeys } from '../../shared/domain/matching.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import { later, NOW } from '../support/builders.ts';

const DAY = 24 * 60 * 60;
const entry = (keys: MatchKeys, more: Partial<MatchEntry> = {}): MatchEntry => ({ handoffId: handoffId('h-1'), contract: 'roof', occurredAt: NOW, keys, ...more });
const arriving = (keys: MatchKeys, more: Partial<MatchEntry> = {}): MatchEntry => entry(keys, { handoffId: handoffId('h-2'), ...more });
const verdict = (one: MatchEntry, other: MatchEntry) => matchesOf(one, [other]).map(({ strength, evidence }) => `${strength}: ${evidence.join(' ')}`)[0] ?? 'none';

describe('the form of an address that compares', () => {
  test.each([
    ['J.Doe+x@googlemail.com', 'jdoe@gmail.com'],
    ['jdoe@gmail.com', 'jdoe@gmail.com'],
    ['INFO@X.COM', 'info@x.com'],
    [' info@x.com ', 'info@x.com'],
    ['j.doe@company.com', 'j.doe@company.com'],
    ['j.doe+roof@company.com', 'j.doe+roof@company.com'],
    ['info@müller.example', 'info@müller.example'],
  ])('ID-07 ID-09: %s is %s', (typed, key) => {
    expect(emailKey(typed)).toBe(key);
  });

  test.each([
    '',
    'ada',
    'a@b',
    '@x.com',
    'a b@x.com',
    'a@x..com',
    'a@b@x.com',
    '\u212Aelvin@x.com',
    'inf\u0130@x.com',
    'info@\u212A.com',
    '+tag@gmail.com',
    '...@gmail.com',
    `${'a'.repeat(250)}@x.com`,
  ])('ID-09: %j gives no key', (typed) => {
    expect(emailKey(typed)).toBeUndefined();
  });
});

describe('keys of what was stated', () => {
  const keysOf = (contact: Packet['contact'], postalCode?: string) => matchKeys({ contact, location: postalCode === undefined ? {} : { postalCode } });

  test.each(['911', '+1911', '+1800', '0000000000', '1234567890', '0412 345 678', '+10412345678901234'])('ID-02 ID-04: %s is no phone key', (phone) => {
    expect(keysOf({ phone })).toEqual({});
  });

  test('a name alone finds nobody, and one word makes no household', () => {
    expect(keysOf({ name: 'Ada' }, '97201')).toEqual({ name: 'ada' });
    expect(keysOf({ name: 'Pérez, Ana' }, '97201')).toEqual(keysOf({ name: 'ana  PEREZ' }, '97-201'));
  });

  test('a host where everybody can have an address is no firm', () => {
    expect(keysOf({ email: 'a@gmail.com' })).not.toHaveProperty('firm');
    expect(keysOf({ email: 'a@yahoo.co.uk' })).not.toHaveProperty('firm');
    expect(keysOf({ email: 'a@builders.test' })).toMatchObject({ firm: 'builders.test' });
  });
});

describe('what a match means', () => {
  const email = { email: 'e' };
  test('D-01: the same address and the same work, or work that one of the two does not name, is the same request', () => {
    expect(verdict(arriving(email), entry(email))).toBe('strong: same-email');
    expect(verdict(arriving(email, { category: 'repair' }), entry(email))).toBe('strong: same-email');
    expect(verdict(arriving(email, { category: 'repair' }), entry(email, { category: 'inspection' }))).toBe('weak: same-email');
    expect(verdict(arriving(email), entry(email, { contract: 'solar' }))).toBe('none');
  });

  test('ID-06: a phone alone never merges; with the same name it does', () => {
    expect(verdict(arriving({ phone: 'p' }), entry({ phone: 'p', name: 'n' }))).toBe('weak: same-phone');
    expect(verdict(arriving({ phone: 'p', name: 'm' }), entry({ phone: 'p', name: 'n' }))).toBe('weak: same-phone');
    expect(verdict(arriving({ phone: 'p', name: 'n' }), entry({ phone: 'p', name: 'n' }))).toBe('strong: same-phone same-name');
  });

  test('D-01: a household and a firm are for a person to look at; a name is nothing', () => {
    expect(verdict(arriving({ household: 'h' }), entry({ household: 'h' }))).toBe('weak: same-household');
    expect(verdict(arriving({ firm: 'f' }), entry({ firm: 'f' }))).toBe('weak: same-firm');
    expect(verdict(arriving({ name: 'n' }), entry({ name: 'n' }))).toBe('none');
  });

  test('ID-12: the window ends after exactly thirty days, by the time of the source', () => {
    expect(verdict(arriving(email, { occurredAt: later(NOW, 30 * DAY) }), entry(email))).toBe('strong: same-email');
    expect(verdict(arriving(email, { occurredAt: later(NOW, 30 * DAY + 1) }), entry(email))).toBe('none');
  });

  test('ID-12: news from before is still the same request, however old, and never opens a second one', () => {
    const old = arriving(email, { occurredAt: later(NOW, -90 * DAY) });
    const [match] = matchesOf(old, [entry(email)]);
    expect(match?.strength).toBe('strong');
    expect(match && isOldNews(old, match)).toBe(true);
    const [fresh] = matchesOf(arriving(email, { occurredAt: later(NOW, 1) }), [entry(email)]);
    expect(fresh && isOldNews(arriving(email, { occurredAt: later(NOW, 1) }), fresh)).toBe(false);
    expect(verdict(arriving({ phone: 'p' }, { occurredAt: later(NOW, -31 * DAY) }), entry({ phone: 'p' }))).toBe('none');
  });

  test('strong matches come first, then the newest; nothing matches itself', () => {
    const others = [
      entry({ phone: 'p' }, { handoffId: handoffId('h-3'), occurredAt: later(NOW, 9) }),
      entry(email),
      entry(email, { handoffId: handoffId('h-4'), occurredAt: later(NOW, 5) }),
      entry(email, { handoffId: handoffId('h-2') }),
    ];
    expect(matchesOf(arriving({ ...email, phone: 'p' }), others).map((one) => one.entry.handoffId)).toEqual(['h-4', 'h-1', 'h-3']);
  });
});

describe('a second source in the packet', () => {
  const signal = (eventId: string, more: Partial<Signal> = {}): Signal => ({
    source: 'website',
    eventId,
    kind: 'form.submitted',
    occurredAt: NOW,
    receivedAt: NOW,
    contact: {},
    request: {},
    location: {},
    consent: {},
    more: {},
    ...more,
  });
  const first = firstPacket(
    signal('1', { contact: { email: 'a@x.test', phone: '+15035550101' }, request: { words: 'Leak' }, consent: { sms: 'granted' }, more: { roof: 'slate' } }),
  );

  test('P-03: what is new is added, what differs is kept apart, and the first value stays', () => {
    const second = firstPacket(
      signal('2', { contact: { email: 'a@x.test', phone: '+15035550199', name: 'Ada' }, request: { words: 'It drips now' }, more: { roof: 'tiles', storeys: '2' } }),
    );
    const { packet, added, conflicting } = linkedPacket(first, second);
    expect(packet).toMatchObject({ version: 2, contact: { name: 'Ada', phone: '+15035550101' }, more: { roof: 'slate', storeys: '2' } });
    expect(packet.sources.map((one) => one.eventId)).toEqual(['1', '2']);
    expect(packet.unknown).not.toContain('contact.name');
    expect(added).toEqual(['contact.name']);
    expect(conflicting).toEqual(['contact.phone', 'request.words', 'more.roof']);
    expect(packet.alsoStated?.map(({ value }) => value)).toEqual(['+15035550199', 'It drips now', 'tiles']);
  });

  test('D-02: a no to messages counts at once, whichever source says it, and a later yes does not undo it', () => {
    const no = linkedPacket(first, firstPacket(signal('2', { consent: { sms: 'denied' } }))).packet;
    expect(no.consent.sms).toBe('denied');
    expect(linkedPacket(no, firstPacket(signal('3', { consent: { sms: 'granted' } }))).packet.consent.sms).toBe('denied');
  });

  test('a source that is there already is not listed twice', () => {
    expect(linkedPacket(first, first).packet.sources).toHaveLength(1);
  });
});
