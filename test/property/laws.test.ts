import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide } from '../../shared/domain/decide.ts';
import { apply, evolve, replay } from '../../shared/domain/evolve.ts';
import { type Handoff, openException, pendingOffer, QUEUE_STATE, STATES, TRANSITIONS } from '../../shared/domain/handoff.ts';
import { nextStep } from '../../shared/domain/next-step.ts';
import type { Policy } from '../../shared/domain/policy.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { resolveCandidates } from '../../shared/domain/resolver.ts';
import { aPacket, aPerson, aPolicy, later, NOW } from '../support/builders.ts';
import { aLife } from '../support/lives.ts';
import { commandFor, live, lives, moves, policies, RUNS, SEED } from './random-lives.ts';

/** Runs a law; a failure names the seed that repeats it. */
const law = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void) => fc.assert(fc.property(arbitrary, holds), RUNS);

/** Ways in which facts turn a request into a matter of safety, and what holds it then. */
const DANGER = [
  ...['signal.linked', 'clarification.answered', 'exception.cleared'].map((kind) => `${kind} tells of danger`),
  ...['offer.withdrawn', 'ownership.ended', 'exception.cleared'].map((kind) => `${kind} for safety`),
];

function namesOf(receipt: Receipt): string[] {
  const danger = 'safety' in receipt && receipt.safety !== undefined ? [`${receipt.kind} tells of danger`] : [];
  return [receipt.kind, ...danger, ...('because' in receipt && receipt.because === 'safety' ? [`${receipt.kind} for safety`] : [])];
}

/** Whoever the row says is accountable, worked out again from its parts. */
function accountable(handoff: Handoff): string {
  if (handoff.ownership !== undefined) return handoff.ownership.owner;
  return openException(handoff)?.owner ?? handoff.intakeLead;
}

