// The eight cases that a lead resolver must be tried with, each from the packet to what becomes of the handoff.

import { describe, expect, test } from 'vitest';
import { fromLocal } from '../../shared/domain/local-time.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import { resolveCandidates } from '../../shared/domain/resolver.ts';
import { aCalendar, anExceptionRule, aPacket, aPerson, aPolicy, DANA, INA, NOW } from '../support/builders.ts';
import { aLife, kinds, resolve as resolveCommand, workflow } from '../support/lives.ts';

const look = (policy: Policy, packet: Packet, now = NOW) => resolveCandidates({ packet, policy, openCounts: {}, now });
const asked = (policy: Policy, packet: Packet, now = NOW) => look(policy, packet, now).candidates.map((one) => one.person);

/** What becomes of a handoff whose candidates are named now: who is asked, or who owns the exception. */
function outcome(policy: Policy, packet: Packet, now = NOW) {
  const life = aLife(policy);
  life.tell({ ...resolveCommand, packet } as typeof resolveCommand, now);
  life.tell(workflow('request-acceptance'), now);
  life.tell(workflow('raise-exception'), now);
  const [exception] = life.handoff.exceptions;
  return { asked: life.handoff.offers.map((offer) => offer.to), class: exception?.class, owner: exception?.owner, because: exception?.because, kinds: kinds(life) };
}

const staff = [aPerson('ina', { roles: ['intake'] }), aPerson('omar', { roles: ['operations'] }), aPerson('dana', { roles: ['owner'] })];

