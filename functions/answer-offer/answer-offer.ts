// A person answers through a signed link. The table decides every race; whoever comes second is shown what stands.

import type { FieldProblem } from '../../shared/contracts/answer-form.ts';
import { acceptanceAmong, acceptanceOf } from '../../shared/domain/acceptance.ts';
import { answeredPacket, correctedPacket } from '../../shared/domain/corrected-packet.ts';
import { decidePerson } from '../../shared/domain/decide-person.ts';
import type { Refusal } from '../../shared/domain/decision.ts';
import { apply } from '../../shared/domain/evolve.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { type HandoffId, handoffId, personId } from '../../shared/domain/ids.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Person, Policy } from '../../shared/domain/policy.ts';
import type { Fact, Receipt } from '../../shared/domain/receipt.ts';
import { linksFor } from '../../shared/domain/workflow-transition.ts';
import type { Case, CaseBook } from '../../shared/ports/case-book.ts';
import type { Alongside, HandoffStore, LinkBook, LinkTarget, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { LinkSeal, PageSeal, ReceiptSeal } from '../../shared/ports/seal.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import { mergeSources } from './merge-sources.ts';
import { commandFor, noteFor, PROBLEM_OF, type Wish } from './wish.ts';

export type AnswerOfferDeps = {
  links: LinkBook;
  store: HandoffStore;
  cases: CaseBook;
  seal: LinkSeal & PageSeal & ReceiptSeal;
  time: TimeSource;
};

/** A genuine link with everything it leads to. */
export type OpenedLink = Case & {
  link: LinkTarget;
  person: Person;
  now: string;
  /** The seller's words, for whoever owes the answer to them. */
  question?: string;
  /** The request that this one may be the same as, for whoever compares them. */
  other?: LoadedHandoff;
};

export type AnswerOutcome =
  /** Written now or by this very command before, or nothing to write: the page shows what stands. */
  | { kind: 'settled'; wrote: boolean }
  /** The person can mend it on the page. Nothing was written. */
  | { kind: 'wrong'; problems: FieldProblem[] }
  /** The facts changed since the page was shown (LK-28). Nothing was written. */
  | { kind: 'facts-changed'; opened: OpenedLink };

/** Signed for no link: what an unknown id is checked against, so that it takes as long as a forged one. */
const NO_CLAIM = { purpose: 'offer', handoffId: handoffId(`h-${'0'.repeat(32)}`), number: 0, person: personId('nobody') } as const;

const ATTEMPTS = 5;

/** What a link opens, or undefined: unknown, forged, expired and made for another purpose look the same (LK-10, LK-14). */
export async function openLink(deps: AnswerOfferDeps, text: string): Promise<OpenedLink | undefined> {
  const id = deps.seal.canonical(text);
  if (id === undefined) return undefined;
  const now = deps.time.now();
  const link = await deps.links.find(id);
  const genuine = await deps.seal.verify(id, link ?? NO_CLAIM);
  if (link === undefined || !genuine || now >= link.expiresAt) return undefined;
  const loaded = await deps.cases.open(link.handoffId);
  if (loaded === undefined) return undefined;
  const question = link.purpose === 'clarification' ? await lastQuestion(deps, link.handoffId) : undefined;
  const other = link.purpose === 'exception' ? await otherOf(deps, loaded.handoff) : undefined;
  return { ...loaded, link, person: personOf(loaded.policy, link), now, ...(question !== undefined && { question }), ...(other !== undefined && { other }) };
}

const otherOf = async ({ store }: AnswerOfferDeps, { possibleDuplicate }: Handoff): Promise<LoadedHandoff | undefined> =>
  possibleDuplicate === undefined ? undefined : store.load(possibleDuplicate.of);

const lastQuestion = async ({ store }: AnswerOfferDeps, id: HandoffId): Promise<string | undefined> => (await store.notes(id)).findLast((note) => note.kind === 'question')?.text;

/** A person who left the roster still sees what became of their offer. */
const personOf = (policy: Policy, { person }: LinkTarget): Person =>
  policy.roster.people.find((one) => one.id === person) ?? {
    id: person,
    name: person,
    roles: [],
    territories: [],
    products: [],
    languages: [],
    speaks: 'en',
    zone: 'UTC',
    away: [],
  };

/**
 * Carries out an answer: decides on what the link opened, signs an acceptance, writes once.
 * A lost race is read back and decided again, so that two people are never both told "it is yours".
 * Throws when the row kept changing under five attempts.
 */
export async function answerOffer(deps: AnswerOfferDeps, opened: OpenedLink, wish: Wish): Promise<AnswerOutcome> {
  const { link, policy } = opened;
  if (wish.kind === 'duplicate' && wish.of !== link.handoffId && (await deps.store.load(wish.of)) === undefined)
    return { kind: 'wrong', problems: [{ field: 'duplicateOf', problem: 'duplicate-unknown' }] };

  let current: LoadedHandoff = opened;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const now = deps.time.now();
    const command = commandFor(wish, link, current, policy);
    const decision = decidePerson(current.handoff, command, policy, now);
    if (decision.kind === 'refused' && decision.because === 'packet-changed') return { kind: 'facts-changed', opened: { ...opened, ...current, now } };
    if (decision.kind !== 'decided') return undecided(decision);

    const into = decision.facts.find((fact) => fact.kind === 'duplicate.merged')?.into;
    if (into !== undefined && (await mergeSources(deps, current, into, link)) === 'over') return { kind: 'wrong', problems: [{ field: 'action', problem: 'duplicate-over' }] };

    const { receipts, after } = stamped(current.handoff, decision.facts, command.commandId, link, now);
    const written = await deps.store.append(current.handoff, after, receipts, await alongside(deps, { wish, receipts, after, opened, packet: current.packet }));
    if (written.kind === 'at-capacity') return undecided({ kind: 'refused', because: 'capacity-reached' });
    if (written.kind !== 'stale') return { kind: 'settled', wrote: written.kind === 'written' };
    current = await again(deps, link);
  }
  throw new Error(`handoff ${link.handoffId} kept changing under ${ATTEMPTS} attempts`);
}

