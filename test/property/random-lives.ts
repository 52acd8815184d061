// Lives of a handoff made of chance: several people and the workflow wish for things at any time, sensible or not.

import fc from 'fast-check';
import type { Command } from '../../shared/domain/command.ts';
import { type Handoff, openException, pendingOffer } from '../../shared/domain/handoff.ts';
import { commandId, handoffId } from '../../shared/domain/ids.ts';
import { type NextStep, nextStep } from '../../shared/domain/next-step.ts';
import { OUTCOMES, OVERDUE_STEPS, type Policy, REJECT_REASONS } from '../../shared/domain/policy.ts';
import { anExceptionRule, aPacket, aPerson, aPolicy, DANA, INA, later, NOW, OMAR, ROSA, SAM } from '../support/builders.ts';
import { aLife, type Life } from '../support/lives.ts';

/** Seeds are random and printed; `BATON_SEED=<n>` repeats a run. */
export const SEED = Number(process.env.BATON_SEED ?? Math.floor(Math.random() * 2 ** 31));
console.info(`property seed ${SEED}`);
export const RUNS = { seed: SEED, numRuns: 300 };

const PEOPLE = [ROSA, SAM, INA, OMAR, DANA, aPerson('kim').id];
const anyone = fc.constantFrom(...PEOPLE);
const number = fc.integer({ min: 1, max: 4 });
const channel = fc.constantFrom('email' as const, 'sms' as const);

/** A promise for so many seconds from now: some too early, some too late, most of them fine. */
const promise = fc.record({ nextAction: fc.constantFrom('call', 'call', 'visit', 'dance'), dueIn: fc.constantFrom(-5, 0, 60, 3600, 86_400, 172_800, 999_999) });

type Wish = (handoff: Handoff, policy: Policy, now: string) => Command | undefined;

/** One thing that happens so many seconds after the last. */
export type Move = { seconds: number; wish: Wish; told: string };

const person = <T>(
  parts: fc.Arbitrary<T>,
  make: (parts: T & { by: (typeof PEOPLE)[number]; channel: 'email' | 'sms'; commandId: ReturnType<typeof commandId> }, now: string) => Command,
) =>
  fc.tuple(parts, anyone, channel, fc.uuid()).map(([one, by, via, id]): { wish: Wish; told: string } => ({
    wish: (_handoff, _policy, now) => make({ ...one, by, channel: via, commandId: commandId(id) }, now),
    told: `${by}: ${make({ ...one, by, channel: via, commandId: commandId(id) }, NOW).kind}`,
  }));

const yes = person(fc.record({ offer: number, promise, seenPacketVersion: fc.constantFrom(0, 1, 1, 1) }), ({ promise: made, ...said }, now) => ({
  kind: 'accept',
  ...said,
  nextAction: made.nextAction,
  dueAt: later(now, made.dueIn),
}));

/** Whether new facts tell of danger, by one rule or another. */
const danger = fc.constantFrom<{ safety?: string }>({}, {}, {}, {}, { safety: 'gas' }, { safety: 'fire' });

const how = fc.oneof(
  anyone.map((to) => ({ resolution: 'assign' as const, to })),
  promise.map((made) => ({ resolution: 'take' as const, made })),
  fc.constantFrom(...OUTCOMES).map((outcome) => ({ resolution: 'close' as const, outcome })),
  fc
    .record({
      resolution: fc.constant('correct' as const),
      paths: fc.subarray(['location.postalCode', 'request.product']),
      seenPacketVersion: fc.constantFrom(0, 1, 1, 1, 2),
      urgent: danger,
    })
    .map(({ urgent, ...one }) => ({ ...one, ...urgent })),
);

