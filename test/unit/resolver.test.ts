import { describe, expect, test } from 'vitest';
import { commandId } from '../../shared/domain/ids.ts';
import { fromLocal } from '../../shared/domain/local-time.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Policy, Territory } from '../../shared/domain/policy.ts';
import { resolveCandidates } from '../../shared/domain/resolver.ts';
import { aCalendar, anOffer, aPacket, aPerson, aPolicy, later, NOW, ROSA, SAM } from '../support/builders.ts';
import { aLife, workflow } from '../support/lives.ts';

const resolve = (policy: Policy, packet: Packet = aPacket(), more: { now?: string; openCounts?: Record<string, number> } = {}) =>
  resolveCandidates({ packet, policy, openCounts: more.openCounts ?? {}, now: more.now ?? NOW });

/** What the resolver says about one seller, who is the only one on the roster. */
function about(person: Parameters<typeof aPerson>[1], packet?: Partial<Packet>, more: { now?: string; calendars?: Policy['calendars'] } = {}) {
  const policy = aPolicy({ people: [aPerson('rosa', person)], ...(more.calendars !== undefined && { calendars: more.calendars }) });
  const [verdict] = resolve(policy, aPacket(packet), more.now === undefined ? {} : { now: more.now }).considered;
  return verdict?.eligible === true ? verdict.rule : verdict?.failed;
}

const order = (policy: Policy, openCounts?: Record<string, number>) =>
  resolve(policy, aPacket(), openCounts === undefined ? {} : { openCounts }).candidates.map((one) => `${one.step}:${one.person}`);

describe('who is eligible, and why', () => {
  test('R-01: everyone on the roster is listed, with the rule that matched or the first that failed', () => {
    const policy = aPolicy({
      people: [
        aPerson('rosa', { territories: ['97201-97239'], products: ['roof-inspection'], languages: ['en', 'es'] }),
        aPerson('sam', { territories: ['98101'] }),
        aPerson('ina', { roles: ['intake'] }),
      ],
    });
    const { candidates, considered } = resolve(policy, aPacket({ contact: { language: 'es' } }));
    expect(considered).toEqual([
      { person: 'rosa', eligible: true, rule: 'serves 97201-97239 · sells roof-inspection · speaks Spanish' },
      { person: 'sam', eligible: false, failed: 'outside territory: serves 98101' },
      { person: 'ina', eligible: false, failed: 'not asked: no step of the contract names them as seller' },
    ]);
    expect(candidates).toEqual([{ person: 'rosa', step: 0, rule: 'serves 97201-97239 · sells roof-inspection · speaks Spanish' }]);
  });

  test('R-01: the same input gives the same answer, and nothing the customer wrote gets into it', () => {
    const packet = aPacket({
      contact: { name: 'Ada Marchetti', email: 'ada@example.com', language: 'klingon' },
      request: { category: 'my own words' },
      location: { postalCode: 'W1A 1AA' },
    });
    const policy = aPolicy({ people: [aPerson('rosa', { territories: ['97201'] }), aPerson('sam', { products: ['gutters'] }), aPerson('kim')] });
    const once = JSON.stringify(resolve(policy, packet));
    expect(JSON.stringify(resolve(policy, packet))).toBe(once);
    for (const said of ['Ada', 'example.com', 'klingon', 'own words', 'W1A']) expect(once).not.toContain(said);
  });

  test('R-02: gates are asked in order: territory before product before language before schedule before channel', () => {
    const wrong = { territories: ['98101'], products: ['gutters'], languages: ['fr'], away: [{ from: '2026-01-01', to: '2026-12-31' }] };
    expect(about(wrong)).toMatch(/^outside territory/);
    expect(about({ ...wrong, territories: [] })).toMatch(/^other product/);
    expect(about({ ...wrong, territories: [], products: [] })).toBe('does not speak English');
    expect(about({ away: wrong.away })).toBe('away until 2026-12-31');
    const { email: _, ...unreachable } = aPerson('rosa');
    expect(resolve(aPolicy({ people: [unreachable] })).considered).toEqual([{ person: 'rosa', eligible: false, failed: 'not reachable: neither e-mail nor text message' }]);
  });
});

