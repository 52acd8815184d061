// From what a person typed to what they wish, and from a wish to the command that the domain decides on.

import type { AnswerForm, FieldProblem } from '../../shared/contracts/answer-form.ts';
import { answeredPacket, type Correction, changedBy, correctedPacket } from '../../shared/domain/corrected-packet.ts';
import type { PersonAnswer } from '../../shared/domain/decide-person.ts';
import type { RefusedBecause } from '../../shared/domain/decision.ts';
import { type Handoff, openException } from '../../shared/domain/handoff.ts';
import { commandId, type HandoffId, handoffId, personId } from '../../shared/domain/ids.ts';
import { fromLocal, isLocalText } from '../../shared/domain/local-time.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Contract, Outcome, Policy, RejectReason } from '../../shared/domain/policy.ts';
import type { EvidenceKind } from '../../shared/domain/receipt.ts';
import { newlyUrgent } from '../../shared/domain/safety.ts';
import type { Problem } from '../../shared/domain/wording/wording.ts';
import type { LinkTarget, LoadedHandoff, Note } from '../../shared/ports/handoff-store.ts';

/** What a person wants, with every time as an instant. */
export type Wish =
  | { kind: 'accept'; nextAction: string; dueAt: string; seen: number }
  | { kind: 'reject'; reason: RejectReason; field?: string; explanation: string }
  | { kind: 'ask'; question: string }
  | { kind: 'answer-question'; answer: string }
  | { kind: 'duplicate'; of: HandoffId }
  | { kind: 'accept-exception' }
  | { kind: 'merge' }
  | { kind: 'separate' }
  | { kind: 'correct'; correction: Correction; seen: number }
  | { kind: 'assign'; to: string }
  | { kind: 'take'; nextAction: string; dueAt: string }
  | { kind: 'confirm'; evidence: EvidenceKind; note: string }
  | { kind: 'close'; outcome: Outcome; result: string };

/** The wish in a form, with local times read in the person's zone. */
export function wishFrom(form: AnswerForm, zone: string): { kind: 'wish'; wish: Wish } | { kind: 'wrong'; problems: FieldProblem[] } {
  switch (form.action) {
    case 'accept':
    case 'take': {
      const due = dueFrom(form, zone);
      if ('problem' in due) return { kind: 'wrong', problems: [due] };
      const { nextAction } = form;
      return { kind: 'wish', wish: form.action === 'take' ? { kind: 'take', nextAction, ...due } : { kind: 'accept', nextAction, ...due, seen: form.seen } };
    }
    case 'reject':
      if (form.reason === 'missing-required-field' && form.field === '') return wrong('field', 'field-missing');
      if (form.reason === 'other' && form.explanation === '') return wrong('explanation', 'explanation-missing');
      return {
        kind: 'wish',
        wish: { kind: 'reject', reason: form.reason, explanation: form.explanation, ...(form.reason === 'missing-required-field' && { field: form.field }) },
      };
    case 'ask-clarification':
      return { kind: 'wish', wish: { kind: 'ask', question: form.question } };
    case 'answer-question':
      return { kind: 'wish', wish: { kind: 'answer-question', answer: form.answer } };
    case 'mark-duplicate':
      return { kind: 'wish', wish: { kind: 'duplicate', of: handoffId(form.duplicateOf) } };
    case 'accept-exception':
      return { kind: 'wish', wish: { kind: 'accept-exception' } };
    case 'merge-duplicate':
      return { kind: 'wish', wish: { kind: 'merge' } };
    case 'separate-duplicate':
      return { kind: 'wish', wish: { kind: 'separate' } };
    case 'correct':
      return { kind: 'wish', wish: { kind: 'correct', correction: correctionFrom(form), seen: form.seen } };
    case 'assign':
      return { kind: 'wish', wish: { kind: 'assign', to: form.assignTo } };
    case 'confirm-next-step':
      return { kind: 'wish', wish: { kind: 'confirm', evidence: form.evidence, note: form.evidenceNote } };
    case 'close':
      if (form.outcome === 'completed' && form.result === '') return wrong('result', 'result-missing');
      return { kind: 'wish', wish: { kind: 'close', outcome: form.outcome, result: form.result } };
  }
}

