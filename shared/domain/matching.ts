// Which requests may be one: keys from confirmed identifiers, and what a match of keys means (D-01). Sees sealed keys as well as plain ones.

import type { HandoffId } from './ids.ts';
import type { Packet } from './packet.ts';

/** What can be found again in a book. A name alone finds nobody; it only confirms. */
export const FINDING_KEYS = ['email', 'phone', 'household', 'firm'] as const;
export type FindingKey = (typeof FINDING_KEYS)[number];

/** The identifiers of one arrival, each in the one form that compares. */
export type MatchKeys = Partial<Record<FindingKey | 'name', string>>;

/** Which identifiers were the same; never their values. `same-thread`: the same call, conversation or meeting. `marked`: a person said so. */
export const MATCH_EVIDENCE = ['same-email', 'same-phone', 'same-name', 'same-household', 'same-firm', 'same-thread', 'marked'] as const;
export type MatchEvidence = (typeof MATCH_EVIDENCE)[number];

/** What one arrival stated, and the handoff it belongs to. */
export type MatchEntry = { handoffId: HandoffId; contract: string; category?: string; occurredAt: string; keys: MatchKeys };

/** Strong: it is that request. Weak: a person has to compare the two. */
export type Match = { strength: 'strong' | 'weak'; entry: MatchEntry; evidence: readonly MatchEvidence[] };

/** Two arrivals further apart than this are two requests. By the time of the source, inclusive (ID-12). */
export const MATCH_WINDOW_DAYS = 30;
const WINDOW_MS = MATCH_WINDOW_DAYS * 24 * 60 * 60 * 1000;

/** The keys of what was stated; what is not valid gives no key (ID-02, ID-04). */
export function matchKeys({ contact, location }: Pick<Packet, 'contact' | 'location'>): MatchKeys {
  const email = emailKey(contact.email ?? '');
  const words = nameWords(contact.name ?? '');
  const family = words.at(-1);
  const postal = (location.postalCode ?? '').replace(/[^0-9A-Za-z]/g, '');
  const host = email?.slice(email.indexOf('@') + 1);
  return {
    ...(email !== undefined && { email }),
    ...(/^\+[1-9]\d{6,14}$/.test(contact.phone ?? '') && { phone: contact.phone ?? '' }),
    ...(words.length > 0 && { name: [...words].sort().join(' ') }),
    ...(family !== undefined && words.length > 1 && postal !== '' && { household: `${asciiLower(postal)} ${family}` }),
    ...(host !== undefined && !isEverybodys(host) && { firm: host }),
  };
}

/**
 * The form of an address that compares (ID-07, ID-09). Mail still goes to the address as typed. Undefined for what only looks
 * like an address: a local part beyond ASCII, or letters that normalising would turn into others.
 */
export function emailKey(address: string): string | undefined {
  const typed = address.trim();
  const [local = '', host = '', ...rest] = typed.split('@');
  if (rest.length > 0 || typed.length > 254 || !/^[!#-'*+\-/-9=?A-Z^-~.]+$/.test(local) || !/^[^\s.]+(?:\.[^\s.]+)+$/.test(host)) return undefined;
  if (host.normalize('NFKC') !== host) return undefined;
  const domain = asciiLower(host);
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${asciiLower(local)}@${domain}`;
  const mailbox = asciiLower(local).replace(/\+.*$/, '').replaceAll('.', '');
  return mailbox === '' ? undefined : `${mailbox}@gmail.com`;
}

/** Only the 26 letters have a lower case that is the same everywhere. */
const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));

/** `Pérez, Ana` and `ana perez` are the same words, in the order of speaking. */
function nameWords(name: string): string[] {
  const [family = '', given] = name.split(',');
  const spoken = given === undefined ? name : `${given} ${family}`;
  const plain = spoken.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}'\u2019-]+/gu) ?? [];
}

/** Hosts where anybody can have an address, and names that are kept for examples: sharing one says nothing. */
const EVERYBODYS = new Set(
  (
    'gmail.com googlemail.com icloud.com me.com mac.com aol.com msn.com ymail.com rocketmail.com proton.me protonmail.com pm.me mail.com zoho.com fastmail.com hey.com ' +
    'web.de t-online.de freenet.de orange.fr free.fr laposte.net libero.it comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net btinternet.com ' +
    'qq.com 163.com 126.com example.com example.net example.org'
  ).split(' '),
);
const isEverybodys = (host: string): boolean => EVERYBODYS.has(host) || /^(?:yahoo|hotmail|outlook|live|gmx|yandex)\./.test(host);

/** What an arrival has in common with others, strong matches first, then the newest. An arrival of another contract is another request. */
export function matchesOf(arriving: MatchEntry, others: readonly MatchEntry[]): Match[] {
  const found = others.filter(({ handoffId, contract }) => handoffId !== arriving.handoffId && contract === arriving.contract).flatMap((entry) => matchWith(arriving, entry));
  const strengths = { strong: 0, weak: 1 } as const;
  return found.sort((a, b) => strengths[a.strength] - strengths[b.strength] || (a.entry.occurredAt < b.entry.occurredAt ? 1 : -1));
}

function matchWith(arriving: MatchEntry, entry: MatchEntry): Match[] {
  const same = (key: keyof MatchKeys) => arriving.keys[key] !== undefined && arriving.keys[key] === entry.keys[key];
  const evidence = EVIDENCE_OF.filter(([key]) => same(key)).map(([, name]) => name);
  if (!FINDING_KEYS.some(same)) return [];
  const later = Date.parse(arriving.occurredAt) - Date.parse(entry.occurredAt);
  if (later > WINDOW_MS) return [];
  const samePerson = same('email') || (same('phone') && same('name'));
  if (samePerson && compatible(arriving, entry)) return [{ strength: 'strong', entry, evidence }];
  return -later > WINDOW_MS ? [] : [{ strength: 'weak', entry, evidence }];
}

const EVIDENCE_OF: readonly (readonly [keyof MatchKeys, MatchEvidence])[] = [
  ['email', 'same-email'],
  ['phone', 'same-phone'],
  ['name', 'same-name'],
  ['household', 'same-household'],
  ['firm', 'same-firm'],
];

/** Two kinds of work that were both stated are two requests, until a person says otherwise. */
const compatible = (one: MatchEntry, other: MatchEntry): boolean => one.category === undefined || other.category === undefined || one.category === other.category;

/**
 * Whether an arrival is news from before: the customer acted no later than the arrival that a closed handoff has dealt with.
 * Such a replay opens nothing (ID-12).
 */
export const isOldNews = (arriving: MatchEntry, { strength, entry }: Match): boolean => strength === 'strong' && arriving.occurredAt <= entry.occurredAt;
