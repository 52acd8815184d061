import { describe, expect, test } from 'vitest';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { type HandoffId, handoffId } from '../../shared/domain/ids.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Contract, Person, Policy } from '../../shared/domain/policy.ts';
import type { WholePolicy } from '../../shared/domain/policy-diff.ts';
import { type Recorded, replayProposal } from '../../shared/domain/policy-replay.ts';
import { anAccept, aPacket, aPerson, aPolicy, later, NOW, ROSA, SAM } from '../support/builders.ts';
import { aLife, resolve, workflow } from '../support/lives.ts';

const id = (n: number): HandoffId => handoffId(`h-${String(n).padStart(32, '0')}`);
const source = { system: 'website', eventId: 'form-1', kind: 'form.submitted', occurredAt: NOW };
const lead = (more: Partial<Packet> = {}) => aPacket({ sources: [source], ...more });

/** A handoff that lived under a policy: resolved, asked, and accepted by whoever was asked first if it says so. */
function recorded(policy: Policy, more: { n?: number; packet?: Packet; accepted?: boolean; openedAt?: string } = {}): Recorded {
  const packet = more.packet ?? lead();
  const life = aLife(policy);
  life.tell({ ...resolve, packet } as typeof resolve, NOW);
  life.tell(workflow('request-acceptance'), NOW);
  const [offer] = life.handoff.offers;
  if (more.accepted === true && offer !== undefined) life.tell(anAccept(offer.to, 1), later(NOW, 60));
  const resolved = life.receipts.find((receipt) => receipt.kind === 'candidates.resolved');
  const handoff: Handoff = { ...life.handoff, id: id(more.n ?? 1), openedAt: more.openedAt ?? NOW };
  return { handoff, packet, ...(resolved !== undefined && { resolved }) };
}

const proposal = (more: { contract?: Partial<Contract>; people?: readonly Person[] } = {}): WholePolicy => {
  const { contract, roster, calendars } = aPolicy(more);
  return { contracts: [contract], roster, calendars };
};

describe('a proposed policy, tried on what happened', () => {
  test('C-05: the policy that was in force changes nothing', () => {
    const replay = replayProposal([recorded(aPolicy(), { accepted: true }), recorded(aPolicy(), { n: 2 })], proposal());
    expect(replay).toEqual({ looked: 2, unchanged: 2, changes: [] });
  });

  test('C-05: whose owner would change, from whom to whom, and why', () => {
    const people = [aPerson('rosa', { territories: ['98101'] }), aPerson('sam')];
    expect(replayProposal([recorded(aPolicy(), { accepted: true })], proposal({ people })).changes).toEqual([
      {
        handoff: id(1),
        openedAt: NOW,
        owner: ROSA,
        was: { kind: 'asked', person: ROSA, rule: 'serves everywhere · sells everything · speaks English' },
        wouldBe: { kind: 'asked', person: SAM, rule: 'serves everywhere · sells everything · speaks English' },
        because: 'rosa: outside territory: serves 98101; sam serves everywhere · sells everything · speaks English',
      },
    ]);
  });

  test('C-05: another order, nobody left, somebody gone, a fact that would be needed, a start that would be none', () => {
    const one = [recorded(aPolicy())];
    const wouldBe = (...args: Parameters<typeof proposal>) => replayProposal(one, proposal(...args)).changes.map((change) => [change.wouldBe.kind, change.because]);
    const order = { ask: [{ role: 'seller', order: 'fixed', people: [SAM, ROSA], window: { seconds: 300 } }] } satisfies Partial<Contract>;
    expect(wouldBe({ contract: order })).toEqual([['asked', expect.stringMatching(/^rosa: eligible, but asked later; sam /)]]);
    expect(wouldBe({ people: [aPerson('rosa', { products: ['gutters'] })] })).toEqual([['exception', 'rosa: other product: sells gutters; nobody would pass every rule']]);
    expect(wouldBe({ people: [aPerson('sam')] })).toEqual([['asked', expect.stringMatching(/^rosa: not on the roster; sam /)]]);
    expect(wouldBe({ contract: { requires: [{ anyOf: ['contact.phone'] }] } })).toEqual([['exception', 'not stated: contact.phone']]);
    expect(wouldBe({ contract: { starts: [{ on: 'call.missed', from: ['twilio'] }] } })).toEqual([['ignored', 'no contract of the proposal starts on it']]);
    expect(wouldBe({ contract: { regulated: { categories: ['roof-inspection'] } } })).toEqual([['exception', expect.stringContaining('needs somebody with the authority')]]);
  });

  test('C-05: what people carried then counts, as the receipt says, not what they carry now', () => {
    const policy = aPolicy({ contract: { ask: [{ role: 'seller', order: 'least-open', window: { seconds: 300 } }] } });
    const life = aLife(policy);
    life.tell({ ...resolve, openCounts: { rosa: 4, sam: 1 }, packet: lead() } as typeof resolve, NOW);
    const resolved = life.receipts.find((receipt) => receipt.kind === 'candidates.resolved');
    const record: Recorded = { handoff: life.handoff, packet: lead(), ...(resolved !== undefined && { resolved }) };
    const same = { contracts: [policy.contract], roster: policy.roster, calendars: policy.calendars };
    expect(replayProposal([record], same).changes).toEqual([]);
    expect(replayProposal([record], proposal()).changes).toMatchObject([{ was: { person: SAM }, wouldBe: { person: ROSA } }]);
  });

  test('C-05: duty is that of the day on which the handoff was resolved', () => {
    const people = [aPerson('rosa', { away: [{ from: '2026-03-02', to: '2026-03-02' }] }), aPerson('sam')];
    expect(replayProposal([recorded(aPolicy())], proposal({ people })).changes).toMatchObject([{ because: expect.stringContaining('rosa: away until 2026-03-02') }]);
  });

  test('C-05: accepted ones first, then by age', () => {
    const records = [
      recorded(aPolicy(), { n: 1, openedAt: later(NOW, -300) }),
      recorded(aPolicy(), { n: 2, accepted: true, openedAt: later(NOW, -60) }),
      recorded(aPolicy(), { n: 3, accepted: true, openedAt: later(NOW, -120) }),
    ];
    const changes = replayProposal(records, proposal({ people: [aPerson('sam')] })).changes;
    expect(changes.map((change) => change.handoff)).toEqual([id(3), id(2), id(1)]);
    expect(changes.map((change) => change.owner)).toEqual([ROSA, ROSA, undefined]);
  });

  test('C-05: the same records and the same proposal give the same answer, in whatever order they come', () => {
    const records = [recorded(aPolicy(), { n: 1 }), recorded(aPolicy(), { n: 2, accepted: true }), recorded(aPolicy(), { n: 3, packet: lead({ contact: { language: 'es' } }) })];
    const change = proposal({ people: [aPerson('sam', { languages: ['en', 'es'] }), aPerson('rosa')] });
    const once = JSON.stringify(replayProposal(records, change));
    expect(JSON.stringify(replayProposal([...records].reverse(), change))).toBe(once);
    expect(JSON.stringify(replayProposal(JSON.parse(JSON.stringify(records)) as Recorded[], change))).toBe(once);
  });

  test('C-05: a handoff that was never resolved is tried on the facts it opened with', () => {
    const life = aLife(aPolicy(), { missing: ['contact.phone'] });
    life.tell(workflow('raise-exception'), NOW);
    const change = replayProposal([{ handoff: life.handoff, packet: lead() }], proposal()).changes;
    expect(change).toMatchObject([{ was: { kind: 'exception', class: 'missing-context' }, wouldBe: { kind: 'asked', person: ROSA } }]);
  });
});
