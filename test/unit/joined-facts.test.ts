// What another source of the same request changes for a handoff that waits, is asked about, or stands still.

import { describe, expect, test } from 'vitest';
import { firstPacket } from '../../shared/domain/first-packet.ts';
import { commandId, handoffId } from '../../shared/domain/ids.ts';
import { stillLacking } from '../../shared/domain/joined-facts.ts';
import { linkedPacket } from '../../shared/domain/linked-packet.ts';
import { nextStep } from '../../shared/domain/next-step.ts';
import { aPolicy, aSignal, INA, later, NOW, OMAR, ROSA } from '../support/builders.ts';
import { aLife, kinds, type Life, offered, resolve, silent, workflow } from '../support/lives.ts';

const link = (more: { added?: string[]; conflicting?: string[]; merged?: ReturnType<typeof handoffId> }, id = 'again') =>
  ({
    kind: 'link-signal',
    commandId: commandId(`link:${id}`),
    source: 'website',
    sourceEventId: id,
    occurredAt: NOW,
    evidence: ['same-email'],
    added: [],
    conflicting: [],
    ...more,
  }) as const;

const answering = (life: Life) => life.handoff.exceptions.at(-1);

describe('a missing fact that another source brings', () => {
  const held = () => {
    const life = aLife(aPolicy(), { missing: ['request.words', 'contact.email or contact.phone'] });
    life.tell(workflow('raise-exception'), NOW);
    return life;
  };

  test('P-03 E-01: ends the exception that waited for it, and the request begins anew with its intake lead', () => {
    const life = held();
    expect(answering(life)).toMatchObject({ class: 'missing-context', owner: OMAR });
    life.tell(link({ added: ['request.words', 'contact.phone'] }), later(NOW, 60));
    expect(kinds(life)).toEqual(['handoff.opened', 'exception.raised', 'signal.linked', 'exception.cleared']);
    expect(life.handoff).toMatchObject({ state: 'ready', custodian: INA });
    expect(life.handoff).not.toHaveProperty('lacking');
    expect(nextStep(life.handoff, aPolicy(), later(NOW, 61))).toEqual({ kind: 'resolve-candidates' });
  });

  test('E-01: an exception owner who took it on already is not left with it', () => {
    const life = held();
    life.tell({ kind: 'accept-exception', commandId: commandId('a'), by: OMAR, channel: 'email', exception: 1 }, later(NOW, 10));
    life.tell(link({ added: ['request.words', 'contact.email'] }), later(NOW, 60));
    expect(life.handoff.state).toBe('ready');
    expect(answering(life)?.resolvedAt).toBe(later(NOW, 60));
  });

  test('P-04: half of what is missing changes nothing; the other half, from a third source, does', () => {
    const life = held();
    life.tell(link({ added: ['contact.phone'] }, '2'), later(NOW, 60));
    expect(life.handoff).toMatchObject({ state: 'exception', lacking: ['request.words'] });
    life.tell(link({ added: ['request.words'] }, '3'), later(NOW, 70));
    expect(life.handoff.state).toBe('ready');
  });

  test('P-03: brought before anybody was told, no exception is raised at all', () => {
    const life = aLife(aPolicy(), { missing: ['request.words'] });
    life.tell(link({ added: ['request.words'] }), later(NOW, 1));
    expect(nextStep(life.handoff, aPolicy(), later(NOW, 2))).toEqual({ kind: 'resolve-candidates' });
  });

  test('E-03: an exception of another class stays, whatever arrives', () => {
    const life = silent();
    life.tell(link({ added: ['request.words'] }), later(NOW, 800));
    expect(life.handoff.state).toBe('exception');
  });

  test('O-02: what a seller found missing counts as missing, and ends the same way', () => {
    const policy = aPolicy({ contract: { reject: { ...aPolicy().contract.reject, 'missing-required-field': { then: 'exception', class: 'missing-context', flagRule: false } } } });
    const life = offered(policy);
    life.tell(
      { kind: 'reject', commandId: commandId('no'), by: ROSA, channel: 'email', offer: 1, reason: 'missing-required-field', field: 'contact.phone', explained: false },
      later(NOW, 5),
    );
    life.tell(workflow('raise-exception'), later(NOW, 6));
    expect(life.handoff).toMatchObject({ state: 'exception', lacking: ['contact.phone'] });
    life.tell(link({ added: ['contact.phone'] }), later(NOW, 60));
    expect(life.handoff.state).toBe('ready');
    life.tell(resolve, later(NOW, 61));
    expect(life.handoff.candidates.length).toBeGreaterThan(0);
  });

  test('alternatives are met by any of them', () => {
    expect(stillLacking(['a or b', 'c'], ['b'])).toEqual(['c']);
    expect(stillLacking([], ['b'])).toEqual([]);
  });
});

