import { describe, expect, test } from 'vitest';
import { fromLocal } from '../../shared/domain/local-time.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import { resolveCandidates } from '../../shared/domain/resolver.ts';
import { aCalendar, aPacket, aPerson, aPolicy, NOW, ROSA, SAM } from '../support/builders.ts';

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
