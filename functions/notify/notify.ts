// People hear what concerns them. Each message is claimed before it is sent and settled after; what nobody knows stays open for reconcile.

import type { MessageUnsettledEvent } from '../../shared/contracts/message-unsettled-event.ts';
import type { NoticeEvent } from '../../shared/contracts/notice-event.ts';
import type { ReceiptEvent } from '../../shared/contracts/receipt-event.ts';
import type { ReportPublishedEvent } from '../../shared/contracts/report-event.ts';
import type { SuppressedChannel } from '../../shared/domain/announcement.ts';
import { type HandoffId, handoffId } from '../../shared/domain/ids.ts';
import { LINK_CHANNELS, type LinkChannel } from '../../shared/domain/link.ts';
import { pauseOver } from '../../shared/domain/pause.ts';
import type { Person, Policy } from '../../shared/domain/policy.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { wordingFor } from '../../shared/domain/wording/wording.ts';
import type { ClaimBook } from '../../shared/ports/claim-book.ts';
import type { HandoffReader, LinkBook, LinkTarget, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { EmailSender, Sent, SlackSender, SmsSender } from '../../shared/ports/message-sender.ts';
import type { PauseBook } from '../../shared/ports/pause-book.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { ReportShelf } from '../../shared/ports/report-shelf.ts';
import type { SuppressionBook } from '../../shared/ports/suppression-book.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import { letterHtml, letterText } from './letter.tsx';
import { type Plan, planFor } from './plan.ts';
import { offerIn, slackMessage } from './slack-message.ts';

export type NotifyDeps = {
  store: HandoffReader;
  links: LinkBook;
  policies: PolicyBook;
  claims: ClaimBook;
  pauses: Pick<PauseBook, 'pauses'>;
  email: EmailSender;
  sms: SmsSender;
  slack: SlackSender;
  reports: Pick<ReportShelf, 'find'>;
  /** Asked before every send: staff may say STOP too (MS-14, MS-15). */
  suppressions: Pick<SuppressionBook, 'standing'>;
  time: TimeSource;
  publicUrl: string;
  opsEmail: string;
  /** Told of every message that was settled, for logs and figures. */
  settled: (outcome: 'sent' | 'refused' | 'skipped', effect: string, id: HandoffId) => void;
};

/** Reports share the book of claims with handoffs under this name, which no handoff ever gets. */
export const REPORTS = handoffId(`h-${'0'.repeat(32)}`);

/** How often one message may be tried in all: once, and once more after nobody knew what became of it (MS-05). */
const MOST_ATTEMPTS = 2;

/** Carries out what one event of the bus asks for. */
export function notify(deps: NotifyDeps, event: NoticeEvent): Promise<void> {
  if ('receipt' in event) return notifyReceipt(deps, event);
  return 'effect' in event ? notifyUnsettled(deps, event) : notifyReport(deps, event);
}

/** Tells whom a receipt concerns. Repeating it sends nothing twice. Throws when the outcome of a message is unclear; its claim then stays open. */
async function notifyReceipt(deps: NotifyDeps, { handoffId: id, receipt }: ReceiptEvent): Promise<void> {
  const messages = await messagesAbout(deps, id, receipt);
  await all(messages.map((message) => () => first(deps, id, message)));
}

/** Mails a published report to operations, with the text that stands in its summary. */
async function notifyReport(deps: NotifyDeps, { day, scheduledAt }: ReportPublishedEvent): Promise<void> {
  const message = await reportMessage(deps, day, scheduledAt);
  if (message !== undefined) await first(deps, REPORTS, message);
}

/** Tries a message of unknown outcome once more, with the same link and words; then leaves it, and says so. */
async function notifyUnsettled(deps: NotifyDeps, { handoffId: id, effect }: MessageUnsettledEvent): Promise<void> {
  const claim = await deps.claims.find(id, effect);
  if (claim === undefined || claim.result !== undefined || (await isHeld(deps, id))) return;
  if (claim.attempts >= MOST_ATTEMPTS) return settle(deps, id, effect, { kind: 'refused', because: `outcome unknown after ${claim.attempts} attempts` });
  const message = (await rebuilt(deps, id, effect)).find((one) => one.effect === effect);
  if (!(await deps.claims.reclaim(claim, deps.time.now()))) return;
  await carryOut(deps, id, message ?? { effect, skip: 'nothing to say any more' });
}

/** One message on one channel, or the reason why it is not sent. */
type Outgoing = { effect: string; to?: { channel: SuppressedChannel; address: string }; send: () => Promise<Sent> } | { effect: string; skip: string };

async function first(deps: NotifyDeps, id: HandoffId, message: Outgoing): Promise<void> {
  if (!(await deps.claims.claim(id, message.effect, deps.time.now()))) return;
  if (!(await isHeld(deps, id))) await carryOut(deps, id, message);
}

/** While sending is paused the claim stays open. Reconcile brings it back, and after the pause it is judged on the row as it is then (OP-09). */
async function isHeld({ pauses, store }: NotifyDeps, id: HandoffId): Promise<boolean> {
  const standing = id === REPORTS ? [] : await pauses.pauses();
  if (standing.length === 0) return false;
  const loaded = await store.load(id);
  return loaded !== undefined && pauseOver(standing, loaded.handoff, 'staff') !== undefined;
}

async function carryOut(deps: NotifyDeps, id: HandoffId, message: Outgoing): Promise<void> {
  if ('skip' in message) return settle(deps, id, message.effect, { kind: 'skipped', because: message.skip });
  const shut = message.to === undefined ? undefined : await deps.suppressions.standing(message.to.channel, message.to.address);
  if (shut !== undefined) return settle(deps, id, message.effect, { kind: 'skipped', because: `this address takes no messages: ${shut.because}` });
  return settle(deps, id, message.effect, await message.send());
}

async function settle(deps: NotifyDeps, id: HandoffId, effect: string, result: Sent | { kind: 'skipped'; because: string }): Promise<void> {
  await deps.claims.settle(id, effect, result.kind, result.kind === 'sent' ? result.providerId : result.because, deps.time.now());
  deps.settled(result.kind, effect, id);
}

/** `offer.accepted:5:email`, or `report:2026-03-02:…:email`: the name leads back to what the message was about. */
async function rebuilt(deps: NotifyDeps, id: HandoffId, effect: string): Promise<Outgoing[]> {
  if (id === REPORTS) {
    const [, day = '', scheduledAt = ''] = /^report:(\d{4}-\d{2}-\d{2}):(.+):email$/.exec(effect) ?? [];
    const message = await reportMessage(deps, day, scheduledAt);
    return message === undefined ? [] : [message];
  }
  const seq = Number(/:(\d+):(?:email|sms|slack)$/.exec(effect)?.[1]);
  const receipt = (await deps.store.receipts(id)).find((one) => one.seq === seq);
  return receipt === undefined ? [] : messagesAbout(deps, id, receipt);
}

async function messagesAbout(deps: NotifyDeps, id: HandoffId, receipt: Receipt): Promise<Outgoing[]> {
  const loaded = await deps.store.load(id);
  if (loaded === undefined) throw new Error(`receipt ${receipt.seq} of ${id} was announced, but the handoff is not there`);
  const notes = receipt.kind === 'clarification.asked' ? await deps.store.notes(id) : [];
  const plan = planFor(receipt, loaded, notes, deps.time.now());
  if (plan.kind === 'nobody') return [];
  const policy = await deps.policies.at(loaded.handoff.contract, loaded.handoff.contractVersion);
  const to = policy.roster.people.find((person) => person.id === plan.to);
  const channels = LINK_CHANNELS.filter((channel) => to?.[channel] !== undefined);
  if (to === undefined || channels.length === 0) return [{ effect: `${receipt.kind}:${receipt.seq}:email`, skip: 'the person has no address' }];
  if (plan.kind === 'stale') return channels.map((channel) => ({ effect: `${receipt.kind}:${receipt.seq}:${channel}`, skip: plan.because }));
  return told(deps, { id, receipt, plan, to, channels, loaded, policy });
}

type Told = { id: HandoffId; receipt: Receipt; plan: Extract<Plan, { kind: 'tell' }>; to: Person; channels: readonly LinkChannel[]; loaded: LoadedHandoff; policy: Policy };

async function told(deps: NotifyDeps, { id, receipt, plan, to, channels, loaded, policy }: Told): Promise<Outgoing[]> {
  const message = plan.compose({ ...loaded, policy, to });
  const issued = await issuedTo(deps, id, to, plan);
  return channels.map((channel): Outgoing => {
    const effect = `${receipt.kind}:${receipt.seq}:${channel}`;
    const linkId = issued.find((one) => one.channel === channel)?.id;
    if (plan.links.length > 0 && linkId === undefined) return { effect, skip: 'no link was issued for this channel' };
    const link = linkId === undefined ? undefined : `${deps.publicUrl}/a/${linkId}`;
    const reference = `${id}:${effect}`;
    const address = to[channel] ?? '';
    if (channel === 'sms') return { effect, to: { channel, address }, send: () => deps.sms.send({ to: address, text: message.text(link), reference }) };
    const letter = message.letter(link);
    if (channel === 'slack') {
      const offer = linkId === undefined ? undefined : offerIn(loaded, plan, { policy, to, linkId, at: receipt.at });
      return { effect, send: () => deps.slack.send({ to: address, ...slackMessage(letter, offer) }) };
    }
    return {
      effect,
      to: { channel, address },
      send: () => deps.email.send({ to: address, subject: letter.subject, text: letterText(letter), html: letterHtml(letter), reference }),
    };
  });
}

async function issuedTo(deps: NotifyDeps, id: HandoffId, to: Person, { links }: Told['plan']): Promise<LinkTarget[]> {
  for (const { purpose, number } of links) {
    const issued = await deps.links.issuedFor(id, purpose, number, to.id);
    if (issued.length > 0) return issued;
  }
  return [];
}

async function reportMessage(deps: NotifyDeps, day: string, scheduledAt: string): Promise<Extract<Outgoing, { send: unknown }> | undefined> {
  const summary = await deps.reports.find(day);
  if (summary === undefined) return undefined;
  const effect = `report:${day}:${scheduledAt}:email`;
  const { headline, text, html } = summary;
  const subject = `${wordingFor('en').messages.reportSubject(day)}: ${String(headline)}`;
  return { effect, send: () => deps.email.send({ to: deps.opsEmail, subject, text: String(text), html: String(html), reference: `${REPORTS}:${effect}` }) };
}

/** Every message is tried, also when an earlier one failed; the first fault is thrown afterwards. */
async function all(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const results = await Promise.allSettled(tasks.map((task) => task()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw new Error('a message is of unknown outcome', { cause: failed.reason });
}