describe(`laws, seed ${SEED}`, () => {
  test('the lives of chance reach every kind of receipt and every state, or the laws below would prove little', () => {
    const seen = new Set<string>();
    const look = fc.property(lives, ({ policy, script, missing }) => {
      const { life, moments } = live(policy, script, missing);
      for (const one of life.receipts.flatMap(namesOf)) seen.add(one);
      for (const { handoff } of moments) seen.add(handoff.state);
      for (const { ownership } of moments.map((moment) => moment.handoff)) if (ownership?.late === true) seen.add('late');
    });
    // Some kinds are rare, so this one looks at more lives than the laws do.
    fc.assert(look, { ...RUNS, numRuns: 5 * RUNS.numRuns });
    const expected = [...Object.keys(TRANSITIONS), ...STATES, 'late', ...DANGER];
    expect(expected.filter((one) => !seen.has(one))).toEqual([]);
  });

  test('L-09: at most one acceptance at a time, under any interleaving', () => {
    law(lives, ({ policy, script, missing }) => {
      let owned = false;
      for (const receipt of live(policy, script, missing).life.receipts) {
        if (receipt.kind === 'offer.accepted') {
          expect(owned, 'accepted while owned').toBe(false);
          owned = true;
        }
        if (receipt.kind === 'exception.raised' || receipt.kind === 'ownership.ended') owned = false;
      }
    });
  });

  test('E-04: facts that tell of danger go before every offer and every yes: whoever holds the request lets go, and the next thing is its exception', () => {
    law(lives, ({ policy, script, missing }) => {
      let written = 0;
      const { life, moments } = live(policy, script, missing);
      for (const { handoff, receipts } of moments) {
        const fresh = life.receipts.slice(written, receipts);
        written = receipts;
        const told = fresh.some((one) => one.kind !== 'handoff.opened' && 'safety' in one && one.safety !== undefined);
        if (told) expect(openException(handoff)).toMatchObject({ class: 'safety-urgent', raisedAt: handoff.changedAt });
        if (told) expect([handoff.ownership, pendingOffer(handoff), handoff.toRaise, handoff.custodian]).toEqual([undefined, undefined, undefined, openException(handoff)?.owner]);
        if (handoff.toRaise?.class !== 'safety-urgent') continue;
        expect(nextStep(handoff, policy, handoff.changedAt)).toMatchObject({ kind: 'raise-exception', class: 'safety-urgent' });
        expect([handoff.ownership, pendingOffer(handoff), openException(handoff)]).toEqual([undefined, undefined, undefined]);
      }
    });
  });

  test('E-04: a demanded exception of safety is raised, or staff withdraw the request: nothing else makes it go away', () => {
    law(lives, ({ policy, script, missing }) => {
      let demanded = false;
      for (const { handoff } of live(policy, script, missing).moments) {
        const demands = handoff.toRaise?.class === 'safety-urgent';
        if (demanded && !demands) expect(handoff.state === 'closed' || openException(handoff)?.class).toBe(handoff.state === 'closed' ? true : 'safety-urgent');
        demanded = demands;
      }
    });
  });

  test('L-05: exactly one custodian at every instant, who is a person of the roster, and who is accountable', () => {
    law(lives, ({ policy, script, missing }) => {
      const { life, moments } = live(policy, script, missing);
      const people = policy.roster.people.map((person) => person.id);
      for (let count = 1; count <= life.receipts.length; count++) expect(people).toContain(replay(life.receipts.slice(0, count)).custodian);
      for (const { handoff } of moments) if (handoff.state !== 'closed') expect(handoff.custodian).toBe(accountable(handoff));
    });
  });

  test('L-04: nothing reaches accepted without that person’s own command', () => {
    law(lives, ({ policy, script, missing }) => {
      for (const receipt of live(policy, script, missing).life.receipts) {
        if (receipt.kind === 'offer.accepted') expect(receipt.actor).toMatchObject({ kind: 'person', person: receipt.by });
        else expect(receipt.kind in TRANSITIONS && TRANSITIONS[receipt.kind as keyof typeof TRANSITIONS].to === 'accepted').toBe(false);
      }
    });
  });

  test('L-03: any prefix of the log folds to the row that stood then, and applying it again changes nothing', () => {
    law(lives, ({ policy, script, missing }) => {
      const { life, moments } = live(policy, script, missing);
      for (const { handoff, receipts } of moments) {
        const prefix = life.receipts.slice(0, receipts);
        expect(replay(prefix)).toEqual(handoff);
        expect(prefix.reduce<Handoff>(evolve, handoff)).toBe(handoff);
        expect(replay(JSON.parse(JSON.stringify(prefix)) as Receipt[])).toEqual(handoff);
      }
    });
  });

  test('L-03: what was decided on a row that has moved on never changes it', () => {
    law(fc.tuple(lives, fc.nat()), ([{ policy, script, missing }, which]) => {
      const { life, moments, endedAt } = live(policy, script, missing);
      const stale = moments[which % moments.length];
      const command = script[which % Math.max(1, script.length)]?.wish(life.handoff, policy, endedAt);
      if (stale === undefined || command === undefined || stale.handoff.version === life.handoff.version) return;
      const decision = decide(stale.handoff, command, policy, endedAt);
      if (decision.kind !== 'decided') return;
      const stamp = { at: endedAt, commandId: command.commandId, actor: { kind: 'system', component: 'late' } as const, packetVersion: 1, contractVersion: 'c1' };
      const [first] = apply(stale.handoff, decision.facts, stamp).receipts;
      expect(first === undefined ? life.handoff : evolve(life.handoff, first)).toBe(life.handoff);
    });
  });

  test('L-02: decide yields only what the table of transitions allows, and decides the same twice', () => {
    law(lives, ({ policy, script, missing }) => {
      const once = live(policy, script, missing).life.receipts;
      expect(live(policy, script, missing).life.receipts).toEqual(once);
      let handoff: Handoff | undefined;
      for (const receipt of once) {
        if (handoff !== undefined && receipt.kind !== 'handoff.opened') expect(TRANSITIONS[receipt.kind].from).toContain(handoff.state);
        handoff = evolve(handoff, receipt);
      }
    });
  });

  test('O-07: never two people asked at once, and nobody twice unless an exception owner names them', () => {
    law(lives, ({ policy, script, missing }) => {
      const { moments } = live(policy, script, missing);
      for (const { handoff } of moments) {
        const pending = handoff.offers.filter((offer) => offer.status === 'pending' || offer.status === 'clarifying');
        expect(pending.length).toBe(QUEUE_STATE[handoff.state] === 'offered' ? 1 : 0);
        const byRule = handoff.offers
          .filter((offer) => offer.rule !== 'named by the exception owner' && offer.rule !== 'taken by the exception owner' && offer.rule !== 'reassigned')
          .map((offer) => offer.to);
        expect(new Set(byRule).size).toBe(byRule.length);
      }
    });
  });

  test('L-08: nobody is asked by rule while they are known to be unavailable', () => {
    law(lives, ({ policy, script, missing }) => {
      for (const receipt of live(policy, script, missing).life.receipts) {
        if (receipt.kind !== 'acceptance.requested' && receipt.kind !== 'backup.requested') continue;
        if (receipt.rule === 'reassigned' || receipt.rule === 'named by the exception owner') continue;
        const away = policy.roster.people.find(({ id }) => id === receipt.to)?.unavailable ?? [];
        expect(away.filter(({ from, until }) => receipt.at >= from && receipt.at < until)).toEqual([]);
      }
    });
  });

  test('L-10 D-01: a takeover, a generator or another source never moves an owner, a pending offer or the clock by itself', () => {
    law(lives, ({ policy, script, missing }) => {
      const { life } = live(policy, script, missing);
      for (let count = 2; count <= life.receipts.length; count++) {
        const { kind } = life.receipts[count - 1] ?? {};
        if (kind !== 'human.takeover' && kind !== 'signal.linked' && kind !== 'packet.prepared' && kind !== 'ai.refused') continue;
        const [before, after] = [replay(life.receipts.slice(0, count - 1)), replay(life.receipts.slice(0, count))];
        const held = ({ state, custodian, offers, ownership, exceptions }: Handoff) => ({ state, custodian, offers, ownership, exceptions });
        expect(held(after)).toEqual(held(before));
      }
    });
  });

  test('D-01: a request that was merged is closed for good, and names where it went on', () => {
    law(lives, ({ policy, script, missing }) => {
      for (const { handoff } of live(policy, script, missing).moments) {
        if (handoff.mergedInto === undefined) continue;
        expect(handoff).toMatchObject({ state: 'closed', outcome: { kind: 'duplicate' } });
        expect(handoff.absorbed?.includes(handoff.mergedInto) === true && handoff.id < handoff.mergedInto).toBe(false);
      }
    });
  });

  test('P-03: what a source has just stated is not lacking any more', () => {
    law(lives, ({ policy, script, missing }) => {
      const { life } = live(policy, script, missing);
      const linked = life.receipts.flatMap((receipt) => (receipt.kind === 'signal.linked' && receipt.seq === life.handoff.version ? receipt.added : []));
      expect((life.handoff.lacking ?? []).filter((path) => linked.includes(path))).toEqual([]);
    });
  });

  test('E-02: one exception at a time, and an escalation always ends at a named person', () => {
    law(lives, ({ policy, script, missing }) => {
      for (const { handoff } of live(policy, script, missing).moments) {
        const open = handoff.exceptions.filter((one) => one.resolvedAt === undefined);
        expect(open.length).toBe(handoff.state === 'exception' ? 1 : 0);
        for (const { owner, earlierOwners } of handoff.exceptions) expect(new Set([owner, ...earlierOwners]).size).toBe(earlierOwners.length + 1);
      }
    });
  });

  test('M-04: the last receipt that the row names is the last of the log', () => {
    law(lives, ({ policy, script, missing }) => {
      const { life, moments } = live(policy, script, missing);
      for (const { handoff, receipts } of moments) expect(handoff.lastReceipt).toBe(life.receipts[receipts - 1]?.kind);
    });
  });

  test('R-01: candidates are exactly the eligible people, each once, whatever the order of counting', () => {
    law(
      fc.tuple(policies, fc.dictionary(fc.constantFrom('rosa', 'sam', 'kim'), fc.nat(5)), fc.constantFrom('fixed' as const, 'least-open' as const)),
      ([policy, openCounts, order]) => {
        const ask = policy.contract.ask.map((step) => ({ ...step, order }));
        const input = { packet: aPacket(), policy: { ...policy, contract: { ...policy.contract, ask } }, openCounts, now: NOW };
        const { candidates, considered } = resolveCandidates(input);
        expect(considered.map((one) => one.person)).toEqual(policy.roster.people.map((person) => person.id));
        expect(candidates.map((one) => one.person).sort()).toEqual(considered.flatMap((one) => (one.eligible ? [one.person] : [])).sort());
        expect(resolveCandidates(input)).toEqual({ candidates, considered });
      },
    );
  });
});

