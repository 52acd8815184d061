import { expect, it } from 'vitest';
import { attemptsBefore, isUnkeptPromise } from '../../shared/domain/attempts.ts';
import { saidOf, wordingFor } from '../../shared/domain/wording/wording.ts';
import { aHandoff, anException, anOffer, DANA, later, NOW, OMAR, ROSA, SAM } from '../support/builders.ts';

const raisedAt = later(NOW, 600);

it('E-02: whoever answers for an exception is told who had it before, and what came of it, in order', () => {
  const offers = [
    anOffer({ number: 1, to: ROSA, status: 'rejected', reason: 'no-capacity' }),
    anOffer({ number: 2, to: SAM, status: 'timed-out' }),
    anOffer({ number: 3, to: SAM, status: 'pending', requestedAt: later(raisedAt, 60) }), // asked after it, so no part of what led to it
  ];
  const exception = anException({ raisedAt, earlierOwners: [OMAR], owner: DANA });
  const attempts = attemptsBefore(aHandoff({ offers, exceptions: [exception] }), exception);
  expect(attempts.map((one) => `${one.person} ${saidOf(one, wordingFor('en'))}`)).toEqual([
    'rosa said no: “I have no time for it”',
    'sam did not answer in time',
    'omar did not settle it',
  ]);
  expect(attempts.map((one) => saidOf(one, wordingFor('es')))).toEqual(['dijo que no: «No tengo tiempo para esto»', 'no respondió a tiempo', 'no lo resolvió']);
});

it('E-02 L-07: a promise that nobody kept is not told as silence', () => {
  const yes = anOffer({ to: ROSA, status: 'accepted', endedAt: later(NOW, 60) });
  const exception = anException({ class: 'nobody-answered', raisedAt });
  expect(isUnkeptPromise(aHandoff({ offers: [yes] }), exception)).toBe(true);
  expect(attemptsBefore(aHandoff({ offers: [yes] }), exception)).toEqual([{ person: ROSA, what: 'unkept' }]);
  expect(isUnkeptPromise(aHandoff({ offers: [anOffer({ status: 'timed-out', endedAt: later(NOW, 60) })] }), exception)).toBe(false);
});