/** An empty field changes nothing: a fact can be put right here, not taken away. */
function correctionFrom({ postalCode, country, category, product, language }: Extract<AnswerForm, { action: 'correct' }>): Correction {
  const typed = {
    'location.postalCode': postalCode.toUpperCase(),
    'location.country': country.toUpperCase(),
    'request.category': category,
    'request.product': product,
    'contact.language': language.toLowerCase(),
  };
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
}

/** What else is wrong with a promise whose form was refused before its times were read, so that a person hears everything at once. */
export function problemsOfPromise(fields: Readonly<Record<string, string>>, zone: string): FieldProblem[] {
  if (fields.action !== 'accept' && fields.action !== 'take') return [];
  const due = dueFrom({ dueChoice: fields.dueChoice ?? '', due: fields.due ?? '' }, zone);
  return 'problem' in due ? [due] : [];
}

const wrong = (field: string, problem: Problem) => ({ kind: 'wrong' as const, problems: [{ field, problem }] });

/** A time that the page offered is an instant; a typed one is local. An offered one wins, since the page hides the typed one then. */
function dueFrom({ dueChoice, due }: { dueChoice: string; due: string }, zone: string): { dueAt: string } | FieldProblem {
  if (dueChoice !== '' && dueChoice !== 'other') return isInstant(dueChoice) ? { dueAt: dueChoice } : { field: 'dueChoice', problem: 'due-missing' };
  if (due === '') return dueChoice === 'other' ? { field: 'due', problem: 'due-unreadable' } : { field: 'dueChoice', problem: 'due-missing' };
  const local = due.replace(' ', 'T').replace(/^(.{16}):00(?:\.000)?$/, '$1');
  if (!isLocalText(local)) return { field: 'due', problem: 'due-unreadable' };
  const { instant, adjusted } = fromLocal(local, zone);
  return adjusted ? { field: 'due', problem: 'due-skipped' } : { dueAt: instant };
}

const isInstant = (text: string): boolean => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text));

/** The command for a wish. Its id follows from the link and the kind of answer, so that the same click twice is one command (LK-23, DB-01); the link's own text stays out of the log (LK-19). */
export function commandFor(wish: Wish, link: LinkTarget, { handoff, packet }: Pick<LoadedHandoff, 'handoff' | 'packet'>, { contract }: Pick<Policy, 'contract'>): PersonAnswer {
  const { person: by, channel, number } = link;
  const who = { by, channel, commandId: commandId(['answer', link.handoffId, link.purpose, number, by, channel, wish.kind, ...turnOf(wish, link, handoff)].join(':')) };
  switch (wish.kind) {
    case 'accept':
      return { ...who, kind: 'accept', offer: offerOf(link), nextAction: wish.nextAction, dueAt: wish.dueAt, seenPacketVersion: wish.seen };
    case 'reject':
      return { ...who, kind: 'reject', offer: offerOf(link), reason: wish.reason, explained: wish.explanation !== '', ...(wish.field !== undefined && { field: wish.field }) };
    case 'ask':
      return { ...who, kind: 'ask-clarification', offer: offerOf(link) };
    case 'answer-question':
      return { ...who, kind: 'answer-clarification', offer: link.purpose === 'clarification' ? number : 0, ...urgency(wish, packet, contract) };
    case 'duplicate':
      return { ...who, kind: 'mark-duplicate', offer: offerOf(link), of: wish.of };
    case 'accept-exception':
      return { ...who, kind: 'accept-exception', exception: exceptionOf(link) };
    case 'merge':
    case 'separate':
      return { ...who, kind: `${wish.kind}-duplicate`, exception: exceptionOf(link) };
    case 'correct':
      return {
        ...who,
        kind: 'resolve-exception',
        exception: exceptionOf(link),
        how: { resolution: 'correct', paths: changedBy(packet, wish.correction), seenPacketVersion: wish.seen, ...urgency(wish, packet, contract) },
      };
    case 'assign':
      return { ...who, kind: 'resolve-exception', exception: exceptionOf(link), how: { resolution: 'assign', to: personId(wish.to) } };
    case 'take':
      return { ...who, kind: 'resolve-exception', exception: exceptionOf(link), how: { resolution: 'take', nextAction: wish.nextAction, dueAt: wish.dueAt } };
    case 'confirm':
      return { ...who, kind: 'confirm-next-step', evidence: wish.evidence };
    case 'close':
      return link.purpose === 'exception' && openException(handoff)?.number === number
        ? { ...who, kind: 'resolve-exception', exception: number, how: { resolution: 'close', outcome: wish.outcome } }
        : { ...who, kind: 'close', outcome: wish.outcome };
  }
}

