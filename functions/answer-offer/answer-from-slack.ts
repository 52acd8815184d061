// A click in Slack becomes the same answer as on the page: the link names the offer, the table decides, and only the person who was asked may.

import { parseAnswer } from '../../shared/contracts/answer-form.ts';
import type { SlackAnswered } from '../../shared/domain/announcement.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { wordingFor } from '../../shared/domain/wording/wording.ts';
import type { SlackSender } from '../../shared/ports/message-sender.ts';
import { type AnswerOfferDeps, answerOffer, type OpenedLink, openLink } from './answer-offer.ts';
import { wishFrom } from './wish.ts';

export type AnswerFromSlackDeps = AnswerOfferDeps & { slack: SlackSender };

export type AnsweredFromSlack =
  /** No link of ours, or none that was given out in Slack. Nobody is told. */
  | { kind: 'no-link' }
  /** Somebody else pressed it, in a message that was passed on. Nobody is told. */
  | { kind: 'not-theirs'; handoffId: HandoffId }
  | { kind: 'settled' | 'wrong' | 'facts-changed'; handoffId: HandoffId };

const BUTTON = /^baton_(accept|reject)\.([1-9]\d{0,5})$/;

/** Carries out the click and tells the person in a direct message what came of it. Repeating it changes nothing. */
export async function answerFromSlack(deps: AnswerFromSlackDeps, click: Omit<SlackAnswered, 'kind'>): Promise<AnsweredFromSlack> {
  const [, action, seen] = BUTTON.exec(click.action) ?? [];
  const link = action === undefined ? undefined : await openLink(deps, click.value);
  if (action === undefined || seen === undefined || link?.link.channel !== 'slack') return { kind: 'no-link' };
  const { id } = link.handoff;
  if (link.person.slack !== click.user) return { kind: 'not-theirs', handoffId: id };
  const { kind, says } = await carriedOut(deps, link, fieldsOf(action, seen, click.chosen));
  await deps.slack.send({ to: click.user, text: says });
  return { kind, handoffId: id };
}

/** The selections under the names that the page's form has. */
function fieldsOf(action: string, seen: string, chosen: SlackAnswered['chosen']): Record<string, string> {
  const pick = (name: string): string => (Object.hasOwn(chosen, name) ? (chosen[name] ?? '') : '');
  const reason = pick('reason');
  return { action, seen, nextAction: pick('next_action'), dueChoice: pick('due'), ...(reason !== '' && { reason }) };
}

async function carriedOut(deps: AnswerOfferDeps, link: OpenedLink, fields: Record<string, string>): Promise<{ kind: 'settled' | 'wrong' | 'facts-changed'; says: string }> {
  const { slack, problems } = wordingFor(link.person.speaks);
  const parsed = parseAnswer(fields);
  const wished = parsed.kind === 'wrong' ? parsed : wishFrom(parsed.form, link.person.zone);
  const outcome = wished.kind === 'wrong' ? wished : await answerOffer(deps, link, wished.wish);
  switch (outcome.kind) {
    case 'wrong':
      return { kind: 'wrong', says: slack.wrong(outcome.problems.map(({ problem }) => problems[problem]).join('. ')) };
    case 'facts-changed':
      return { kind: 'facts-changed', says: slack.changed };
    case 'settled':
      return { kind: 'settled', says: slack.stands };
  }
}
