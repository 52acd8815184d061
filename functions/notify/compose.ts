// What each message says, in the language and zone of the person it goes to. No contact details of the customer before somebody accepted (PI-08).

import { attemptsBefore, isUnkeptPromise } from '../../shared/domain/attempts.ts';
import { cut, defused, oneLine, wordsBeforeAcceptance } from '../../shared/domain/free-text.ts';
import type { Handoff, RaisedException } from '../../shared/domain/handoff.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Person, Policy } from '../../shared/domain/policy.ts';
import type { ReceiptOf } from '../../shared/domain/receipt.ts';
import { ruleText } from '../../shared/domain/wording/rule-text.ts';
import { inFull, inShort, said, saidOf, type Wording, wordingFor } from '../../shared/domain/wording/wording.ts';
import type { Letter } from './letter.tsx';
import { smsText } from './sms-text.ts';

/** What a message is composed from. The same subject always leads to the same words, also when it is sent a second time (MS-05). */
export type Subject = { handoff: Handoff; packet: Packet; policy: Policy; to: Person };

/** A message in both forms. `link` is the address of the page, on the channel's own link, when there is one. */
export type Message = { letter: (link: string | undefined) => Letter; text: (link: string | undefined) => string };

/** Words of the customer in an e-mail before acceptance. */
const EXCERPT = 140;

export function offerMessage(subject: Subject, receipt: ReceiptOf<'acceptance.requested' | 'backup.requested'>): Message {
  const { packet, to } = subject;
  const { wording, messages, full, short } = voice(to, receipt.at);
  const { what, place } = matterOf(packet, wording);
  const words = wordsBeforeAcceptance(packet.request.words ?? '', packet.contact, EXCERPT);
  const paragraphs = [messages.offer(what, place, full(receipt.deadlineAt)), ...(words === '' ? [] : [messages.words(words)]), messages.why(ruleText(receipt.rule, wording))];
  const until = short(receipt.deadlineAt);
  return {
    letter: (link) => letter(subject, messages.offerSubject(capital(what === '' ? messages.request : what), place), paragraphs, { link, label: messages.open }),
    text: (link) =>
      smsText([messages.offerSms(what, place, until), messages.offerSms(what, defused(packet.location.postalCode ?? '', 10), until), messages.offerSms('', '', until)], link),
  };
}

/** Little time is left; the same link still answers (O-07). */
export function reminderMessage(subject: Subject, receipt: ReceiptOf<'offer.reminded'>): Message {
  const { messages, full, short } = voice(subject.to, receipt.at);
  const minutes = Math.max(1, Math.round((Date.parse(receipt.deadlineAt) - Date.parse(receipt.at)) / 60_000));
  const left = minutes < 120 ? messages.minutes(minutes) : messages.hours(Math.floor(minutes / 60));
  return {
    letter: (link) => letter(subject, messages.reminderSubject(left), [messages.reminder(left, full(receipt.deadlineAt))], { link, label: messages.open }),
    text: (link) => smsText([messages.reminderSms(left, short(receipt.deadlineAt)), messages.reminderSubject(left)], link),
  };
}

/** The work and its place, as far as they are stated: enough to know what it is about, and nothing of who asks. */
function matterOf({ request, location }: Packet, wording: Wording): { what: string; place: string } {
  const place = [location.postalCode, location.city].filter((one) => one !== undefined).map((one) => defused(one, 30));
  return { what: request.category === undefined ? '' : said(wording.categories, defused(request.category)), place: place.join(' ') };
}

/** With what was asked for, since when, and what was tried: the history goes along with the responsibility (E-02). */
export function exceptionMessage(subject: Subject, receipt: ReceiptOf<'exception.raised' | 'exception.escalated'>): Message {
  const { handoff, packet, to } = subject;
  const { wording, messages, full, short } = voice(to, receipt.at);
  const raised = handoff.exceptions.find((one) => one.number === receipt.exception);
  const why = raised === undefined ? '' : isUnkeptPromise(handoff, raised) ? wording.unkeptPromise : wording.exceptions[raised.class];
  const { what, place } = matterOf(packet, wording);
  const words = wordsBeforeAcceptance(packet.request.words ?? '', packet.contact, EXCERPT);
  const history = raised === undefined ? [] : attemptsBefore(handoff, { ...raised, earlierOwners: ownersUntil(raised, receipt) });
  const told = history.map((attempt) => `${nameOf(subject, attempt.person)} ${saidOf(attempt, wording)}`).join('; ');
  const paragraphs = [
    messages.exception(uncapital(why), full(receipt.respondBy)),
    ...(receipt.kind === 'exception.raised' ? [] : [movedOn(receipt.because, messages)(nameOf(subject, receipt.from))]),
    messages.about(what, place, full(handoff.occurredAt)),
    ...(words === '' ? [] : [messages.words(words)]),
    ...(told === '' ? [] : [messages.before(told)]),
  ];
  return {
    letter: (link) => letter(subject, messages.exceptionSubject(why), paragraphs, { link, label: messages.open }),
    text: (link) => smsText([messages.exceptionSms(why, short(receipt.respondBy)), messages.exceptionSms('', short(receipt.respondBy))], link),
  };
}

