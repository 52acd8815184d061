// Putting policy in force, twice at once and back again: one suite for the fake and for the real database.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contractVersion } from '../../shared/contracts/policy-version.ts';
import type { Contract } from '../../shared/domain/policy.ts';
import type { ActivePolicy } from '../../shared/ports/policy-book.ts';
import { aContract, aPerson, aPolicy } from '../support/builders.ts';
import { at, idOf } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

/** A policy whose versions are what it says. */
function policyOf(more: Partial<Contract> = {}, people = ['rosa', 'sam']): ActivePolicy {
  const { version: _, ...contract } = aContract(more);
  const { roster } = aPolicy({ people: people.map((id) => aPerson(id)) });
  return { contracts: [{ ...contract, version: contractVersion(contract, []) }], roster: { ...roster, version: people.join('-') }, calendars: [] };
}

const strict = policyOf({ lateAcceptance: 'deny' });
const lenient = policyOf();

describe.each(storeKinds('policy-press'))('a policy press $name', ({ start }) => {
  let fresh: () => Promise<Stores>;
  let stop: () => Promise<void>;
  let stores: Stores;
  beforeAll(async () => {
    ({ fresh, stop } = await start());
  });
  beforeEach(async () => {
    stores = await fresh();
  });
  afterAll(() => stop());

  it('C-04: each publication is a receipt: who, when, why, on what evidence, and which versions', async () => {
    const { press } = stores;
    expect(await press.history()).toEqual([]);
    const evidence = [{ handoffId: idOf('evidence'), seq: 5 }];
    await press.publish(lenient, 'dana', at(0), { why: 'first' });
    await press.publish(strict, 'ina', at(1), { why: 'late answers confuse customers', evidence });
    expect(await press.history()).toMatchObject([
      { number: 2, at: at(1), by: 'ina', why: 'late answers confuse customers', evidence, contracts: { 'roof-inspection': strict.contracts[0]?.version } },
      { number: 1, at: at(0), by: 'dana', why: 'first', evidence: [] },
    ]);
  });

  it('C-04: what is in force already is not published again, and leaves no receipt', async () => {
    const { press } = stores;
    expect(await press.publish(lenient, 'dana', at(0))).toMatchObject({ kind: 'published', publication: { number: 1 } });
    expect(await press.publish(lenient, 'dana', at(1))).toMatchObject({ kind: 'unchanged', publication: { number: 1, at: at(0) } });
    expect(await press.history()).toHaveLength(1);
  });

  it('C-04: a new roster alone is a publication, and the contract keeps its version', async () => {
    const { press, policies } = stores;
    await press.publish(lenient, 'dana', at(0));
    await press.publish(policyOf({}, ['rosa']), 'dana', at(1));
    expect((await press.history()).map((one) => [one.contracts['roof-inspection'], one.roster])).toEqual([
      [lenient.contracts[0]?.version, 'rosa'],
      [lenient.contracts[0]?.version, 'rosa-sam'],
    ]);
    expect((await policies.active()).roster.people.map((person) => person.id)).toEqual(['rosa']);
  });

  it('C-04: a change made on sight of an older policy is refused, and tells whose is in force', async () => {
    const { press, policies } = stores;
    await press.publish(lenient, 'dana', at(0));
    await press.publish(strict, 'ina', at(1), { seen: 1 });
    expect(await press.publish(policyOf({}, ['sam']), 'omar', at(2), { seen: 1 })).toMatchObject({ kind: 'overtaken', publication: { number: 2, by: 'ina' } });
    expect((await policies.active()).contracts[0]?.lateAcceptance).toBe('deny');
    expect(await press.history()).toHaveLength(2);
  });

  it('C-04: of many who publish at once on sight of the same policy, one is in force and the others are told', async () => {
    const { press, policies } = stores;
    await press.publish(lenient, 'dana', at(0));
    const names = Array.from({ length: 8 }, (_, n) => [`p${n}`]);
    const answers = await Promise.all(names.map((people, n) => press.publish(policyOf({}, people), `editor-${n}`, at(n + 1), { seen: 1 })));
    expect(answers.map((answer) => answer.kind).sort()).toEqual([...Array.from({ length: 7 }, () => 'overtaken'), 'published']);
    const history = await press.history();
    expect(history.map((one) => one.number)).toEqual([2, 1]);
    expect((await policies.active()).roster.version).toBe(history[0]?.roster);
  });

  it('C-04: two who publish the very first policy at once, neither having seen anything, are numbered one after the other without a gap', async () => {
    const { press, policies } = stores;
    const both = await Promise.all([press.publish(lenient, 'dana', at(0)), press.publish(strict, 'ina', at(0))]);
    expect(both.map(({ kind, publication }) => [kind, publication.number]).sort()).toEqual([
      ['published', 1],
      ['published', 2],
    ]);
    const history = await press.history();
    expect(history.map((one) => one.number)).toEqual([2, 1]);
    expect((await policies.active()).contracts[0]?.version).toBe(history[0]?.contracts['roof-inspection']);
  });

  it('C-04: an earlier publication comes back word for word, as a new one that says so', async () => {
    const { press, policies } = stores;
    await press.publish(lenient, 'dana', at(0));
    await press.publish(strict, 'dana', at(1));
    const first = (await press.history()).at(-1);
    if (first === undefined) throw new Error('nothing was published');
    const back = await press.contents(first);
    expect(back).toEqual(lenient);
    expect(await press.publish(back, 'dana', at(2), { why: 'too strict', backTo: 1, seen: 2 })).toMatchObject({
      kind: 'published',
      publication: { number: 3, backTo: 1, why: 'too strict' },
    });
    expect(await policies.active()).toEqual(lenient);
  });

  it('C-04: a handoff that opened on a version reads it after every later publication and after going back', async () => {
    const { press, policies } = stores;
    const version = lenient.contracts[0]?.version ?? '';
    await press.publish(lenient, 'dana', at(0));
    await press.publish(strict, 'dana', at(1));
    expect((await policies.at('roof-inspection', version)).contract).toEqual(lenient.contracts[0]);
    await press.publish(policyOf({ lateAcceptance: 'deny', ask: [] }), 'dana', at(2));
    expect((await policies.at('roof-inspection', version)).contract.lateAcceptance).toBe('allow-if-unclaimed');
  });

  it('C-05: versions that were never published are a fault', async () => {
    const { press } = stores;
    await press.publish(lenient, 'dana', at(0));
    await expect(press.contents({ contracts: { 'roof-inspection': 'nothing' }, roster: 'rosa-sam', calendars: 'x' })).rejects.toMatchObject({ name: 'PolicyMissing' });
  });
});