describe('territory', () => {
  test.each([
    ['97201', '97201', true],
    ['97201-97239', '97201', true],
    ['97201-97239', '97239', true],
    ['97201-97239', '97240', false],
    ['97201-97239', '97201-4321', true],
    ['97201-97239', ' 97215 ', true],
    ['02101-02199', '02115', true],
    ['02101-02199', '2115', false],
    ['97201-97239', '9721', false],
    ['97201-97239', '972010', false],
    ['97201-97239', '97Z10', false],
    ['V6B 1A1', 'v6b1a1', true],
    ['V6B 1A1', 'V6B 1A2', false],
    ['SW1A 1AA', 'sw1a 1aa', true],
    ['SW1A 1AA', 'SW1A', false],
  ])('R-06: %s covers %s: %s', (entry, postalCode, covered) => {
    expect(about({ territories: [entry] }, { location: { postalCode } })).toBe(
      covered ? `serves ${entry} · sells everything · speaks English` : `outside territory: serves ${entry}`,
    );
  });

  test('R-06: a postal code that nobody stated is on nobody’s side, except for those who serve everywhere', () => {
    expect(about({ territories: ['97201'] }, { location: {} })).toBe('territory unknown');
    expect(about({}, { location: {} })).toMatch(/^serves everywhere/);
  });
});

describe('product and language', () => {
  test('R-02: the product decides, else the category; a product nobody stated is sold by those who sell everything', () => {
    expect(about({ products: ['gutters'] }, { request: { product: 'Gutters', category: 'roof-inspection' } })).toContain('sells gutters');
    expect(about({ products: ['gutters'] }, { request: { category: 'roof-inspection' } })).toBe('other product: sells gutters');
    expect(about({ products: ['gutters'] }, { request: {} })).toBe('product unknown');
    expect(about({}, { request: {} })).toContain('sells everything');
  });

  test.each([
    ['es', 'speaks Spanish'],
    ['ES-mx', 'speaks Spanish'],
    ['es_419', 'speaks Spanish'],
  ])('R-02: a customer who speaks %s is spoken to in Spanish', (language, rule) => {
    expect(about({ languages: ['en', 'es'] }, { contact: { language } })).toContain(rule);
    expect(about({ languages: ['en'] }, { contact: { language } })).toBe('does not speak Spanish');
  });

  test('L-06: a language that nobody stated excludes nobody; one that is no language is not guessed', () => {
    expect(about({ languages: ['es'] }, { contact: {} })).toBe('serves everywhere · sells everything');
    expect(about({ languages: ['en'] }, { contact: { language: 'Spanish please' } })).toBe('language unknown');
  });
});

describe('schedule', () => {
  const calendars = [aCalendar({ closedOn: ['2026-03-03'] })];
  const portland = (text: string) => fromLocal(text, 'America/Los_Angeles').instant;

  test('R-02: off duty, on a holiday, or away on that local date', () => {
    const person = { calendar: 'office' };
    expect(about(person, {}, { now: portland('2026-03-02T08:00'), calendars })).toContain('on duty by office');
    expect(about(person, {}, { now: portland('2026-03-02T07:59'), calendars })).toBe('off duty: office is closed at mon 07:59');
    expect(about(person, {}, { now: portland('2026-03-03T09:00'), calendars })).toBe('off duty: office is closed on 2026-03-03');
    expect(about({ ...person, away: [{ from: '2026-03-02', to: '2026-03-04' }] }, {}, { now: portland('2026-03-04T09:00'), calendars })).toBe('away until 2026-03-04');
    expect(about({ ...person, away: [{ from: '2026-03-02', to: '2026-03-04' }] }, {}, { now: portland('2026-03-05T09:00'), calendars })).toContain('on duty');
  });

  test("TM-08: the date of an absence is that of the person's own zone", () => {
    const away = [{ from: '2026-03-03', to: '2026-03-03' }];
    const now = '2026-03-02T20:00:00.000Z';
    expect(about({ zone: 'Pacific/Auckland', away }, {}, { now })).toBe('away until 2026-03-03');
    expect(about({ zone: 'America/Los_Angeles', away }, {}, { now })).toContain('serves everywhere');
  });

  test('R-02: a person without a calendar is always on duty; one whose calendar nobody wrote down never is', () => {
    expect(about({}, {}, { now: portland('2026-03-08T03:30') })).toContain('serves everywhere');
    expect(about({ calendar: 'lost' })).toBe('schedule unknown: no calendar lost');
  });
});