/** As it was when this receipt was written, also when its message is sent a second time (MS-05). The last of them has a paragraph of their own. */
function ownersUntil({ earlierOwners }: RaisedException, receipt: ReceiptOf<'exception.raised' | 'exception.escalated'>) {
  return receipt.kind === 'exception.raised' ? [] : earlierOwners.slice(0, Math.max(0, earlierOwners.indexOf(receipt.from)));
}

const movedOn = (because: ReceiptOf<'exception.escalated'>['because'], messages: Wording['messages']) => (because === 'unavailable' ? messages.escalatedAway : messages.escalated);

/** The confirmation carries what the page never shows: how to reach the customer, through the owner's own channels (PI-08, LK-16). */
export function acceptedMessage(subject: Subject, receipt: ReceiptOf<'offer.accepted'>): Message {
  const { packet, to } = subject;
  const { wording, messages, full, short } = voice(to, receipt.at);
  const { name, phone, email } = packet.contact;
  const called = name === undefined || defused(name) === '' ? messages.customer : defused(name);
  const action = said(wording.nextActions, receipt.nextAction);
  const paragraphs = [messages.accepted(full(receipt.at)), messages.promise(action, full(receipt.dueAt))];
  const due = messages.dueSms(action, short(receipt.dueAt));
  const first = oneLine(phone ?? email ?? '');
  const both = [phone, email]
    .filter((one) => one !== undefined)
    .map((one) => oneLine(one))
    .join(' ');
  return {
    letter: (link) => ({
      ...letter(subject, messages.acceptedSubject(called), paragraphs, { link, label: messages.openYours }, false),
      facts: contactFacts(packet, wording),
      ...(link !== undefined && { further: { label: messages.receipt, url: `${link}/receipt` } }),
    }),
    text: (link) =>
      smsText(
        [
          `${messages.acceptedSms(called, both)}\n${due}`,
          `${messages.acceptedSms(cut(called, 24), first)}\n${due}`,
          messages.acceptedSms(cut(called, 24), first),
          first.length > 60 ? messages.acceptedSms(cut(called, 24), '') : first,
        ],
        link,
      ),
  };
}

function contactFacts({ contact, location, request, alsoStated }: Packet, { fields, facts, languages }: Wording): [string, string][] {
  const place = [location.postalCode, location.city, location.region, location.country].filter((one) => one !== undefined).map((one) => defused(one));
  const rows: [string, string | undefined][] = [
    ['contact.name', contact.name],
    ['contact.phone', contact.phone],
    ['contact.email', contact.email],
    ['contact.prefers', contact.prefers],
    ['contact.language', contact.language === undefined ? undefined : said(languages, contact.language)],
    [facts.place, place.length === 0 ? undefined : place.join(' ')],
    [facts.timing, request.timing],
    [facts.words, request.words],
  ];
  const exact = ['contact.phone', 'contact.email'];
  const also = (alsoStated ?? []).filter(({ path }) => path !== 'request.words').map(({ path, value }): [string, string] => [path, value]);
  return [...rows, ...also].flatMap(([path, value]) =>
    value === undefined ? [] : [[capital(fields[path] ?? path), exact.includes(path) ? oneLine(value) : defused(value, 600)] as [string, string]],
  );
}

export function takenMessage(subject: Subject, receipt: ReceiptOf<'offer.superseded'>): Message {
  const { messages } = voice(subject.to, receipt.at);
  const owner = nameOf(subject, receipt.by);
  return {
    letter: (link) => letter(subject, messages.takenSubject(owner), [messages.taken(owner)], { link, label: messages.openIt }, false),
    text: (link) => smsText([messages.takenSms(owner), messages.takenSubject(owner)], link),
  };
}

/** Somebody moved the request or took it back; the link of the old message says the same from now on (CC-07). */
export function withdrawnMessage(subject: Subject, receipt: ReceiptOf<'offer.withdrawn' | 'ownership.ended'>): Message {
  const { messages } = voice(subject.to, receipt.at);
  const moved = receipt.kind === 'ownership.ended' ? messages.withdrawnOwner : messages.withdrawnOffer;
  const what = receipt.because === 'safety' ? messages.withdrawnSafety : moved;
  return {
    letter: (link) => letter(subject, messages.withdrawnSubject, [what], { link, label: messages.openIt }, false),
    text: (link) => smsText([messages.withdrawnSms, messages.withdrawnSubject], link),
  };
}