/** Whether the facts that a person brings make it a matter of safety (E-04). */
function urgency(wish: Extract<Wish, { kind: 'answer-question' | 'correct' }>, packet: Packet, contract: Contract): { safety?: string } {
  const told = { question: '', at: '', by: personId('nobody') };
  const next = wish.kind === 'correct' ? correctedPacket(packet, wish.correction, { eventId: '', occurredAt: '' }) : answeredPacket(packet, { ...told, answer: wish.answer });
  const safety = newlyUrgent(packet, next, contract);
  return safety === undefined ? {} : { safety };
}

/** An offer may take several questions: each is a command of its own, and so is its answer. */
function turnOf(wish: Wish, link: LinkTarget, handoff: Handoff): number[] {
  if (wish.kind !== 'ask' && wish.kind !== 'answer-question') return [];
  const offer = handoff.offers.find((one) => one.number === link.number);
  const asked = offer?.questions ?? 0;
  return [wish.kind === 'ask' && offer?.status !== 'clarifying' ? asked + 1 : asked];
}

/** Numbers count from 1, so 0 names nothing: an offer's answer through an exception's link, and the reverse, meets no offer (LK-14). */
const offerOf = (link: LinkTarget): number => (link.purpose === 'offer' ? link.number : 0);
const exceptionOf = (link: LinkTarget): number => (link.purpose === 'exception' ? link.number : 0);

/** The free text of a wish, kept beside the receipt that it belongs to. */
export function noteFor(wish: Wish): Omit<Note, 'seq'> | undefined {
  const [kind, text] = textOf(wish);
  return text === '' ? undefined : { kind, text };
}

function textOf(wish: Wish): [Note['kind'], string] {
  switch (wish.kind) {
    case 'reject':
      return ['explanation', wish.explanation];
    case 'ask':
      return ['question', wish.question];
    case 'confirm':
      return ['evidence', wish.note];
    case 'close':
      return ['result', wish.result];
    default:
      return ['result', ''];
  }
}

/** Where on the page a refusal of the domain belongs; undefined when the page's new state says it all. */
export const PROBLEM_OF: Readonly<Partial<Record<RefusedBecause, FieldProblem>>> = {
  'unknown-next-action': { field: 'nextAction', problem: 'next-action-missing' },
  'due-time-not-ahead': { field: 'dueChoice', problem: 'due-past' },
  'due-time-too-far': { field: 'dueChoice', problem: 'due-too-far' },
  'question-limit': { field: 'question', problem: 'question-limit' },
  'capacity-reached': { field: 'nextAction', problem: 'capacity-reached' },
  'explanation-missing': { field: 'explanation', problem: 'explanation-missing' },
  'field-missing': { field: 'field', problem: 'field-missing' },
  'same-handoff': { field: 'duplicateOf', problem: 'duplicate-same' },
  'nothing-corrected': { field: 'postalCode', problem: 'nothing-corrected' },
  'unknown-person': { field: 'assignTo', problem: 'person-missing' },
};
