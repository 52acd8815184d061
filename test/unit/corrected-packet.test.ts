import { expect, test } from 'vitest';
import { changedBy, correctedPacket, mayCorrect } from '../../shared/domain/corrected-packet.ts';
import { EXCEPTION_CLASSES } from '../../shared/domain/policy.ts';
import { aPacket, NOW } from '../support/builders.ts';

const website = { system: 'website', eventId: 'w-1', kind: 'form.submitted', occurredAt: NOW };
const packet = aPacket({ location: { postalCode: '10001' }, request: { category: 'roof-inspection' }, contact: {}, sources: [website] });
const source = { eventId: 'h-1:4', occurredAt: NOW };

test('E-03 P-03: a new value stands, the old one is kept with its source, and a fact that was missing is known', () => {
  const next = correctedPacket(packet, { 'location.postalCode': '97201', 'contact.language': 'es' }, source);
  expect(next).toMatchObject({ version: packet.version + 1, location: { postalCode: '97201' }, contact: { language: 'es' } });
  expect(next.alsoStated).toEqual([{ path: 'location.postalCode', value: '10001', system: 'website', eventId: 'w-1' }]);
  expect(next.sources.at(-1)).toEqual({ system: 'staff', kind: 'facts.corrected', ...source });
  expect(next.unknown).not.toContain('contact.language');
  expect(packet.location).toEqual({ postalCode: '10001' });
});

test('E-03: what says the same, or nothing, changes nothing', () => {
  expect(changedBy(packet, { 'location.postalCode': '10001', 'request.category': '' })).toEqual([]);
  expect(changedBy(packet, { 'location.postalCode': '97201', 'request.product': 'tile' })).toEqual(['location.postalCode', 'request.product']);
});

test('E-03: a generator’s text belongs to the facts it was written on', () => {
  const generated = { generator: 'g', generatorVersion: '1', at: NOW, summary: 's' };
  expect(correctedPacket({ ...packet, generated }, { 'location.postalCode': '97201' }, source).generated).toBeUndefined();
});

test('E-03: only classes that other facts may end take a correction', () => {
  const open = EXCEPTION_CLASSES.filter((name) => mayCorrect({ class: name }));
  expect(open.sort()).toEqual(['all-declined', 'clarification-expired', 'conflicting-facts', 'missing-context', 'no-eligible-owner', 'territory-unknown']);
});
