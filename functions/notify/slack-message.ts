// A message in Slack: the words of the letter, and for an open offer the answers that need no typing. Nothing is chosen beforehand (LK-04).

import { dueChoices } from '../../shared/domain/due-choices.ts';
import { pendingOffer } from '../../shared/domain/handoff.ts';
import type { Person, Policy } from '../../shared/domain/policy.ts';
import { REJECT_REASONS } from '../../shared/domain/policy.ts';
import { inFull, said, type Wording, wordingFor } from '../../shared/domain/wording/wording.ts';
import type { LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { Letter } from './letter.tsx';
import type { Plan } from './plan.ts';

type Option = { value: string; text: string };
/** What can be answered with buttons. `link` is all that a button carries; `seen` says which facts were shown. */
export type SlackOffer = { link: string; seen: number; wording: Wording; nextActions: Option[]; due: Option[]; reasons: Option[] };

/** Reasons that need words of their own are given on the page. */
const TYPED: ReadonlySet<string> = new Set(['missing-required-field', 'duplicate', 'other']);

/** The buttons for this message, or none when its link answers no open offer. The same receipt always leads to the same ones. */
export function offerIn(
  { handoff, packet }: LoadedHandoff,
  plan: Extract<Plan, { kind: 'tell' }>,
  { policy, to, linkId, at }: { policy: Policy; to: Person; linkId: string; at: string },
): SlackOffer | undefined {
  const offer = pendingOffer(handoff);
  const [link] = plan.links;
  if (offer?.status !== 'pending' || link?.purpose !== 'offer' || link.number !== offer.number || offer.to !== to.id) return undefined;
  const wording = wordingFor(to.speaks);
  return {
    link: linkId,
    seen: packet.version,
    wording,
    nextActions: policy.contract.accept.nextActions.map((value) => ({ value, text: said(wording.nextActions, value) })),
    due: dueChoices(at, to.zone, policy).map((value) => ({ value, text: inFull(value, to.zone, wording) })),
    reasons: REJECT_REASONS.filter((reason) => !TYPED.has(reason)).map((value) => ({ value, text: said(wording.reasons, value) })),
  };
}

/** The letter's words without its facts: how to reach a customer does not travel through Slack. */
export function slackMessage({ subject, paragraphs, link, sections = [] }: Letter, offer: SlackOffer | undefined): { text: string; blocks: object[] } {
  const words = [subject, ...paragraphs].join('\n\n').slice(0, 2900);
  const open = link === undefined ? [] : [section(`${link.label}: ${link.url}`)];
  const parts = sections.flatMap((one) => [
    section([one.title, ...one.paragraphs].join('\n\n').slice(0, 2900)),
    ...(one.link === undefined ? [] : [section(`${one.link.label}: ${one.link.url}`)]),
  ]);
  return { text: subject, blocks: [section(words), ...(offer === undefined ? [] : answers(offer)), ...open, ...parts] };
}

function answers({ link, seen, wording, nextActions, due, reasons }: SlackOffer): object[] {
  const { slack } = wording;
  const yes = [select('next_action', slack.nextAction, nextActions), select('due', slack.due, due), button(`baton_accept.${seen}`, slack.accept, link)];
  const no = [select('reason', slack.reason, reasons), button(`baton_reject.${seen}`, slack.reject, link)];
  return [...(due.length > 0 && nextActions.length > 0 ? [{ type: 'actions', elements: yes }] : []), { type: 'actions', elements: no }, section(slack.elsewhere)];
}

/** Plain text, so that nothing in it becomes a link or a mention. */
const plain = (text: string, longest: number) => ({ type: 'plain_text', text: text.slice(0, longest), emoji: false });
const section = (text: string) => ({ type: 'section', text: plain(text, 3000) });
const button = (id: string, text: string, value: string) => ({ type: 'button', action_id: id, text: plain(text, 75), value });
const select = (id: string, placeholder: string, options: readonly Option[]) => ({
  type: 'static_select',
  action_id: id,
  placeholder: plain(placeholder, 150),
  options: options.slice(0, 100).map(({ value, text }) => ({ text: plain(text, 75), value })),
});
