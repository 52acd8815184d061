import { describe, expect, test } from 'vitest';
import { decide } from '../../shared/domain/decide.ts';
import { commandId, personId } from '../../shared/domain/ids.ts';
import { aHandoff, anException, aPerson, aPolicy, DANA, INA, later, NOW, OMAR, ROSA, says } from '../support/builders.ts';
import { aLife, kinds, resolve, silent, workflow } from '../support/lives.ts';

const policy = aPolicy();

describe('exceptions', () => {
  test('R-04, E-01: nobody eligible is an exception at once, with a named owner and a time to respond', () => {
    const life = aLife(aPolicy({ people: [aPerson('ina', { roles: ['intake'] })] }));
    life.tell(resolve, NOW);
    life.tell(workflow('raise-exception'), NOW);
    expect(life.handoff).toMatchObject({ state: 'exception', custodian: OMAR, exceptions: [{ class: 'no-eligible-owner', owner: OMAR, respondBy: later(NOW, 1800) }] });
    expect(life.tell(workflow('raise-exception'), NOW)).toEqual({ kind: 'already-done' });
  });

  test('E-01: missing facts go to a person before anybody is asked', () => {
    const life = aLife(policy, { missing: ['location.postalCode'] });
    life.tell(workflow('raise-exception'), NOW);
    expect(life.handoff.exceptions).toMatchObject([{ class: 'missing-context', because: 'missing: location.postalCode' }]);
  });

  test('E-01: a class the contract does not list falls to its default rule, never to nobody', () => {
    const life = aLife(aPolicy({ contract: { exceptions: { default: { ...policy.contract.exceptions.default, owner: DANA } } } }));
    life.tell({ kind: 'raise-exception', commandId: commandId('x'), class: 'safety-urgent' }, NOW);
    expect(life.handoff).toMatchObject({ custodian: DANA, exceptions: [{ class: 'safety-urgent', because: 'safety-urgent' }] });
  });

  test('E-02: the exception owner takes it with a receipt and a time to look again', () => {
    const life = silent();
    expect(life.tell(says('accept-exception', { by: DANA, exception: 1 }), later(NOW, 800))).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
    life.tell(says('accept-exception', { by: OMAR, exception: 1 }), later(NOW, 800));
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'exception.accepted', by: OMAR, reviewAt: later(NOW, 800 + 14_400) });
    expect(life.tell(says('accept-exception', { by: OMAR, exception: 1 }), later(NOW, 801))).toEqual({ kind: 'already-yours', since: later(NOW, 800) });
    expect(life.tell(says('accept-exception', { by: OMAR, exception: 2 }), later(NOW, 801)).kind).toBe('not-in-this-state');
  });

  test('E-02: silence moves the ownership to the next named person, and no further than there are people', () => {
    const life = silent();
    const raisedAt = 701;
    expect(life.tell(workflow('escalate-exception'), later(NOW, raisedAt + 1799))).toEqual({ kind: 'not-yet', until: later(NOW, raisedAt + 1800) });
    life.tell(workflow('escalate-exception'), later(NOW, raisedAt + 1800));
    expect(life.handoff).toMatchObject({ custodian: DANA, exceptions: [{ owner: DANA, earlierOwners: [OMAR], respondBy: later(NOW, raisedAt + 3600) }] });
    expect(life.tell(says('accept-exception', { by: OMAR, exception: 1 }), later(NOW, raisedAt + 1801))).toEqual({ kind: 'no-longer-open', because: 'escalated' });
    life.tell(workflow('escalate-exception'), later(NOW, raisedAt + 3600));
    expect(life.handoff.custodian).toBe(INA);
    expect(life.tell(workflow('escalate-exception'), later(NOW, raisedAt + 9999))).toEqual({ kind: 'refused', because: 'nobody-left' });
    expect(life.handoff.exceptions).toMatchObject([{ owner: INA, earlierOwners: [OMAR, DANA] }]);
  });

  test('E-02: a taken exception that nobody came back to moves on too', () => {
    const life = silent();
    life.tell(says('accept-exception', { by: OMAR, exception: 1 }), later(NOW, 800));
    life.tell(workflow('escalate-exception'), later(NOW, 800 + 14_400));
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'exception.escalated', from: OMAR, to: DANA, because: 'review-passed' });
    expect(life.handoff.exceptions[0]?.acceptedAt).toBeUndefined();
  });

  const taken = () => {
    const life = silent();
    life.tell(says('accept-exception', { by: OMAR, exception: 1 }), later(NOW, 800));
    return life;
  };
  const settle = (how: Parameters<typeof says<'resolve-exception'>>[1]['how'], by = OMAR) => says('resolve-exception', { by, exception: 1, how });

  test('E-03: an exception is resolved only by whoever took it', () => {
    expect(silent().tell(settle({ resolution: 'close', outcome: 'not-a-fit' }), later(NOW, 900))).toEqual({ kind: 'refused', because: 'not-accepted-yet' });
    expect(taken().tell(settle({ resolution: 'close', outcome: 'not-a-fit' }, DANA), later(NOW, 900))).toEqual({ kind: 'refused', because: 'not-the-person-asked' });
  });

  test('E-03: assigning names a person who is asked, not told, even one who stayed silent before', () => {
    const life = taken();
    expect(life.tell(settle({ resolution: 'assign', to: personId('nobody') }), later(NOW, 900))).toEqual({ kind: 'refused', because: 'unknown-person' });
    life.tell(settle({ resolution: 'assign', to: ROSA }), later(NOW, 900));
    expect(life.handoff).toMatchObject({ state: 'candidates-resolved', custodian: INA, toAsk: ROSA });
    life.tell(workflow('request-acceptance'), later(NOW, 901));
    expect(life.handoff.offers.at(-1)).toMatchObject({ number: 3, to: ROSA, rule: 'named by the exception owner', status: 'pending' });
    expect(life.handoff.toAsk).toBeUndefined();
  });

  test('E-03: taking it is a yes with a promise of its own', () => {
    const life = taken();
    expect(life.tell(settle({ resolution: 'take', nextAction: 'dance', dueAt: later(NOW, 2000) }), later(NOW, 900))).toEqual({ kind: 'refused', because: 'unknown-next-action' });
    life.tell(settle({ resolution: 'take', nextAction: 'call', dueAt: later(NOW, 2000) }), later(NOW, 900));
    expect(kinds(life).slice(-2)).toEqual(['exception.resolved', 'offer.accepted']);
    expect(life.handoff).toMatchObject({ state: 'accepted', custodian: OMAR, ownership: { owner: OMAR, offer: 3 }, offers: [{}, {}, { to: OMAR, status: 'accepted' }] });
  });

  test('E-03: closing states the outcome, and a second resolution is told so', () => {
    const life = taken();
    life.tell(settle({ resolution: 'close', outcome: 'not-a-fit' }), later(NOW, 900));
    expect(life.handoff).toMatchObject({ state: 'closed', outcome: { kind: 'not-a-fit', by: OMAR } });
    expect(life.tell(settle({ resolution: 'close', outcome: 'not-a-fit' }), later(NOW, 901))).toEqual({ kind: 'no-longer-open', because: 'closed' });
  });

  test('E-03: facts put right end the exception, and the request begins anew on the next version of the packet', () => {
    const life = aLife(policy, { missing: ['location.postalCode'] });
    life.tell(workflow('raise-exception'), NOW);
    life.tell(says('accept-exception', { by: OMAR, exception: 1 }), NOW);
    const right = (paths: string[], seenPacketVersion = 1) => settle({ resolution: 'correct', paths, seenPacketVersion });
    expect(life.tell(right([]), NOW)).toEqual({ kind: 'refused', because: 'nothing-corrected' });
    expect(life.tell(right(['location.postalCode'], 7), NOW)).toEqual({ kind: 'refused', because: 'packet-changed' });
    life.tell(right(['location.postalCode']), NOW);
    expect(life.receipts.at(-1)).toMatchObject({ kind: 'exception.cleared', because: 'corrected', paths: ['location.postalCode'], packetVersion: 2 });
    expect(life.handoff).toMatchObject({ state: 'ready', custodian: INA, packetVersion: 2, exceptions: [{ resolvedAt: NOW }] });
    expect(life.handoff.lacking).toBeUndefined();
    life.tell(resolve, NOW);
    expect(life.handoff.state).toBe('candidates-resolved');
  });

  test('E-03: facts replace no decision: a matter of safety stays one', () => {
    const life = aLife(policy);
    life.tell({ kind: 'raise-exception', commandId: commandId('x'), class: 'safety-urgent' }, NOW);
    life.tell(says('accept-exception', { by: life.handoff.custodian, exception: 1 }), NOW);
    expect(life.tell(settle({ resolution: 'correct', paths: ['request.category'], seenPacketVersion: 1 }, life.handoff.custodian), NOW).kind).toBe('not-in-this-state');
  });

  test('E-03: nobody closes around an open exception', () => {
    expect(decide(aHandoff({ state: 'exception', custodian: OMAR, exceptions: [anException()] }), says('close', { by: OMAR, outcome: 'not-a-fit' }), policy, NOW)).toEqual({
      kind: 'not-in-this-state',
      state: 'exception',
    });
  });
});