/** Nobody ever answers again: what the machine would do for a year, and how often it would wait. */
function silence(policy: Policy, start: Handoff, from: string): { waits: number; steps: number; handoff: Handoff } {
  const life = { handoff: start };
  let now = from;
  const end = later(from, 365 * 86_400);
  let waits = 0;
  let steps = 0;
  while (now < end) {
    if (waits + steps > 1000) throw new Error('the machine would not come to rest');
    const step = nextStep(life.handoff, policy, now);
    if (step.kind === 'done') break;
    if (step.kind === 'await') {
      expect(step.until > now, 'a wait ends later').toBe(true);
      now = step.until;
      waits += 1;
      continue;
    }
    const command = commandFor(step);
    if (command === undefined) throw new Error(`nothing to do for ${step.kind}`);
    const decision = decide(life.handoff, command, policy, now);
    if (decision.kind !== 'decided') throw new Error(`${step.kind} is due and refused: ${decision.kind}`);
    life.handoff = apply(life.handoff, decision.facts, {
      at: now,
      commandId: command.commandId,
      actor: { kind: 'system', component: 'clock' },
      packetVersion: life.handoff.packetVersion,
      contractVersion: 'c1',
    }).handoff;
    steps += 1;
  }
  return { waits, steps, handoff: life.handoff };
}

