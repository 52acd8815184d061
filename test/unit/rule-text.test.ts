import { expect, test } from 'vitest';
import { resolveCandidates } from '../../shared/domain/resolver.ts';
import { ruleText } from '../../shared/domain/wording/rule-text.ts';
import { wordingFor } from '../../shared/domain/wording/wording.ts';
import { aCalendar, aPacket, aPerson, aPolicy, NOW } from '../support/builders.ts';

const [english, spanish] = [wordingFor('en'), wordingFor('es')];

test('R-01: whoever reads Spanish reads in Spanish why they are asked, whatever the resolver saw', () => {
  const rosa = aPerson('rosa', {
    ...{ territories: ['97201-97239'], products: ['roof-inspection'], languages: ['en', 'es'], calendar: 'office', capacity: 4 },
    licences: [{ name: 'oregon-ccb', until: '2027-01-01' }],
  });
  const policy = aPolicy({ people: [rosa], calendars: [aCalendar()], contract: { licences: [{ licence: 'oregon-ccb' }] } });
  const [candidate] = resolveCandidates({ packet: aPacket({ contact: { language: 'es' } }), policy, openCounts: {}, now: NOW }).candidates;
  const rule = candidate?.rule ?? '';
  expect(rule.split(' · ')).toHaveLength(6);
  const parts = ruleText(rule, spanish).split(' · ');
  expect(parts).toEqual(['atiende 97201-97239', 'vende inspección de techo', 'con licencia oregon-ccb', 'habla español', 'de turno según office', 'lleva 0 de 4']);
  expect(ruleText(rule, english)).toBe(rule.replace('roof-inspection', 'roof inspection'));
});

test('C-06: what is no rule of the resolver, and what nobody knows, is not lost', () => {
  expect(ruleText('serves everywhere · sells everything · time to answer by signal call.missed', spanish)).toBe(
    'atiende en todas partes · vende de todo · plazo para responder según signal call.missed',
  );
  expect(ruleText('reassigned', spanish)).toBe('alguien del equipo se la ha pasado');
  expect(ruleText('a rule of tomorrow', spanish)).toBe('a rule of tomorrow');
});