describe('facts on which sources differ', () => {
  test('L-06 P-02: two places before anybody was asked go to the owner of conflicting-facts, and nobody is asked by a guess', () => {
    const life = aLife(aPolicy());
    life.tell(link({ conflicting: ['location.postalCode'] }), later(NOW, 1));
    expect(nextStep(life.handoff, aPolicy(), later(NOW, 2))).toEqual({ kind: 'raise-exception', class: 'conflicting-facts', because: 'sources differ on: location.postalCode' });
    life.tell(workflow('raise-exception'), later(NOW, 2));
    expect(answering(life)).toMatchObject({ class: 'conflicting-facts' });
    expect(life.handoff).not.toHaveProperty('contradictions');
  });

  test('P-03: another phone number stops nothing: whoever holds the request reads both', () => {
    const life = aLife(aPolicy());
    life.tell(link({ conflicting: ['contact.phone', 'contact.name', 'request.words'] }), later(NOW, 1));
    expect(nextStep(life.handoff, aPolicy(), later(NOW, 2))).toEqual({ kind: 'resolve-candidates' });
  });

  test('O-07: whoever is asked may still answer; with their silence the next is not asked, a person sorts it out', () => {
    const life = offered();
    life.tell(link({ conflicting: ['location.city'] }), later(NOW, 10));
    expect(life.handoff.state).toBe('acceptance-requested');
    life.tell(workflow('time-out'), later(NOW, 300));
    expect(nextStep(life.handoff, aPolicy(), later(NOW, 301))).toMatchObject({ kind: 'raise-exception', class: 'conflicting-facts' });
  });

  test('L-04: a yes by somebody who read both values stands', () => {
    const life = offered();
    life.tell(link({ conflicting: ['location.city'] }), later(NOW, 10));
    const yes = { kind: 'accept', by: ROSA, channel: 'email', offer: 1, nextAction: 'call', dueAt: later(NOW, 3600), seenPacketVersion: 2 } as const;
    expect(life.tell({ ...yes, commandId: commandId('yes') }, later(NOW, 20)).kind).toBe('decided');
    expect(life.handoff.state).toBe('accepted');
    expect(life.handoff).not.toHaveProperty('contradictions');
    life.tell(link({ conflicting: ['location.region'] }, '3'), later(NOW, 30));
    expect(life.handoff).toMatchObject({ state: 'accepted', custodian: ROSA });
    expect(life.handoff).not.toHaveProperty('toRaise');
  });

  test('E-02: found while an exception stands, they are put to a person after it', () => {
    const life = aLife(aPolicy(), { missing: ['request.words'] });
    life.tell(workflow('raise-exception'), NOW);
    life.tell(link({ added: ['request.words'], conflicting: ['location.postalCode'] }), later(NOW, 60));
    expect(life.handoff.state).toBe('ready');
    expect(nextStep(life.handoff, aPolicy(), later(NOW, 61))).toMatchObject({ kind: 'raise-exception', class: 'conflicting-facts' });
  });
});

describe('the packet of two sources', () => {
  const packetOf = (more: Parameters<typeof aSignal>[0]) => firstPacket(aSignal(more));

  test('P-01 P-02: both addresses stand side by side, each with its source, and joining again adds neither twice', () => {
    const first = packetOf({ location: { postalCode: '97201', city: 'Portland' } });
    const second = packetOf({ source: 'typeform', eventId: 'f-2', location: { postalCode: '10001', city: 'New York' } });
    const { packet, conflicting } = linkedPacket(first, second);
    expect(packet.location).toEqual({ postalCode: '97201', city: 'Portland' });
    expect(packet.alsoStated).toEqual([
      { path: 'location.postalCode', value: '10001', system: 'typeform', eventId: 'f-2' },
      { path: 'location.city', value: 'New York', system: 'typeform', eventId: 'f-2' },
    ]);
    expect(conflicting).toEqual(['location.postalCode', 'location.city']);
    expect(linkedPacket(packet, second).packet.alsoStated).toEqual(packet.alsoStated);
  });

  test('R-02: account records of all sources are kept; two of them are for a person to sort out', () => {
    const first = packetOf({ account: { matches: ['a-1'], existingCustomer: 'no' } });
    const { packet, added, conflicting } = linkedPacket(first, packetOf({ source: 'crm', eventId: '9', account: { matches: ['a-2', 'a-1'], existingCustomer: 'yes' } }));
    expect(packet.account).toEqual({ existingCustomer: 'no', matches: ['a-1', 'a-2'] });
    expect({ added, conflicting }).toEqual({ added: ['account.matches'], conflicting: ['account.existingCustomer'] });
    expect(linkedPacket(packetOf({}), packetOf({ source: 'crm', eventId: '9', account: { existingCustomer: 'yes' } }))).toMatchObject({
      packet: { account: { existingCustomer: 'yes' } },
      added: ['account.existingCustomer'],
    });
  });
});

describe('two reviewers who merge two requests into each other', () => {
  const [LOW, HIGH] = [handoffId(`h-${'1'.repeat(32)}`), handoffId(`h-${'2'.repeat(32)}`)];
  const reviewed = (id: typeof LOW, of: typeof LOW) => {
    const life = aLife(aPolicy(), { handoffId: id, possibleDuplicate: { of, evidence: ['same-phone'] } });
    life.tell(workflow('raise-exception'), NOW);
    life.tell({ kind: 'accept-exception', commandId: commandId('a'), by: OMAR, channel: 'email', exception: 1 }, later(NOW, 10));
    return life;
  };
  const merge = { kind: 'merge-duplicate', commandId: commandId('m'), by: OMAR, channel: 'email', exception: 1 } as const;

  test('D-01: the sources of both are in both, and exactly the one with the higher id ends', () => {
    const [low, high] = [reviewed(LOW, HIGH), reviewed(HIGH, LOW)];
    low.tell(link({ merged: HIGH }), later(NOW, 20));
    high.tell(link({ merged: LOW }), later(NOW, 20));
    expect(low.tell(merge, later(NOW, 21)).kind).not.toBe('decided');
    expect(high.tell(merge, later(NOW, 21)).kind).toBe('decided');
    expect(high.handoff).toMatchObject({ state: 'closed', mergedInto: LOW });
    expect(low.handoff).toMatchObject({ state: 'ready', absorbed: [HIGH] });
    expect(low.handoff).not.toHaveProperty('possibleDuplicate');
  });

  test('D-01: of the other order, too', () => {
    const high = reviewed(HIGH, LOW);
    high.tell(link({ merged: LOW }), later(NOW, 20));
    expect(high.handoff).toMatchObject({ state: 'exception', absorbed: [LOW] });
    expect(high.tell(merge, later(NOW, 21)).kind).toBe('decided');
  });
});
