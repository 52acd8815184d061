// One message, or several of one person in one, handed to the channel's provider.

import type { LinkChannel } from '../../shared/domain/link.ts';
import { referenceOf } from '../../shared/domain/message-reference.ts';
import { wordingFor } from '../../shared/domain/wording/wording.ts';
import type { EmailSender, Sent, SlackSender, SmsSender } from '../../shared/ports/message-sender.ts';
import { type Letter, letterHtml, letterText } from './letter.tsx';
import type { Ready } from './outgoing.ts';
import { slackMessage } from './slack-message.ts';
import { linksInSms, smsText } from './sms-text.ts';

export type DeliverDeps = { email: EmailSender; sms: SmsSender; slack: SlackSender; publicUrl: string };

/** How many messages one can hold: as many links as fit into a text message, and what a person reads at a glance elsewhere. */
export const mostTogether = ({ publicUrl }: Pick<DeliverDeps, 'publicUrl'>, channel: LinkChannel): number =>
  channel === 'sms' ? linksInSms(`${publicUrl}/a/${'0'.repeat(32)}`) : MOST_SECTIONS;
const MOST_SECTIONS = 12;

/** Sends the first message with the others in it, under the name of the first. Each keeps its own link (O-09). */
export function deliver({ email, sms, slack }: DeliverDeps, [first, ...others]: readonly [Ready, ...Ready[]]): Promise<Sent> {
  const reference = referenceOf(first);
  const { address, channel, to } = first;
  const all = [first, ...others];
  if (channel === 'sms') return sms.send({ to: address, text: others.length === 0 ? first.message.text(first.link) : shortBundle(all), reference });
  const letter = others.length === 0 ? first.message.letter(first.link) : bundle(all, first);
  if (channel === 'slack') return slack.send({ to: address, ...slackMessage(letter, others.length === 0 ? first.buttons : undefined) });
  return email.send({ to: address, subject: letter.subject, text: letterText(letter), html: letterHtml({ ...letter, language: to.speaks }), reference });
}

function bundle(all: readonly Ready[], { to }: Ready): Letter {
  const { messages } = wordingFor(to.speaks);
  const letters = all.map(({ message, link }) => message.letter(link));
  const [{ greeting } = { greeting: '' }] = letters;
  const sections = letters.map(({ subject, paragraphs, facts, link }) => ({ title: subject, paragraphs, ...(facts && { facts }), ...(link && { link }) }));
  const text = messages.bundle(all.length);
  return {
    language: to.speaks,
    subject: messages.bundleSubject(all.length),
    greeting,
    paragraphs: [text.charAt(0).toUpperCase() + text.slice(1)],
    sections,
    foot: [messages.nothingByOpening, ...all.map(({ id }) => messages.reference(id))],
  };
}

function shortBundle(all: readonly Ready[]): string {
  const { messages } = wordingFor(all[0]?.to.speaks ?? 'en');
  const links = all.flatMap(({ link }) => link ?? []);
  return smsText([messages.bundleSms(all.length), `${all.length}:`], links.join('\n'));
}