const answers = fc.oneof(
  { weight: 4, arbitrary: yes },
  {
    weight: 3,
    arbitrary: person(fc.record({ offer: number, reason: fc.constantFrom(...REJECT_REASONS), explained: fc.boolean() }), (said) => ({
      kind: 'reject',
      ...said,
      field: 'contact.phone',
    })),
  },
  { weight: 1, arbitrary: person(fc.record({ offer: number }), (said) => ({ kind: 'ask-clarification', ...said })) },
  { weight: 1, arbitrary: person(fc.record({ offer: number, urgent: danger }), ({ urgent, ...said }) => ({ kind: 'answer-clarification', ...said, ...urgent })) },
  { weight: 1, arbitrary: person(fc.record({ offer: number }), (said) => ({ kind: 'mark-duplicate', ...said, of: OTHER })) },
  { weight: 1, arbitrary: person(fc.record({ exception: number }), (said) => ({ kind: 'merge-duplicate', ...said })) },
  { weight: 1, arbitrary: person(fc.record({ exception: number }), (said) => ({ kind: 'separate-duplicate', ...said })) },
  { weight: 1, arbitrary: person(fc.record({ to: anyone }), (said) => ({ kind: 'reassign', ...said })) },
  { weight: 1, arbitrary: person(fc.constant({}), (said) => ({ kind: 'withdraw', ...said })) },
  { weight: 1, arbitrary: person(fc.constant({}), (said) => ({ kind: 'take-over', ...said })) },
  { weight: 3, arbitrary: person(fc.record({ exception: number }), (said) => ({ kind: 'accept-exception', ...said })) },
  {
    weight: 2,
    arbitrary: person(fc.record({ exception: number, how }), ({ how: by, ...said }, now) => ({
      kind: 'resolve-exception',
      ...said,
      how: by.resolution === 'take' ? { resolution: 'take', nextAction: by.made.nextAction, dueAt: later(now, by.made.dueIn) } : by,
    })),
  },
  { weight: 1, arbitrary: person(fc.constant({}), (said) => ({ kind: 'confirm-next-step', ...said, evidence: 'call' })) },
  { weight: 1, arbitrary: person(fc.record({ outcome: fc.constantFrom(...OUTCOMES) }), (said) => ({ kind: 'close', ...said })) },
);

/** What a person whose turn it is may say; this drives lives beyond the first offer. `late` is somebody whose time was up. */
type Said = 'accept' | 'reject' | 'late' | 'take' | 'assign' | 'correct' | 'merge' | 'separate' | 'confirm' | 'ask' | 'duplicate';

const turn = fc
  .tuple(
    fc.constantFrom<Said[]>(
      'accept',
      'accept',
      'reject',
      'late',
      'late',
      'take',
      'assign',
      'correct',
      'merge',
      'separate',
      'separate',
      'confirm',
      'ask',
      'ask',
      'ask',
      'ask',
      'ask',
      'ask',
      'ask',
      'ask',
      'duplicate',
    ),
    fc.uuid(),
  )
  .map(([what, id]): { wish: Wish; told: string } => ({
    wish: (handoff, _policy, now) => onTheirTurn(handoff, what, { id, now }),
    told: `whoever's turn it is: ${what}`,
  }));

function onTheirTurn(handoff: Handoff, what: Said, { id, now }: { id: string; now: string }): Command | undefined {
  const said = { commandId: commandId(id), channel: 'email' as const };
  const made = { nextAction: 'call', dueAt: later(now, 600) };
  const exception = openException(handoff);
  const answer = () => onTheirOffer(handoff, 'answer', { said, made }); // whose turn it is when nothing else is theirs
  if (what === 'confirm') return handoff.ownership === undefined ? answer() : { kind: 'confirm-next-step', ...said, by: handoff.ownership.owner, evidence: 'visit' };
  if (!isOfException(what)) return onTheirOffer(handoff, what, { said, made });
  if (exception === undefined) return answer();
  if (exception.acceptedAt === undefined) return { kind: 'accept-exception', ...said, by: exception.owner, exception: exception.number };
  if (what === 'merge' || what === 'separate') return { kind: `${what}-duplicate`, ...said, by: exception.owner, exception: exception.number };
  const danger = id < '8' ? { safety: 'smoke' } : {};
  const how = {
    take: { resolution: 'take' as const, ...made },
    assign: { resolution: 'assign' as const, to: ROSA },
    correct: { resolution: 'correct' as const, paths: ['request.category'], seenPacketVersion: handoff.packetVersion, ...danger },
  }[what];
  return { kind: 'resolve-exception', ...said, by: exception.owner, exception: exception.number, how };
}

const OF_EXCEPTION = ['take', 'assign', 'correct', 'merge', 'separate'] as const;
const isOfException = (what: Said): what is (typeof OF_EXCEPTION)[number] => OF_EXCEPTION.some((one) => one === what);

