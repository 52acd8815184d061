// People hear what concerns them. Each message is claimed before it is sent and settled after; what nobody knows stays open for reconcile.

import { CLAIM_LEASE_SECONDS } from '../../shared/contracts/message-lease.ts';
import type { MessageUnsettledEvent } from '../../shared/contracts/message-unsettled-event.ts';
import type { NoticeEvent } from '../../shared/contracts/notice-event.ts';
import type { ReceiptEvent } from '../../shared/contracts/receipt-event.ts';
import type { ReportPublishedEvent } from '../../shared/contracts/report-event.ts';
import { type HandoffId, handoffId } from '../../shared/domain/ids.ts';
import { referenceOf } from '../../shared/domain/message-reference.ts';
import { pauseOver } from '../../shared/domain/pause.ts';
import { wordingFor } from '../../shared/domain/wording/wording.ts';
import type { Claim } from '../../shared/ports/claim-book.ts';
import type { PauseBook } from '../../shared/ports/pause-book.ts';
import type { ReportShelf } from '../../shared/ports/report-shelf.ts';
import { type CarryOutDeps, carryOut, mayGo, settle, tried } from './carry-out.ts';
import { isToCustomer } from './customer.ts';
import { messageNamed, messagesAbout, type Outgoing, type OutgoingDeps } from './outgoing.ts';

export type NotifyDeps = OutgoingDeps &
  CarryOutDeps & {
    pauses: Pick<PauseBook, 'pauses'>;
    reports: Pick<ReportShelf, 'find'>;
    opsEmail: string;
  };

/** Reports share the book of claims with handoffs under this name, which no handoff ever gets. */
export const REPORTS = handoffId(`h-${'0'.repeat(32)}`);

/** How often one message may be tried in all: once, and once more after nobody knew what became of it (MS-05). */
const MOST_ATTEMPTS = 2;

/** Carries out what one event of the bus asks for. */
export function notify(deps: NotifyDeps, event: NoticeEvent): Promise<void> {
  if ('receipt' in event) return notifyReceipt(deps, event);
  if (!('effect' in event)) return notifyReport(deps, event);
  return event.handoffId === REPORTS ? reportUnsettled(deps, event.effect) : notifyUnsettled(deps, event);
}

/**
 * Tells whom a receipt concerns. Repeating it sends nothing twice. Throws when the outcome of a message is unclear; its claim
 * then stays open, and the repetition that Lambda makes a minute later takes it over.
 */
async function notifyReceipt(deps: NotifyDeps, { handoffId: id, receipt }: ReceiptEvent): Promise<void> {
  if (receipt.kind === 'handoff.opened' && receipt.closed === undefined) return; // during hours an opening tells nobody anything
  const messages = await messagesAbout(deps, id, receipt);
  await all(messages.map((message) => () => first(deps, message)));
}

async function first(deps: NotifyDeps, message: Outgoing): Promise<void> {
  const { id, effect } = message;
  if (!(await deps.claims.claim(id, effect, deps.time.now()))) return again(deps, message);
  if (!isToldAnyway(message) && (await isPaused(deps, id, effect))) return deps.claims.hold(id, effect, 'sending is paused');
  await carryOut(deps, message);
}

/** The event came again: what its first run held or left behind is taken up. What was tried often enough is for reconcile. */
async function again(deps: NotifyDeps, message: Outgoing): Promise<void> {
  const claim = await leftBehind(deps, message);
  if (claim === undefined || isSpent(claim) || (!isToldAnyway(message) && (await isPaused(deps, message.id, message.effect)))) return;
  await takeUp(deps, claim, message);
}

async function takeUp(deps: NotifyDeps, claim: Claim, message: Outgoing): Promise<void> {
  if ('message' in message && !(await mayGo(deps, message))) return;
  if (await deps.claims.reclaim(claim, deps.time.now())) await carryOut(deps, message);
}

/**
 * The claim on a message when nobody can be at work on it: it was held before it was tried, or it is older than any run lasts.
 * Undefined when nothing is left to do. Throws while somebody may still be sending, so that the event comes again (LA-03).
 */
async function leftBehind(deps: NotifyDeps, { id, effect }: { id: HandoffId; effect: string }): Promise<Claim | undefined> {
  const claim = await deps.claims.find(id, effect);
  if (claim === undefined || claim.result !== undefined) return undefined;
  const age = Date.parse(deps.time.now()) - Date.parse(claim.claimedAt);
  if (claim.held !== undefined || age > CLAIM_LEASE_SECONDS * 1000) return claim;
  throw new Error(`${effect} of ${id} may be under way since ${claim.claimedAt}`);
}

