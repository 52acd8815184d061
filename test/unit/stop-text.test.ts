import { expect, test } from 'vitest';
import { stopText } from '../../shared/domain/wording/stop-text.ts';
import { wordingFor } from '../../shared/domain/wording/wording.ts';

const [english, spanish] = [wordingFor('en'), wordingFor('es')];

test('E-02: whoever answers for an exception reads in their language why it stopped, by the names of facts and not their paths', () => {
  expect(stopText('missing: location.postalCode, contact.phone or contact.email', english)).toBe('missing: postal code, phone number or e-mail address');
  expect(stopText('missing: location.postalCode', spanish)).toBe('falta: código postal');
  expect(stopText('sources differ on: request.category', spanish)).toBe('las fuentes no coinciden en: tipo de trabajo');
  expect(stopText('rejected: no-capacity', spanish)).toMatch(/^rechazada: «.+»$/);
  expect(stopText('rosa owed the answer to a question until 2026-06-03T10:00:00.000Z', spanish)).toBe('una pregunta sobre ella no se respondió a tiempo');
});

test('E-02: a reason that no wording knows is not lost', () => {
  expect(stopText('a reason of tomorrow', spanish)).toBe('a reason of tomorrow');
});

test.each([
  'missing: request.words',
  'sources differ on: location.postalCode',
  'rejected: no-capacity',
  'matches 2 active account records',
  'an existing customer asks for service',
  'asks for service on earlier work',
  'an existing customer asks for leak, which is service',
  'asbestos needs somebody with the authority for it',
  'stated as a regulated matter that no rule of the contract names',
  'had asked for no contact by email and sms',
  'nobody who could be asked could be reached',
  'the promised next step stayed without evidence',
  'rosa owed the answer to a question until 2026-06-03T10:00:00.000Z',
  'marked as a duplicate of h-0123',
  'the address lies in no territory',
  'the address lies in 2 territories: north, south',
  'the source states that it is a matter of safety',
  'gas is a matter of safety',
  'the words name “gas leak”, which is a matter of safety',
])('E-02: %s is not told a Spanish reader in English', (because) => {
  expect(stopText(because, spanish)).not.toBe(because);
});