describe('the eight cases of the seed', () => {
  const east = { name: 'east', postalCodes: ['97230-97299'], regions: [] };
  const west = { name: 'west', postalCodes: ['97201-97230'], regions: [] };
  const mapped = (territories = [west, east]): Policy => {
    const policy = aPolicy({
      people: [aPerson('rosa', { territories: ['west'] }), aPerson('sam', { territories: ['east'] }), ...staff],
      contract: { exceptions: { default: anExceptionRule(), 'territory-unknown': anExceptionRule({ owner: DANA, escalateTo: INA, backup: INA }) } },
    });
    return { ...policy, roster: { ...policy.roster, territories } };
  };

  test('R-06: a service address on a territory boundary goes to the owner of the territory rule, not to the first who fits', () => {
    const onBoth = outcome(mapped(), aPacket({ location: { postalCode: '97230' } }));
    expect(onBoth).toMatchObject({ asked: [], class: 'territory-unknown', owner: DANA, because: 'the address lies in 2 territories: east, west' });
    expect(onBoth.kinds).toEqual(['handoff.opened', 'candidates.resolved', 'exception.raised']);
    expect(outcome(mapped(), aPacket({ location: { postalCode: '97005' } }))).toMatchObject({ asked: [], class: 'territory-unknown', because: 'the address lies in no territory' });
    expect(outcome(mapped(), aPacket({ location: {} }))).toMatchObject({ class: 'territory-unknown' });
    expect(outcome(mapped(), aPacket({ location: { postalCode: '97231' } }))).toMatchObject({ asked: ['sam'], class: undefined });
    expect(look(mapped(), aPacket({ location: { postalCode: '97230' } })).considered.slice(0, 2)).toEqual([
      { person: 'rosa', eligible: false, failed: 'territory unknown: the address is on no side, or on two' },
      { person: 'sam', eligible: false, failed: 'territory unknown: the address is on no side, or on two' },
    ]);
  });

  test('R-02: a product request served by only one specialist is asked of the specialist, and becomes an exception without them', () => {
    const people = (away: { from: string; to: string }[]) => [aPerson('kim', { products: ['slate'], away }), aPerson('sam', { products: ['roof-inspection'] }), ...staff];
    const packet = aPacket({ request: { product: 'slate' } });
    expect(outcome(aPolicy({ people: people([]) }), packet)).toMatchObject({ asked: ['kim'] });
    const without = aPolicy({ people: people([{ from: '2026-03-01', to: '2026-03-09' }]) });
    expect(outcome(without, packet)).toMatchObject({ asked: [], class: 'no-eligible-owner' });
    expect(look(without, packet).considered.slice(0, 2)).toEqual([
      { person: 'kim', eligible: false, failed: 'away until 2026-03-09' },
      { person: 'sam', eligible: false, failed: 'other product: sells roof-inspection' },
    ]);
  });

  test('R-02: a bilingual request when the primary Spanish-speaking owner is unavailable goes to the next who speaks it, never to somebody who does not', () => {
    const away = [{ from: '2026-03-02', to: '2026-03-02' }];
    const people = [aPerson('rosa', { languages: ['en', 'es'], away }), aPerson('sam'), aPerson('luz', { languages: ['es'] }), ...staff];
    const spanish = aPacket({ contact: { language: 'es' } });
    expect(asked(aPolicy({ people }), spanish)).toEqual(['luz']);
    expect(outcome(aPolicy({ people: people.filter((person) => person.id !== 'luz') }), spanish)).toMatchObject({ asked: [], class: 'no-eligible-owner' });
  });

  test('R-02: a lead arriving during a holiday schedule is asked of whoever works that day', () => {
    const calendars = [aCalendar({ closedOn: ['2026-12-25'] }), aCalendar({ name: 'holidays', specialHours: { '2026-12-25': [{ from: '10:00', to: '14:00' }] } })];
    const people = [aPerson('rosa', { calendar: 'office' }), aPerson('sam', { calendar: 'holidays' }), ...staff];
    const policy = aPolicy({ people, calendars });
    const portland = (text: string) => fromLocal(text, 'America/Los_Angeles').instant;
    expect(asked(policy, aPacket(), portland('2026-12-25T11:00'))).toEqual(['sam']);
    expect(look(policy, aPacket(), portland('2026-12-25T11:00')).considered[0]).toMatchObject({ failed: 'off duty: office is closed on 2026-12-25' });
    expect(outcome(policy, aPacket(), portland('2026-12-25T15:00'))).toMatchObject({ asked: [], class: 'no-eligible-owner' });
  });

  test('R-02: a regulated question requiring an authorized role goes to whoever has the authority', () => {
    const exceptions = { default: anExceptionRule(), 'regulated-request': anExceptionRule({ owner: DANA, backup: INA, escalateTo: INA }) };
    const policy = aPolicy({ contract: { regulated: { categories: ['insurance-claim'] }, exceptions } });
    const byCategory = outcome(policy, aPacket({ request: { category: 'insurance-claim' } }));
    expect(byCategory).toMatchObject({ asked: [], class: 'regulated-request', owner: DANA, because: 'insurance-claim needs somebody with the authority for it' });
    expect(outcome(policy, aPacket({ request: { category: 'roof-inspection', regulated: 'Insurance-Claim' } }))).toMatchObject({ class: 'regulated-request' });
    const unnamed = outcome(policy, aPacket({ request: { regulated: 'my private matter' } }));
    expect(unnamed).toMatchObject({ asked: [], class: 'regulated-request' });
    expect(JSON.stringify(unnamed)).not.toContain('private');
  });

  test("R-02: a current customer's service request incorrectly entering the sales path is asked of no seller", () => {
    const policy = aPolicy({ contract: { service: { categories: ['warranty'] } } });
    const known = { account: { existingCustomer: 'yes' as const } };
    expect(outcome(policy, aPacket({ ...known, request: { purpose: 'service' } }))).toMatchObject({ asked: [], class: 'existing-customer-service', owner: 'omar' });
    expect(outcome(policy, aPacket({ ...known, request: { category: 'warranty' } }))).toMatchObject({ class: 'existing-customer-service' });
    expect(outcome(policy, aPacket({ request: { purpose: 'service' } }))).toMatchObject({ class: 'existing-customer-service', because: 'asks for service on earlier work' });
    expect(outcome(policy, aPacket({ ...known, request: { category: 'roof-inspection', purpose: 'sales' } }))).toMatchObject({ asked: ['rosa'], class: undefined });
    expect(outcome(policy, aPacket({ request: { category: 'warranty' } }))).toMatchObject({ asked: ['rosa'] });
    expect(outcome(policy, aPacket({ account: { existingCustomer: 'no' }, request: { purpose: 'service' } }))).toMatchObject({ asked: ['rosa'] });
  });

  test('R-02: a lead that matches two active account records is not guessed into one of them', () => {
    const two = outcome(aPolicy(), aPacket({ account: { matches: ['a-1', 'a-2', 'a-1'] } }));
    expect(two).toMatchObject({ asked: [], class: 'several-accounts', because: 'matches 2 active account records' });
    expect(JSON.stringify(two)).not.toContain('a-1');
    expect(outcome(aPolicy(), aPacket({ account: { matches: ['a-1', 'a-1'] } }))).toMatchObject({ asked: ['rosa'] });
  });

  test('R-04: no eligible owner at all is an exception of a named person, and nobody is invented', () => {
    const policy = aPolicy({ people: [aPerson('rosa', { territories: ['98101'] }), ...staff] });
    const none = outcome(policy, aPacket());
    expect(none).toMatchObject({ asked: [], class: 'no-eligible-owner', owner: 'omar', because: 'nobody on the roster passed every rule' });
    expect(look(policy, aPacket()).candidates).toEqual([]);
  });
});