describe('the order of asking', () => {
  const people = [aPerson('zoe'), aPerson('rosa'), aPerson('sam')];
  const ask = (...steps: { order: 'fixed' | 'least-open'; people?: (typeof ROSA)[] }[]) =>
    aPolicy({ people, contract: { ask: steps.map((step) => ({ role: 'seller', window: { seconds: 300 }, ...step })) } });

  test('R-03: fixed follows the list of people, or the roster without one', () => {
    expect(order(ask({ order: 'fixed' }))).toEqual(['0:zoe', '0:rosa', '0:sam']);
    expect(order(ask({ order: 'fixed', people: [SAM, ROSA] }))).toEqual(['0:sam', '0:rosa']);
  });

  test('R-03: least-open asks whoever holds fewest, and ties break on the person’s id', () => {
    expect(order(ask({ order: 'least-open' }), { zoe: 2, rosa: 1 })).toEqual(['0:sam', '0:rosa', '0:zoe']);
    expect(order(ask({ order: 'least-open' }))).toEqual(['0:rosa', '0:sam', '0:zoe']);
  });

  test('R-03: a person is asked once, in the first step that names them', () => {
    expect(order(ask({ order: 'fixed', people: [SAM] }, { order: 'least-open' }))).toEqual(['0:sam', '1:rosa', '1:zoe']);
  });

  test('R-04: a step with nobody eligible is skipped, and a roster with nobody eligible names no candidate', () => {
    const policy = aPolicy({
      people: [aPerson('rosa', { territories: ['98101'] }), aPerson('sam')],
      contract: { ask: ask({ order: 'fixed', people: [ROSA] }, { order: 'fixed', people: [SAM] }).contract.ask },
    });
    expect(order(policy)).toEqual(['1:sam']);
    expect(resolve(aPolicy({ people: [] }))).toEqual({ candidates: [], considered: [] });
  });

  test('R-04: the roster stays as it was', () => {
    const policy = ask({ order: 'least-open' });
    order(policy, { zoe: 1 });
    expect(policy.roster.people.map((person) => person.id)).toEqual(['zoe', 'rosa', 'sam']);
  });
});