const isToldAnyway = (message: Outgoing): boolean => 'message' in message && message.evenWhilePaused === true;

/** While sending is paused the claim stays open. Reconcile brings it back, and after the pause it is judged on the row as it is then (OP-09). */
async function isPaused({ pauses, store }: NotifyDeps, id: HandoffId, effect: string): Promise<boolean> {
  const standing = await pauses.pauses();
  if (standing.length === 0) return false;
  const loaded = await store.load(id);
  return loaded !== undefined && pauseOver(standing, loaded.handoff, isToCustomer(effect) ? 'customer' : 'staff') !== undefined;
}

/** Tries a message once more: one that was held, or, with the same link and words, one of unknown outcome. Then leaves it, and says so. */
async function notifyUnsettled(deps: NotifyDeps, { handoffId: id, effect }: MessageUnsettledEvent): Promise<void> {
  if ((await deps.claims.find(id, effect)) === undefined) return neverBegun(deps, id, effect);
  const claim = await leftBehind(deps, { id, effect });
  if (claim === undefined) return;
  const message = (await messageNamed(deps, referenceOf({ id, effect }))) ?? { id, effect, skip: 'nothing to say any more' };
  if (!isToldAnyway(message) && (await isPaused(deps, id, effect))) return;
  if (isSpent(claim)) return leave(deps, claim);
  await takeUp(deps, claim, message);
}

/** The receipt that this message would have told of never came: it is told now, on every channel and judged on the row as it is (DB-20). */
async function neverBegun(deps: NotifyDeps, id: HandoffId, effect: string): Promise<void> {
  const seq = Number(/:(\d+):[a-z]+$/.exec(effect)?.[1]);
  const receipt = (await deps.store.receipts(id)).find((one) => one.seq === seq && effect.startsWith(`${one.kind}:`));
  if (receipt !== undefined) await notifyReceipt(deps, { schemaVersion: '1', handoffId: id, receipt });
}

const isSpent = ({ attempts, held }: Claim): boolean => held === undefined && attempts >= MOST_ATTEMPTS;
const leave = (deps: NotifyDeps, { handoffId: id, effect, attempts }: Claim): Promise<void> =>
  settle(deps, { id, effect }, { kind: 'refused', because: `outcome unknown after ${attempts} attempts` });

/** Mails a published report to operations, with the text that stands in its summary. */
async function notifyReport(deps: NotifyDeps, { day: date, scheduledAt, review }: ReportPublishedEvent): Promise<void> {
  const day = review === undefined ? date : `week-${date}`;
  const effect = `report:${day}:${scheduledAt}:email`;
  if ((await deps.reports.find(day)) === undefined) return;
  if (await deps.claims.claim(REPORTS, effect, deps.time.now())) return sendReport(deps, day, effect);
  const claim = await leftBehind(deps, { id: REPORTS, effect });
  if (claim !== undefined && !isSpent(claim) && (await deps.claims.reclaim(claim, deps.time.now()))) await sendReport(deps, day, effect);
}

async function reportUnsettled(deps: NotifyDeps, effect: string): Promise<void> {
  const claim = await leftBehind(deps, { id: REPORTS, effect });
  if (claim === undefined) return;
  if (isSpent(claim)) return leave(deps, claim);
  if (await deps.claims.reclaim(claim, deps.time.now())) await sendReport(deps, /^report:((?:week-)?\d{4}-\d{2}-\d{2}):/.exec(effect)?.[1] ?? '', effect);
}

async function sendReport(deps: NotifyDeps, day: string, effect: string): Promise<void> {
  const summary = await deps.reports.find(day);
  if (summary === undefined) return settle(deps, { id: REPORTS, effect }, { kind: 'skipped', because: 'nothing to say any more' });
  const { headline, text, html } = summary;
  const { reportSubject, weeklySubject } = wordingFor('en').messages;
  const subject = `${day.startsWith('week-') ? weeklySubject(day.slice('week-'.length)) : reportSubject(day)}: ${String(headline)}`;
  const reference = referenceOf({ id: REPORTS, effect });
  const sent = await tried(deps, { id: REPORTS, effect }, () => deps.email.send({ to: deps.opsEmail, subject, text: String(text), html: String(html), reference }));
  if (sent !== undefined) await settle(deps, { id: REPORTS, effect }, sent);
}

/** Every message is tried, also when an earlier one failed; the first fault is thrown afterwards. */
async function all(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const results = await Promise.allSettled(tasks.map((task) => task()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw new Error('a message was not taken, or is of unknown outcome', { cause: failed.reason });
}