type Means = { said: { commandId: ReturnType<typeof commandId>; channel: 'email' }; made: { nextAction: string; dueAt: string } };

function onTheirOffer(handoff: Handoff, what: Exclude<Said, (typeof OF_EXCEPTION)[number] | 'confirm'> | 'answer', { said, made }: Means): Command | undefined {
  const offer = what === 'late' ? handoff.offers.find((one) => one.status === 'timed-out') : pendingOffer(handoff);
  if (offer === undefined) return undefined;
  const about = { ...said, by: offer.to, offer: offer.number };
  switch (what) {
    case 'reject':
      return { kind: 'reject', ...about, reason: 'no-capacity', explained: false };
    case 'answer':
      return offer.clarification === undefined
        ? undefined
        : { kind: 'answer-clarification', ...about, by: offer.clarification.owedBy, ...(said.commandId < 'c' && { safety: 'smoke' }) };
    case 'ask':
      if (offer.clarification !== undefined) return onTheirOffer(handoff, 'answer', { said, made });
      return { kind: 'ask-clarification', ...about };
    case 'duplicate':
      return { kind: 'mark-duplicate', ...about, of: OTHER };
    case 'accept':
    case 'late':
      return { kind: 'accept', ...about, ...made, seenPacketVersion: handoff.packetVersion };
  }
}

/** The workflow does what is due, or asks for something out of turn. */
const machine = fc.oneof(
  { weight: 20, arbitrary: fc.constant({ wish: (handoff: Handoff, policy: Policy, now: string) => commandFor(nextStep(handoff, policy, now)), told: 'workflow: what is due' }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('request-acceptance' as const, 'remind' as const, 'time-out' as const, 'note-overdue' as const, 'raise-exception' as const, 'escalate-exception' as const)
      .map((kind) => ({ wish: () => ({ kind, commandId: commandId(kind) }), told: `workflow: ${kind}` })),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ wish: () => ({ kind: 'raise-exception' as const, commandId: commandId('fault'), class: 'system-fault' as const }), told: 'workflow: a fault' }),
  },
);

/** Other requests that may be this one: one with a lower id than this one, one with a higher. */
const OTHER = handoffId('h-00000000000000000000000000000000');
const LATER = handoffId('h-ffffffffffffffffffffffffffffffff');

/** What another source of the same request states. */
const brings = fc.constantFrom<readonly string[]>([], ['request.words'], ['contact.phone'], ['request.words', 'contact.phone']);
const differs = fc.constantFrom<readonly string[]>([], [], ['contact.email'], ['location.postalCode']);

/** What arrives from outside: who drops out, what did not arrive, what a generator says. */
const outside = fc.oneof(
  anyone.map((one) => ({ wish: (): Command => ({ kind: 'release', commandId: commandId(`release-${one}`), person: one }), told: `${one} drops out` })),
  fc.tuple(number, fc.constantFrom('email' as const, 'sms' as const)).map(([offer, channel]) => ({
    wish: (): Command => ({ kind: 'note-undelivered', commandId: commandId(`failed-${offer}`), offer, channel, reason: 'bounced' }),
    told: `offer ${offer} did not arrive by ${channel}`,
  })),
  fc
    .record({ event: fc.uuid(), brings, differs, merged: fc.constantFrom(undefined, undefined, undefined, OTHER, LATER), urgent: danger })
    .map(({ event, brings: added, differs: conflicting, merged, urgent }) => ({
      wish: (): Command => ({
        kind: 'link-signal',
        commandId: commandId(event),
        source: 'twilio',
        sourceEventId: event,
        occurredAt: NOW,
        evidence: ['same-email'],
        added,
        conflicting,
        ...(merged !== undefined && { merged }),
        ...urgent,
      }),
      told: `another source joins, new ${added.join(' ')}, other ${conflicting.join(' ')}, merged ${merged}`,
    })),
  fc.constant({
    wish: (): Command => ({ kind: 'note-prepared', commandId: commandId('prepared'), generator: 'g', generatorVersion: '1', parts: ['draft'] }),
    told: 'a generator drafts',
  }),
  fc.constantFrom('won', 'lost').map((result) => ({
    wish: (): Command => ({ kind: 'record-outcome', commandId: commandId(`crm-${result}`), system: 'crm', result }),
    told: `the CRM says ${result}`,
  })),
  fc.constant({ wish: (): Command => ({ kind: 'refuse-generator', commandId: commandId('refused'), generator: 'g', wanted: 'offer.accept' }), told: 'a generator accepts' }),
);