describe('licences, capacity, channels, earlier answers', () => {
  const day = (licences: Parameters<typeof aPerson>[1], contract = { licences: [{ licence: 'ccb', products: ['roof-inspection'] }] }, now = NOW) => {
    const policy = aPolicy({ people: [aPerson('rosa', licences)], contract });
    const [verdict] = resolve(policy, aPacket(), { now }).considered;
    return verdict?.eligible === true ? verdict.rule : verdict?.failed;
  };

  test('R-02: a licence must be valid on the local day of its holder, its last day included', () => {
    expect(day({})).toBe('no licence ccb');
    expect(day({ licences: [{ name: 'other', until: '2027-01-01' }] })).toBe('no licence ccb');
    expect(day({ licences: [{ name: 'ccb', until: '2026-03-01' }] })).toBe('licence ccb ended on 2026-03-01');
    expect(day({ licences: [{ name: 'ccb', from: '2026-03-03', until: '2027-03-02' }] })).toBe('licence ccb is not valid yet');
    expect(day({ licences: [{ name: 'ccb', until: '2026-03-02' }] })).toContain('licensed for ccb');
    expect(day({ licences: [{ name: 'ccb', until: '2026-03-02' }] }, undefined, '2026-03-03T07:59:00.000Z')).toContain('licensed for ccb');
    expect(day({ licences: [{ name: 'ccb', until: '2026-03-02' }] }, undefined, '2026-03-03T08:00:00.000Z')).toBe('licence ccb ended on 2026-03-02');
    const renewed = [
      { name: 'ccb', until: '2026-01-01' },
      { name: 'ccb', from: '2026-01-02', until: '2027-01-01' },
    ];
    expect(day({ licences: renewed })).toContain('licensed for ccb');
  });

  test('R-02: a licence is asked for only where a rule of the contract asks for it', () => {
    expect(day({}, { licences: [{ licence: 'ccb', products: ['gutters'] }] })).toBe('serves everywhere · sells everything · speaks English');
    expect(day({}, { licences: [{ licence: 'ccb' }] } as never)).toBe('no licence ccb');
  });

  test('R-05: whoever owns as many as they may is not asked; without a limit nobody counts', () => {
    const policy = aPolicy({ people: [aPerson('rosa', { capacity: 2 }), aPerson('sam')] });
    const at = (held: number) => resolveCandidates({ packet: aPacket(), policy, openCounts: {}, loads: { rosa: { held, turns: 0 }, sam: { held: 99, turns: 0 } }, now: NOW });
    expect(at(1).considered[0]).toMatchObject({ eligible: true, rule: expect.stringContaining('owns 1 of 2') });
    expect(at(2).considered[0]).toEqual({ person: ROSA, eligible: false, failed: 'at capacity: owns 2 of 2' });
    expect(at(2).candidates.map((one) => one.person)).toEqual([SAM]);
  });

  test('R-02: a channel that bounced, was opted out of or was never verified reaches nobody; one that works is enough', () => {
    const sms = '+15035550104';
    expect(about({ closedChannels: [{ channel: 'email', because: 'bounced' }] })).toBe('not reachable: e-mail bounced');
    expect(
      about({
        sms,
        closedChannels: [
          { channel: 'email', because: 'unverified' },
          { channel: 'sms', because: 'opted-out' },
        ],
      }),
    ).toBe('not reachable: e-mail unverified, text message opted-out');
    expect(about({ sms, closedChannels: [{ channel: 'email', because: 'bounced' }] })).toContain('serves everywhere');
  });

  test('O-07: nobody who said no to this handoff is asked again, except after the day they asked to be left out for', () => {
    const policy = aPolicy();
    const no = (more: object) => ({ ...anOffer({ status: 'rejected', reason: 'no-capacity' }), ...more });
    const verdictAfter = (offer: ReturnType<typeof no>) => resolveCandidates({ packet: aPacket(), policy, openCounts: {}, earlier: [offer], now: NOW }).considered[0];
    expect(verdictAfter(no({}))).toEqual({ person: ROSA, eligible: false, failed: 'said no before: no-capacity' });
    expect(verdictAfter(no({ excludedUntil: later(NOW, 60) }))).toMatchObject({ eligible: false });
    expect(verdictAfter(no({ excludedUntil: NOW }))).toMatchObject({ eligible: true });
    expect(verdictAfter(no({ to: SAM }))).toMatchObject({ eligible: true });
    expect(verdictAfter(no({ status: 'timed-out' }))).toMatchObject({ eligible: true });
  });

  test('O-02: who said no-capacity today is left out of every handoff until midnight where they are', () => {
    const policy = aPolicy();
    const at = (now: string) =>
      resolveCandidates({ packet: aPacket(), policy, openCounts: {}, loads: { rosa: { held: 0, turns: 0, excludedUntil: '2026-03-03T08:00:00.000Z' } }, now });
    expect(at('2026-03-03T07:59:59.999Z').considered[0]).toMatchObject({ failed: 'left out today: said no-capacity' });
    expect(at('2026-03-03T08:00:00.000Z').considered[0]).toMatchObject({ eligible: true });
  });

  test('R-02: the whole order: each gate is reported before the ones behind it', () => {
    const wrong = {
      territories: ['98101'],
      products: ['gutters'],
      languages: ['fr'],
      away: [{ from: '2026-01-01', to: '2026-12-31' }],
      capacity: 1,
      closedChannels: [{ channel: 'email' as const, because: 'bounced' as const }],
    };
    const mended = ['territories', 'products', 'licences', 'languages', 'away', 'capacity', 'closedChannels', 'nothing'] as const;
    const right = {
      territories: [],
      products: [],
      licences: [{ name: 'ccb', until: '2027-01-01' }],
      languages: ['en'],
      away: [],
      capacity: 2,
      closedChannels: [],
      nothing: undefined,
    };
    let person: Parameters<typeof aPerson>[1] = wrong;
    const seen = mended.map((next) => {
      const policy = aPolicy({ people: [aPerson('rosa', person)], contract: { licences: [{ licence: 'ccb' }] } });
      const earlier = [anOffer({ status: 'rejected', reason: 'other' })];
      const [verdict] = resolveCandidates({ packet: aPacket(), policy, openCounts: {}, loads: { rosa: { held: 1, turns: 0 } }, earlier, now: NOW }).considered;
      person = { ...person, [next]: right[next] };
      return verdict?.eligible === false ? verdict.failed.split(':')[0] : 'eligible';
    });
    expect(seen).toEqual([
      'outside territory',
      'other product',
      'no licence ccb',
      'does not speak English',
      'away until 2026-12-31',
      'at capacity',
      'not reachable',
      'said no before',
    ]);
  });

  test('R-02: the request itself is looked at first, in order', () => {
    const policy = aPolicy({ contract: { regulated: { categories: ['claims'] } } });
    const mapped = {
      ...policy,
      roster: { ...policy.roster, people: [aPerson('rosa', { territories: ['97201'] })], territories: [{ name: 'west', postalCodes: ['98101'], regions: [] }] },
    };
    const packet = aPacket({ request: { purpose: 'service', category: 'claims' }, account: { existingCustomer: 'yes', matches: ['1', '2'] } });
    const first = (part: Partial<Packet>) => resolve(mapped, { ...packet, ...part }).objection?.class;
    expect(first({})).toBe('existing-customer-service');
    expect(first({ request: { category: 'claims' } })).toBe('several-accounts');
    expect(first({ request: { category: 'claims' }, account: {} })).toBe('regulated-request');
    expect(first({ request: {}, account: {} })).toBe('territory-unknown');
  });
});