/** History events of the machine for one wait: six for the callback task, five for the look at the clock after it, two for the choice, one to spare. What is due happens inside the look. */
const EVENTS_A_WAIT = 14;
const EVENTS_A_STEP = 1;

describe(`silence, seed ${SEED}`, () => {
  test('SF-16: from any row, passing time alone leads to an end or to a named person, in few steps', () => {
    law(lives, ({ policy, script, missing }) => {
      const { life, endedAt } = live(policy, script, missing);
      const { waits, steps, handoff } = silence(policy, life.handoff, endedAt);
      expect(waits * EVENTS_A_WAIT + steps * EVENTS_A_STEP).toBeLessThan(2000);
      expect(steps).toBeLessThan(20);
      expect(['exception', 'next-step-confirmed', 'closed']).toContain(handoff.state);
      if (handoff.state === 'exception') {
        const rule = policy.contract.exceptions.default;
        expect([rule.backup, rule.escalateTo]).toContain(handoff.custodian);
      }
    });
  });

  test('SF-16: fifty silent sellers and a year of silence stay below the limit of the machine', () => {
    const policy = aPolicy({
      people: [...Array.from({ length: 50 }, (_, n) => aPerson(`p${n}`)), ...aPolicy().roster.people.filter((person) => !person.roles.includes('seller'))],
    });
    const { waits, steps, handoff } = silence(policy, aLife(policy).handoff, NOW);
    expect(handoff.offers).toHaveLength(50);
    expect(waits * EVENTS_A_WAIT + steps * EVENTS_A_STEP).toBeLessThan(2000);
  });

  test('L-02: a next step that is due is never refused', () => {
    law(fc.tuple(policies, moves), ([policy, script]) => {
      for (const { handoff, at } of live(policy, script).moments) {
        const command = commandFor(nextStep(handoff, policy, at));
        if (command !== undefined) expect(decide(handoff, command, policy, at).kind).toBe('decided');
      }
    });
  });
});
