import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admit } from '../../shared/domain/message-limit.ts';
import { acceptance, aLink, ana, at, ben, commit, givenAnOffer, idOf, step } from '../support/store-fixtures.ts';
import { type Stores, storeKinds } from '../support/stores.ts';

describe.each(storeKinds('store-books'))('the books beside a handoff store $name', ({ start }) => {
  let stores: Stores;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await start();
    stop = started.stop;
    stores = await started.fresh();
  });
  afterAll(() => stop());

  describe('wait book', () => {
    const wait = (token: string, minute: number) => ({ wait: 'offer:1', token, storedAt: at(minute) }) as const;

    it('SF-04: a later attempt replaces the token of an earlier one, and an earlier one that comes late does not', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('wait-replace'));
      expect(await stores.waits.find(offered.id)).toBeUndefined();
      expect(await stores.waits.remember(offered, wait('t-1', 3))).toBe('remembered');
      expect(await stores.waits.remember(offered, wait('t-2', 4))).toBe('remembered');
      expect(await stores.waits.remember(offered, wait('t-1', 3))).toBe('remembered');
      expect(await stores.waits.find(offered.id)).toEqual(wait('t-2', 4));
    });

    it('SF-21: a token that comes after the answer is not stored, and the caller is told', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('wait-late'));
      await commit(stores.handoffs, step(offered, 'yes', 5, acceptance(1, ana, 120)));
      expect(await stores.waits.remember(offered, wait('t-1', 6))).toBe('stale');
      expect(await stores.waits.find(offered.id)).toBeUndefined();
    });

    it('SF-21: an answer and its token at the same moment: either the token is there or the caller knows that it came too late', async () => {
      for (let round = 0; round < 20; round += 1) {
        const offered = await givenAnOffer(stores.handoffs, idOf(`wait-race-${round}`));
        const yes = step(offered, 'yes', 5, acceptance(1, ana, 120));
        const [answer, appended] = await Promise.all([stores.waits.remember(offered, wait('t-1', 5)), stores.handoffs.append(yes.before, yes.after, yes.receipts)]);
        expect(appended).toEqual({ kind: 'written' });
        expect(await stores.waits.find(offered.id)).toEqual(answer === 'remembered' ? wait('t-1', 5) : undefined);
      }
    });

    it('SF-02: a token is marked as used once, by whoever comes first', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('wait-once'));
      await stores.waits.remember(offered, wait('t-1', 3));
      const marks = await Promise.all(Array.from({ length: 10 }, () => stores.waits.markWoken(offered.id, 't-1', at(6))));
      expect(marks.filter((mark) => mark)).toHaveLength(1);
      expect(await stores.waits.find(offered.id)).toEqual({ ...wait('t-1', 3), wokenAt: at(6) });
      expect(await stores.waits.markWoken(offered.id, 't-1', at(7))).toBe(false);
    });

    it('SF-02: a used token that is stored again stays used; a new one is fresh', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('wait-again'));
      await stores.waits.remember(offered, wait('t-1', 3));
      await stores.waits.markWoken(offered.id, 't-1', at(6));
      expect(await stores.waits.remember(offered, wait('t-1', 7))).toBe('remembered');
      expect(await stores.waits.find(offered.id)).toMatchObject({ wokenAt: at(6) });
      await stores.waits.remember(offered, wait('t-2', 8));
      expect(await stores.waits.find(offered.id)).toEqual(wait('t-2', 8));
    });

    it('SF-02: an old token, or one that nobody stored, marks nothing', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('wait-old'));
      expect(await stores.waits.markWoken(offered.id, 't-1', at(6))).toBe(false);
      await stores.waits.remember(offered, wait('t-2', 4));
      expect(await stores.waits.markWoken(offered.id, 't-1', at(6))).toBe(false);
      expect(await stores.waits.find(offered.id)).toEqual(wait('t-2', 4));
    });

    it('SF-21: a token is stored in the transaction of its transition', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('wait-with'));
      const next = step(offered, 'yes', 5, acceptance(1, ana, 120));
      const stored = { wait: `next-step:${at(120)}`, token: 't-9', storedAt: at(5) } as const;
      await commit(stores.handoffs, next, { wait: stored });
      expect(await stores.waits.find(offered.id)).toEqual(stored);
    });
  });

  describe('link book', () => {
    it('finds a link by its id and by its offer, each with what it names', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('links'));
      const email = aLink('LINK-EMAIL');
      const sms = aLink('LINK-SMS', { channel: 'sms' });
      const others = [aLink('LINK-BEN', { person: ben }), aLink('LINK-10', { number: 10 })];
      await commit(stores.handoffs, step(offered, 'ask', 5, { kind: 'clarification.asked', offer: 1, by: ana, owedBy: ana, expiresAt: '2026-03-02T17:00:00.000Z' }), {
        links: [email, sms, ...others],
      });
      expect(await stores.links.find('LINK-SMS')).toEqual({ ...sms, handoffId: offered.id });
      expect(await stores.links.issuedFor(offered.id, 'offer', 1, ana)).toEqual([email, sms].map((link) => ({ ...link, handoffId: offered.id })));
      expect(await stores.links.issuedFor(offered.id, 'exception', 1, ana)).toEqual([]);
    });

    it('DB-09: a link that expired is still named with its expiry; only the reader decides', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('links-expired'));
      const old = aLink('LINK-OLD', { expiresAt: '2001-01-01T00:00:00.000Z' });
      await commit(stores.handoffs, step(offered, 'ask', 5, { kind: 'clarification.asked', offer: 1, by: ana, owedBy: ana, expiresAt: '2026-03-02T17:00:00.000Z' }), {
        links: [old],
      });
      expect(await stores.links.find('LINK-OLD')).toEqual({ ...old, handoffId: offered.id });
    });

    it.each(['', 'NO-SUCH-LINK', 'LINK', '#', 'x'.repeat(1000), 'x'.repeat(5000)])('answers with nothing for %j', async (id) => {
      expect(await stores.links.find(id)).toBeUndefined();
    });
  });

  describe('claim book', () => {
    it('EB-05: an effect is claimed once, however many try at once', async () => {
      const claims = await Promise.all(Array.from({ length: 10 }, () => stores.claims.claim(idOf('claim'), 'offer:1:email', at(1))));
      expect(claims.filter((won) => won)).toHaveLength(1);
      expect(await stores.claims.claim(idOf('claim'), 'offer:1:sms', at(1))).toBe(true);
    });

    it('CC-04: the first result stands; a callback that comes late changes neither it nor the decision', async () => {
      const offered = await givenAnOffer(stores.handoffs, idOf('late-callback'));
      await stores.claims.claim(offered.id, 'offer:1:email', at(1));
      const accepted = await commit(stores.handoffs, step(offered, 'yes', 5, acceptance(1, ana, 120)));
      await stores.claims.settle(offered.id, 'offer:1:email', 'sent', 'm-1', at(6));
      for (const late of ['refused', 'sent', 'skipped'] as const) await stores.claims.settle(offered.id, 'offer:1:email', late, 'late', at(7));
      expect((await stores.handoffs.load(offered.id))?.handoff).toEqual(accepted);
      expect(await stores.claims.claim(offered.id, 'offer:1:email', at(8))).toBe(false);
    });

    it('shows a claim as it is now, and nothing for an effect that nobody claimed', async () => {
      const id = idOf('find-claim');
      expect(await stores.claims.find(id, 'offer:1:email')).toBeUndefined();
      await stores.claims.claim(id, 'offer:1:email', at(1));
      await stores.claims.settle(id, 'offer:1:email', 'sent', 'm-1', at(2));
      expect(await stores.claims.find(id, 'offer:1:email')).toEqual({ handoffId: id, effect: 'offer:1:email', claimedAt: at(1), attempts: 0, result: 'sent', detail: 'm-1' });
    });

    it('E-05: the provider confirms an unknown outcome; a result that stands, and an effect nobody claimed, stay as they are', async () => {
      const id = idOf('confirmed');
      await stores.claims.claim(id, 'offer:1:email', at(1));
      await stores.claims.confirm(id, 'offer:1:email', 'm-1', at(2));
      await stores.claims.confirm(id, 'offer:1:email', 'm-2', at(3));
      await stores.claims.confirm(id, 'offer:2:email', 'm-3', at(3));
      expect(await stores.claims.find(id, 'offer:1:email')).toMatchObject({ result: 'sent', detail: 'm-1' });
      expect(await stores.claims.find(id, 'offer:2:email')).toBeUndefined();
      expect((await stores.attention.attention(at(1000))).claims.filter((claim) => claim.handoffId === id)).toEqual([]);
    });

    it('an effect that was never claimed cannot be settled', async () => {
      await expect(stores.claims.settle(idOf('never'), 'offer:1:email', 'sent', '', at(1))).rejects.toThrow(/never claimed/);
    });

    const unsettled = async (until: string) => (await stores.attention.attention(until)).claims;
    it('lists claims whose outcome is unknown, older than an instant, until somebody settles them', async () => {
      const id = idOf('unsettled');
      await stores.claims.claim(id, 'offer:1:email', at(10_000));
      await stores.claims.claim(id, 'offer:1:sms', at(10_001));
      await stores.claims.claim(id, 'offer:2:email', at(10_005));
      await stores.claims.settle(id, 'offer:1:sms', 'refused', 'suppressed', at(10_002));
      const mine = async (before: number) => (await unsettled(at(before))).filter((claim) => claim.handoffId === id);
      expect(await mine(10_000)).toEqual([]);
      expect(await mine(10_005)).toEqual([{ handoffId: id, effect: 'offer:1:email', claimedAt: at(10_000), attempts: 0 }]);
      expect(await mine(10_006)).toHaveLength(2);
    });

    it('one of several takes over an unsettled claim, and it counts as young again', async () => {
      const id = idOf('reclaim');
      await stores.claims.claim(id, 'offer:1:email', at(20_000));
      const [claim] = (await unsettled(at(20_001))).filter((one) => one.handoffId === id);
      if (claim === undefined) throw new Error('no claim');
      const taken = await Promise.all(Array.from({ length: 5 }, () => stores.claims.reclaim(claim, at(20_010))));
      expect(taken.filter((won) => won)).toHaveLength(1);
      expect((await unsettled(at(20_010))).filter((one) => one.handoffId === id)).toEqual([]);
      expect((await unsettled(at(20_011))).filter((one) => one.handoffId === id)).toEqual([{ ...claim, claimedAt: at(20_010) }]);
      await stores.claims.settle(id, 'offer:1:email', 'sent', 'm-2', at(20_012));
      expect(await stores.claims.reclaim({ ...claim, claimedAt: at(20_010) }, at(20_013))).toBe(false);
    });

    it('MS-05: an attempt counts when it is made, not when it is claimed; one that the provider did not take is none', async () => {
      const id = idOf('tried');
      await stores.claims.claim(id, 'offer:1:email', at(40_000));
      const attempts = async () => (await stores.claims.find(id, 'offer:1:email'))?.attempts;
      expect(await attempts()).toBe(0);
      expect(await stores.claims.trying(id, 'offer:1:email')).toBe(true);
      expect(await attempts()).toBe(1);
      await stores.claims.hold(id, 'offer:1:email', 'the provider took nothing', { taken: false });
      expect(await attempts()).toBe(0);
      expect(await stores.claims.trying(id, 'offer:1:email')).toBe(true);
      await stores.claims.confirm(id, 'offer:1:email', 'm-1', at(40_001));
      expect(await stores.claims.trying(id, 'offer:1:email')).toBe(false);
      expect(await stores.claims.trying(id, 'offer:2:email')).toBe(false);
    });
  });

  describe('message ledger', () => {
    const admitted = (message: string, minute: number, limit = 3) =>
      stores.ledger.admit(ana, 'email', (ledger) => admit(ledger, { message, urgency: 'tells', limit, most: 12 }, at(minute)));

    it('O-09: of a crowd at one moment no more than the limit gets a place, and the rest waits', async () => {
      const crowd = Array.from({ length: 12 }, (_, index) => `crowd-${index}`);
      const kinds = (await Promise.all(crowd.map((message) => admitted(message, 1000)))).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'go')).toHaveLength(3);
      expect(kinds.filter((kind) => kind === 'wait')).toHaveLength(9);
      const { sent, waiting } = await stores.ledger.read(ana, 'email');
      expect([sent.length, waiting.length]).toEqual([3, 9]);
    });

    it('O-09: asking again takes no second place, and an hour later one message carries the rest', async () => {
      const [first] = (await stores.ledger.read(ana, 'email')).sent;
      expect(await admitted(first?.message ?? '', 1001)).toEqual({ kind: 'go', together: [] });
      expect(await admitted('later', 1060)).toMatchObject({ kind: 'go', together: expect.objectContaining({ length: 9 }) });
      expect((await stores.ledger.read(ana, 'email')).sent).toMatchObject([{ message: 'later', carries: expect.objectContaining({ length: 9 }) }]);
      expect(await stores.ledger.read(ben, 'email')).toEqual({ sent: [], waiting: [] });
    });
  });

  describe('held claims', () => {
    it('O-09: says why it waits until it is taken over, which is no attempt; a result that came first stands', async () => {
      const id = idOf('held');
      await stores.claims.claim(id, 'offer:1:email', at(30_000));
      await stores.claims.hold(id, 'offer:1:email', 'limit of 3 an hour');
      const claim = await stores.claims.find(id, 'offer:1:email');
      if (claim === undefined) throw new Error('no claim');
      expect(claim).toMatchObject({ held: 'limit of 3 an hour', attempts: 0 });
      const taken = await Promise.all(Array.from({ length: 5 }, () => stores.claims.reclaim(claim, at(30_000))));
      expect(taken.filter((won) => won)).toHaveLength(1);
      expect(await stores.claims.find(id, 'offer:1:email')).toEqual({ handoffId: id, effect: 'offer:1:email', claimedAt: at(30_000), attempts: 0 });
      await stores.claims.settle(id, 'offer:1:email', 'sent', 'm-1', at(30_002));
      await stores.claims.hold(id, 'offer:1:email', 'too late');
      expect((await stores.claims.find(id, 'offer:1:email'))?.held).toBeUndefined();
    });
  });

  describe('report shelf', () => {
    it('M-01: remembers the summary of a day, and a repeated run replaces it', async () => {
      expect(await stores.reports.find('2026-03-02')).toBeUndefined();
      await stores.reports.publish('2026-03-02', { orphans: 2, sections: [{ name: 'waiting', rows: [] }] }, at(0));
      await stores.reports.publish('2026-03-02', { orphans: 3, sections: [] }, at(1));
      expect(await stores.reports.find('2026-03-02')).toEqual({ orphans: 3, sections: [] });
      expect(await stores.reports.find('2026-03-03')).toBeUndefined();
    });
  });
});