describe('regions and territories', () => {
  const drawn = (territories: Territory[], location: Packet['location'], person: Parameters<typeof aPerson>[1] = { territories: ['oregon'] }) => {
    const policy = aPolicy({ people: [aPerson('rosa', person)] });
    return resolve({ ...policy, roster: { ...policy.roster, territories } }, aPacket({ location }));
  };
  const oregon = { name: 'oregon', postalCodes: [], regions: ['OR'] };

  test('R-06: a whole region is a territory, however it is written', () => {
    for (const region of ['OR', 'or', ' US-OR ']) expect(drawn([oregon], { region }).candidates).toMatchObject([{ person: ROSA, rule: expect.stringContaining('serves oregon') }]);
    expect(drawn([oregon], { region: 'WA' }).objection).toMatchObject({ class: 'territory-unknown' });
    expect(drawn([oregon, { name: 'portland', postalCodes: ['97201'], regions: [] }], { region: 'OR', postalCode: '97201' }).objection?.because).toContain('oregon, portland');
  });

  test('R-06: a contract whose people serve everywhere asks no map', () => {
    expect(drawn([oregon], {}, {}).candidates).toHaveLength(1);
    expect(drawn([oregon], { region: 'WA' }, {}).objection).toBeUndefined();
  });
});

describe('fair-turn', () => {
  const turns = (loads: Record<string, { held: number; turns: number; turnAt?: string }>) => {
    const policy = aPolicy({ people: [aPerson('rosa'), aPerson('sam'), aPerson('kim')], contract: { ask: [{ role: 'seller', order: 'fair-turn', window: { seconds: 300 } }] } });
    return resolveCandidates({ packet: aPacket(), policy, openCounts: {}, loads, now: NOW }).candidates.map((one) => one.person);
  };

  test('R-03: whoever had their last turn longest ago is next; ties break on the id', () => {
    expect(turns({})).toEqual(['kim', 'rosa', 'sam']);
    expect(turns({ kim: { held: 0, turns: 9, turnAt: later(NOW, -60) }, sam: { held: 0, turns: 1, turnAt: later(NOW, -120) } })).toEqual(['rosa', 'sam', 'kim']);
  });

  test('R-03: the turn stands on the receipt with the mark it leaves, later than every other, even when time stands still', () => {
    const policy = aPolicy({ contract: { ask: [{ role: 'seller', order: 'fair-turn', window: { seconds: 300 } }] } });
    const life = aLife(policy);
    life.tell({ kind: 'resolve-candidates', commandId: commandId('r'), openCounts: {}, loads: { sam: { held: 0, turns: 1, turnAt: NOW } }, packet: aPacket() }, NOW);
    expect(life.receipts[1]).toMatchObject({ turn: { person: ROSA, at: later(NOW, 0.001) }, weighed: [{ person: SAM, open: 0, held: 0, turnAt: NOW }] });
    life.tell(workflow('request-acceptance'), NOW);
    expect(life.receipts[2]).not.toHaveProperty('turn');
    life.tell(workflow('time-out'), later(NOW, 300));
    life.tell(workflow('request-acceptance'), later(NOW, 301));
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'backup.requested', to: SAM, turn: true });
  });
});

