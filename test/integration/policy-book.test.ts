import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXCEPTION_CLASSES, REJECT_REASONS } from '../../shared/domain/policy.ts';
import type { ActivePolicy } from '../../shared/ports/policy-book.ts';
import { ana, at, ben, chen } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

const pair = { person: ana, backup: ben };
const rule = { owner: chen, backup: ben, escalateTo: ana, respond: { seconds: 60 }, review: { seconds: 600, calendar: 'office' }, meanwhile: 'hold' } as const;

const aPolicy = (version: string, fields: Partial<ActivePolicy['contracts'][number]> = {}): ActivePolicy => ({
  contracts: [
    {
      name: 'roof-inspection',
      version,
      changeOwner: chen,
      starts: [{ on: 'form.submitted', from: ['website'], category: ['inspection'] }],
      requires: [{ anyOf: ['contact.email', 'contact.phone'] }],
      responsible: { observer: pair, decisionOwner: pair, approver: pair, executor: pair, incidentOwner: pair },
      intakeLead: pair,
      ask: [{ role: 'seller', order: 'least-open', window: { seconds: 300 } }],
      lateAcceptance: 'deny',
      accept: { nextActions: ['call'], dueWithin: { seconds: 86_400 }, ifOverdue: { grace: { seconds: 3600 }, class: 'write-unreconciled' } },
      reject: Object.fromEntries(REJECT_REASONS.map((reason) => [reason, { then: 'next-candidate', flagRule: false }])) as ActivePolicy['contracts'][number]['reject'], // built from the list, which the compiler widens
      exceptions: { default: rule, [EXCEPTION_CLASSES[0]]: rule },
      ...fields,
    },
  ],
  roster: {
    version: `roster-${version}`,
    people: [
      {
        id: ana,
        name: 'Ana',
        roles: ['seller'],
        territories: ['97201-97299'],
        products: [],
        languages: ['en'],
        speaks: 'en',
        zone: 'America/Los_Angeles',
        away: [],
        sms: '+15035550100',
      },
    ],
  },
  calendars: [
    {
      name: 'office',
      zone: 'America/Los_Angeles',
      weekly: { mon: [{ from: '09:00', to: '17:00' }], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
      closedOn: ['2026-12-25'],
    },
  ],
});

describe.each(storeKinds('policy-book'))('a policy book $name', ({ start }) => {
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

  it('C-05: nothing can be decided before something was published', async () => {
    await expect(stores.policies.active()).rejects.toMatchObject({ name: 'PolicyMissing' });
    await expect(stores.policies.at('roof-inspection', 'v1')).rejects.toMatchObject({ name: 'PolicyMissing' });
  });

  it('C-05: gives back what was published, word for word', async () => {
    await stores.press.publish(aPolicy('v1'), 'chen', at(0));
    expect(await stores.policies.active()).toEqual(aPolicy('v1'));
  });

  it('C-05: a handoff keeps the contract it opened with, and sees the roster and calendars in force now', async () => {
    await stores.press.publish(aPolicy('v1'), 'chen', at(0));
    expect((await stores.policies.at('roof-inspection', 'v1')).roster.version).toBe('roster-v1');
    const next = aPolicy('v2', { lateAcceptance: 'allow-if-unclaimed' });
    const pointer = await stores.press.publish(next, 'chen', at(1));
    expect(pointer).toMatchObject({ kind: 'published', publication: { contracts: { 'roof-inspection': 'v2' }, roster: 'roster-v2', at: at(1), by: 'chen', number: 2 } });
    expect(await stores.policies.at('roof-inspection', 'v1')).toEqual({ contract: aPolicy('v1').contracts[0], roster: next.roster, calendars: next.calendars });
    expect((await stores.policies.active()).contracts).toEqual(next.contracts);
  });

  it('C-05: publishing the same again changes no version, and an older one can be put back in force', async () => {
    for (const [minute, version] of ['v1', 'v2', 'v2', 'v1'].entries()) await stores.press.publish(aPolicy(version), 'chen', at(minute));
    expect(await stores.policies.active()).toEqual(aPolicy('v1'));
  });

  it('C-05: one version cannot say two things, and what is in force stays', async () => {
    await stores.press.publish(aPolicy('v1'), 'chen', at(0));
    await expect(stores.press.publish(aPolicy('v1', { lateAcceptance: 'allow-if-unclaimed' }), 'chen', at(1))).rejects.toThrow(/other content/);
    expect(await stores.policies.active()).toEqual(aPolicy('v1'));
  });

  it('C-05: a version that is not there, or of another contract, is a fault', async () => {
    await stores.press.publish(aPolicy('v1'), 'chen', at(0));
    await expect(stores.policies.at('roof-inspection', 'v9')).rejects.toMatchObject({ name: 'PolicyMissing' });
    await expect(stores.policies.at('gutter-cleaning', 'v1')).rejects.toThrow(/roof-inspection/);
  });
});