export const moves: fc.Arbitrary<Move[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom(0, 0, 0, 1, 60, 180, 299, 300, 600, 1800, 14_400, 86_400),
      fc.oneof({ weight: 6, arbitrary: machine }, { weight: 3, arbitrary: turn }, { weight: 2, arbitrary: answers }, { weight: 1, arbitrary: outside }),
    )
    .map(([seconds, { wish, told }]): Move => ({ seconds, wish, told, [fc.toStringMethod]: () => `+${seconds}s ${told}` }) as Move),
  { minLength: 0, maxLength: 60, size: 'max' },
);

const { accept } = aPolicy().contract;
const offeringAgain = { ...accept, ifOverdue: { ...accept.ifOverdue, steps: OVERDUE_STEPS } };

/** Known at short notice, and over again: in the middle of most lives. */
export const ABSENCE = [{ from: later(NOW, 240), until: later(NOW, 3600) }];

/** Nobody to several sellers, strict or lenient about late answers, some of whom cannot answer for an hour. */
export const policies: fc.Arbitrary<Policy> = fc
  .record({
    sellers: fc.subarray([ROSA, SAM, aPerson('kim').id]),
    lateAcceptance: fc.constantFrom('deny' as const, 'allow-if-unclaimed' as const),
    shortChain: fc.boolean(),
    again: fc.boolean(),
    dropOut: fc.subarray([ROSA, SAM, aPerson('kim').id], { maxLength: 2 }),
  })
  .map(({ sellers, lateAcceptance, shortChain, again, dropOut }) => {
    const staff = [INA, OMAR, DANA].map((id) => aPerson(id, { roles: ['staff'] }));
    const exceptions = { default: anExceptionRule(shortChain ? { escalateTo: DANA } : {}) };
    const ask = [{ role: 'seller', order: 'fixed' as const, window: { seconds: 300 }, warnAt: { seconds: 180 } }];
    return aPolicy({
      people: [...sellers.map((id) => aPerson(id, dropOut.includes(id) ? { unavailable: ABSENCE } : {})), ...staff],
      contract: { ask, lateAcceptance, exceptions, ...(again && { accept: offeringAgain }) },
    });
  });

/** The command that carries out what is due, or nothing while something is waited for. */
export function commandFor(step: NextStep): Command | undefined {
  switch (step.kind) {
    case 'resolve-candidates':
      return { kind: 'resolve-candidates', commandId: commandId('resolve'), openCounts: {}, packet: aPacket() };
    case 'await':
    case 'done':
      return undefined;
    default:
      return { kind: step.kind, commandId: commandId(step.kind) };
  }
}

/** A row between two transactions, and the instant at which it stood. */
export type Moment = { handoff: Handoff; at: string; receipts: number };

/** Lives a life; answers every row it had, oldest first. */
export function live(policy: Policy, script: readonly Move[], missing: readonly string[] = []): { life: Life; moments: Moment[]; endedAt: string } {
  // Every eighth life or so begins as what may be a duplicate, fewer as a matter of safety.
  const possibleDuplicate = { of: script.length % 16 === 0 ? LATER : OTHER, evidence: ['same-phone' as const] };
  const life = aLife(policy, { missing, required: 3, ...(script.length % 8 === 0 && { possibleDuplicate }), ...(script.length % 16 === 4 && { safety: 'gas' }) });
  const moments: Moment[] = [{ handoff: life.handoff, at: NOW, receipts: life.receipts.length }];
  let now = NOW;
  for (const { seconds, wish } of script) {
    now = later(now, seconds);
    const command = wish(life.handoff, policy, now);
    if (command === undefined) continue;
    if (life.tell(command, now).kind === 'decided') moments.push({ handoff: life.handoff, at: now, receipts: life.receipts.length });
  }
  return { life, moments, endedAt: now };
}

export const lives = fc.record({ policy: policies, script: moves, missing: fc.constantFrom<readonly string[]>([], [], [], ['request.words']) });