describe('large rosters', () => {
  test('R-01: the receipt of a long roster stays small, names everybody eligible and says how many failed by which rule', () => {
    const people = Array.from({ length: 1000 }, (_, n) => aPerson(`p${n}`, { territories: [n < 10 ? '97201' : '98101'], roles: n < 800 ? ['seller'] : ['staff'] }));
    const life = aLife(aPolicy({ people }));
    life.tell({ kind: 'resolve-candidates', commandId: commandId('r'), openCounts: {}, packet: aPacket() }, NOW);
    const receipt = life.receipts[1];
    if (receipt?.kind !== 'candidates.resolved') throw new Error('no resolution');
    expect(receipt.considered).toHaveLength(300);
    expect(receipt.considered.filter((one) => one.eligible)).toHaveLength(10);
    expect(receipt.unlisted).toEqual([
      { failed: 'outside territory', people: 500 },
      { failed: 'not asked', people: 200 },
    ]);
    expect(JSON.stringify(receipt).length).toBeLessThan(64_000);
  });

  test('SF-16: of many who are eligible, the first fifty are candidates, in order', () => {
    const people = Array.from({ length: 200 }, (_, n) => aPerson(`p${String(n).padStart(3, '0')}`));
    const policy = aPolicy({ people, contract: { ask: [{ role: 'seller', order: 'least-open', window: { seconds: 300 } }] } });
    const openCounts = Object.fromEntries(people.map((person, n) => [person.id, (n * 37) % 200]));
    const { candidates } = resolve(policy, aPacket(), { openCounts });
    expect(candidates.map((one) => openCounts[one.person])).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });
});