/** Goes to whoever owes the answer, over a link of their own that answers nothing but the question (O-06). */
export function questionMessage(subject: Subject, receipt: ReceiptOf<'clarification.asked'>, question: string): Message {
  const { packet } = subject;
  const { messages, full } = voice(subject.to, receipt.at);
  const who = nameOf(subject, receipt.by);
  const words = wordsBeforeAcceptance(packet.request.words ?? '', packet.contact, EXCERPT);
  const paragraphs = [messages.question(who), question, ...(words === '' ? [] : [messages.words(words)]), messages.questionNext(full(receipt.expiresAt))];
  return {
    letter: (link) => letter(subject, messages.questionSubject(who), paragraphs, { link, label: messages.questionAnswer }, false),
    text: (link) => smsText([messages.questionSms(who, oneLine(question)), messages.questionSubject(who)], link),
  };
}

/** The seller hears the answer over the link of the offer, whose window began anew. Before a yes it names no address of the customer (PI-08). */
export function answeredMessage(subject: Subject, receipt: ReceiptOf<'clarification.answered'>): Message {
  const { messages, full, short } = voice(subject.to, receipt.at);
  const who = nameOf(subject, receipt.by);
  const answer = subject.packet.answers?.find((one) => one.at === receipt.at)?.answer ?? '';
  const said = wordsBeforeAcceptance(answer, subject.packet.contact, 600);
  return {
    letter: (link) =>
      letter(subject, messages.answeredSubject(who), [messages.answered(who), ...(said === '' ? [] : [said]), messages.answeredNext(full(receipt.deadlineAt))], {
        link,
        label: messages.open,
      }),
    text: (link) => smsText([messages.answeredSms(who, short(receipt.deadlineAt)), messages.answeredSubject(who)], link),
  };
}

/** Before a yes it names what is new, never its value (PI-08); the owner reads the values as well. */
export function linkedMessage(subject: Subject, receipt: ReceiptOf<'signal.linked'>): Message {
  const { handoff, packet, to } = subject;
  const { wording, messages } = voice(to, receipt.at);
  const named = (paths: readonly string[]) => paths.map((path) => said(wording.fields, path.replace(/^more\./, ''))).join(', ');
  const [added, differs] = [named(receipt.added), named(receipt.conflicting)];
  const paragraphs = [
    messages.linked(defused(receipt.source)),
    ...(added === '' ? [] : [messages.linkedAdded(added)]),
    ...(differs === '' ? [] : [messages.linkedDiffers(differs)]),
  ];
  const isOwner = handoff.ownership?.owner === to.id;
  return {
    letter: (link) => ({
      ...letter(subject, messages.linkedSubject, paragraphs, { link, label: isOwner ? messages.openYours : messages.open }, !isOwner),
      ...(isOwner && { facts: contactFacts(packet, wording) }),
    }),
    text: (link) => smsText([messages.linkedSms([added, differs].filter((one) => one !== '').join(', ')), messages.linkedSms('')], link),
  };
}

/** Whoever answered for an exception hears that it is over; the link says the same. */
export function clearedMessage(subject: Subject, receipt: ReceiptOf<'exception.cleared'>): Message {
  const { messages } = voice(subject.to, receipt.at);
  return {
    letter: (link) => letter(subject, messages.clearedSubject, [receipt.because === 'safety' ? messages.clearedSafety : messages.cleared], { link, label: messages.openIt }, false),
    text: (link) => smsText(receipt.because === 'safety' ? [messages.clearedSubject] : [messages.clearedSms, messages.clearedSubject], link),
  };
}

export function overdueMessage(subject: Subject, receipt: ReceiptOf<'next-step.overdue'>): Message {
  const { handoff, to } = subject;
  const { wording, messages, full, short } = voice(to, receipt.at);
  const action = said(wording.nextActions, handoff.ownership?.nextAction ?? '');
  const paragraphs = [messages.overdue(action, full(receipt.dueAt)), messages.overdueUntil(full(receipt.graceUntil))];
  return {
    letter: (link) => letter(subject, messages.overdueSubject, paragraphs, { link, label: messages.openYours }),
    text: (link) => smsText([messages.overdueSms(action, short(receipt.dueAt)), messages.overdueSubject], link),
  };
}

/** How a person reads words and times. */
function voice(to: Person, from: string) {
  const wording = wordingFor(to.speaks);
  return {
    wording,
    messages: wording.messages,
    full: (instant: string) => inFull(instant, to.zone, wording),
    short: (instant: string) => inShort(instant, from, to.zone, wording),
  };
}

function letter({ to, handoff }: Subject, subject: string, paragraphs: readonly string[], { link, label }: { link: string | undefined; label: string }, decides = true): Letter {
  const { messages } = wordingFor(to.speaks);
  return {
    language: to.speaks,
    subject: cut(oneLine(subject), 120),
    greeting: messages.hello(defused(to.name).split(' ')[0] ?? to.name),
    paragraphs: paragraphs.map(capital),
    ...(link !== undefined && { link: { label, url: link } }),
    foot: [...(decides ? [messages.nothingByOpening] : []), messages.reference(handoff.id)],
  };
}

const nameOf = ({ policy }: Subject, id: string): string => policy.roster.people.find((person) => person.id === id)?.name ?? id;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const uncapital = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