/** A refusal that the person can mend belongs to a field; any other is told by what the page shows now. */
function undecided(refused: Refusal): AnswerOutcome {
  const problem = refused.kind === 'refused' ? PROBLEM_OF[refused.because] : undefined;
  return problem === undefined ? { kind: 'settled', wrote: false } : { kind: 'wrong', problems: [problem] };
}

function stamped(before: Handoff, facts: readonly Fact[], commandId: Receipt['commandId'], link: LinkTarget, at: string): { receipts: Receipt[]; after: Handoff } {
  const actor = { kind: 'person', person: link.person, channel: link.channel } as const;
  const { receipts, handoff: after } = apply(before, facts, { at, commandId, actor, packetVersion: before.packetVersion, contractVersion: before.contractVersion });
  return { receipts, after };
}

type Written = { wish: Wish; receipts: readonly Receipt[]; after: Handoff; opened: OpenedLink; packet: Packet };

async function alongside(deps: AnswerOfferDeps, written: Written): Promise<Alongside> {
  const { wish, receipts, after, opened } = written;
  const yes = acceptanceAmong(receipts);
  const note = noteFor(wish);
  const seq = receipts.at(-1)?.seq;
  const links = await Promise.all(linksFor(after, receipts, opened.policy).map(async (link) => ({ ...link, id: await deps.seal.mint(link) })));
  const packet = answeredBy(written) ?? correctedBy(written);
  return {
    ...(links.length > 0 && { links }),
    ...(packet !== undefined && { packet }),
    ...(yes !== undefined && { acceptance: { seq: yes.seq, jws: await deps.seal.sign(acceptanceOf(after, yes)) } }),
    ...(note !== undefined && seq !== undefined && { notes: [{ seq, ...note }] }),
  };
}

/** The next version of the packet, with the answer in it; undefined when this is no answer to a question (P-03). */
function answeredBy({ wish, receipts, opened, packet }: Written): Packet | undefined {
  const receipt = receipts.find((one) => one.kind === 'clarification.answered');
  if (receipt === undefined || wish.kind !== 'answer-question') return undefined;
  return answeredPacket(packet, { question: opened.question ?? '', answer: wish.answer, by: receipt.by, at: receipt.at });
}

/** The next version of the packet with the facts as they were put right; undefined when nobody did (E-03). */
function correctedBy({ wish, receipts, after, packet }: Written): Packet | undefined {
  const receipt = receipts.find((one) => one.kind === 'exception.cleared');
  if (receipt === undefined || wish.kind !== 'correct') return undefined;
  return correctedPacket(packet, wish.correction, { eventId: `${after.id}:${receipt.seq}`, occurredAt: receipt.at });
}

async function again(deps: AnswerOfferDeps, link: LinkTarget): Promise<LoadedHandoff> {
  const loaded = await deps.store.load(link.handoffId);
  if (loaded === undefined) throw new Error(`handoff ${link.handoffId} vanished while it was answered`);
  return loaded;
}

/** The signed receipt of the ownership that the holder of the link has now; undefined for everyone else. */
export async function receiptFor(deps: AnswerOfferDeps, { handoff, link }: OpenedLink): Promise<string | undefined> {
  if (handoff.ownership?.owner !== link.person) return undefined;
  return (await deps.store.acceptances(handoff.id)).at(-1)?.jws;
}
