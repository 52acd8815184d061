import { describe, expect, test } from 'vitest';
import { contractFor, type Signal } from '../../shared/domain/signal.ts';
import { aContract, NOW } from '../support/builders.ts';

describe('a signal', () => {
  const signal: Signal = {
    source: 'website',
    eventId: 'form-1',
    kind: 'form.submitted',
    occurredAt: NOW,
    receivedAt: NOW,
    contact: {},
    request: { category: 'gutters' },
    location: {},
    consent: {},
    more: {},
  };
  const contract = aContract({ starts: [{ on: 'form.submitted', from: ['website'], category: ['roof-inspection'] }] });

  test('L-01: a signal that meets no start rule is ignored with the reason', () => {
    expect(contractFor(signal, [contract])).toEqual({ kind: 'ignored', because: 'no contract starts on form.submitted from website' });
    expect(contractFor({ ...signal, request: {} }, [contract]).kind).toBe('ignored');
    expect(contractFor({ ...signal, kind: 'call.missed' }, [aContract()]).kind).toBe('ignored');
    expect(contractFor({ ...signal, test: true }, [aContract()])).toEqual({ kind: 'ignored', because: 'test delivery of the provider' });
  });

  test('L-01: the first contract whose start rule it meets takes it', () => {
    expect(contractFor({ ...signal, request: { category: 'roof-inspection' } }, [aContract({ name: 'other', starts: [] }), contract])).toMatchObject({
      kind: 'starts',
      contract: { name: 'roof-inspection' },
    });
  });
});
