// What a receipt leads to: one message for each channel of the person, or the reason why there is none.

import { ruleFor } from '../../shared/domain/escalation.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { type HandoffId, personId } from '../../shared/domain/ids.ts';
import { LINK_CHANNELS, type LinkChannel } from '../../shared/domain/link.ts';
import { messageLimit, type Urgency } from '../../shared/domain/message-limit.ts';
import { namedBy } from '../../shared/domain/message-reference.ts';
import type { Person, Policy } from '../../shared/domain/policy.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import type { HandoffReader, LinkBook, LinkTarget, LoadedHandoff } from '../../shared/ports/handoff-store.ts';
import type { PolicyBook } from '../../shared/ports/policy-book.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import type { Message } from './compose.ts';
import { customerPlan } from './customer.ts';
import { type Plan, planFor } from './plan.ts';
import { offerIn, type SlackOffer } from './slack-message.ts';

export type OutgoingDeps = { store: HandoffReader; links: LinkBook; policies: PolicyBook; time: TimeSource; publicUrl: string };

/** A message to one person on one channel. Everything that it says is settled; whether and when it goes is not. */
export type Ready = {
  id: HandoffId;
  effect: string;
  /** Who reads it: a person of the roster, or the customer. */
  to: Pick<Person, 'id' | 'speaks'>;
  channel: LinkChannel;
  address: string;
  urgency: Urgency;
  /** A pause of messages to staff does not hold it (E-04). */
  evenWhilePaused?: true;
  /** When it is of no use any more. */
  until?: string;
  /** How many messages an hour the person gets on the channel. */
  limit?: number;
  message: Message;
  link?: string;
  buttons?: SlackOffer;
};

/** A message, or why there is none. `asks`: somebody was to be asked, and is not reached on this channel. */
export type Outgoing = Ready | { id: HandoffId; effect: string; skip: string; asks?: { channel: LinkChannel } };

/** The message of this name, as it would be now; undefined when nothing is said of it any more. */
export async function messageNamed(deps: OutgoingDeps, reference: string): Promise<Outgoing | undefined> {
  const named = namedBy(reference);
  const [, seq] = /^.+:(\d+):(?:email|sms|slack)$/.exec(named?.effect ?? '') ?? [];
  if (named === undefined || seq === undefined) return undefined;
  const { id, effect } = named;
  const receipt = (await deps.store.receipts(id)).find((one) => one.seq === Number(seq));
  return receipt === undefined ? undefined : (await messagesAbout(deps, id, receipt)).find((one) => one.effect === effect);
}

/** Everything that a receipt leads to, judged on the row as it is now. */
export async function messagesAbout(deps: OutgoingDeps, id: HandoffId, receipt: Receipt): Promise<Outgoing[]> {
  const loaded = await deps.store.load(id);
  if (loaded === undefined) throw new Error(`receipt ${receipt.seq} of ${id} was announced, but the handoff is not there`);
  const policy = await deps.policies.at(loaded.handoff.contract, loaded.handoff.contractVersion);
  return [...(await toStaff(deps, { id, receipt, loaded, policy })), ...toCustomer(deps, { id, receipt, loaded, policy })];
}

type About = { id: HandoffId; receipt: Receipt; loaded: LoadedHandoff; policy: Policy };

/** The message that the contract has for the customer at this point, if any (C-08, R-04). */
function toCustomer({ time }: OutgoingDeps, { id, receipt, loaded, policy }: About): Outgoing[] {
  const plan = customerPlan(receipt, loaded, policy, time.now());
  if (plan === undefined || 'skip' in plan) return plan === undefined ? [] : [{ id, ...plan }];
  const { effect, way, letter, text } = plan;
  const to = { id: personId('customer'), speaks: letter.language };
  return [{ id, effect, to, ...way, urgency: 'always', message: { letter: () => letter, text: () => text } }];
}

async function toStaff(deps: OutgoingDeps, { id, receipt, loaded, policy }: About): Promise<Outgoing[]> {
  const notes = receipt.kind === 'clarification.asked' ? await deps.store.notes(id) : [];
  const plan = planFor(receipt, loaded, notes, deps.time.now());
  if (plan.kind === 'nobody') return [];
  const effectOn = (channel: LinkChannel) => `${receipt.kind}:${receipt.seq}:${channel}`;
  const to = policy.roster.people.find((person) => person.id === plan.to);
  const channels = LINK_CHANNELS.filter((channel) => to?.[channel] !== undefined);
  if (plan.kind === 'stale') return (channels.length === 0 ? ['email' as const] : channels).map((channel) => ({ id, effect: effectOn(channel), skip: plan.because }));
  if (to === undefined || channels.length === 0) return [{ id, effect: effectOn('email'), skip: 'the person has no address', ...unreached(plan, 'email') }];
  const issued = await issuedTo(deps, id, to, plan);
  return channels.map((channel) => onChannel(deps, { id, effect: effectOn(channel), receipt, plan, to, channel, issued, loaded, policy }));
}

type OnChannel = {
  id: HandoffId;
  effect: string;
  receipt: Receipt;
  plan: Tell;
  to: Person;
  channel: LinkChannel;
  issued: readonly LinkTarget[];
  loaded: LoadedHandoff;
  policy: Policy;
};
type Tell = Extract<Plan, { kind: 'tell' }>;

function onChannel({ publicUrl }: OutgoingDeps, { id, effect, receipt, plan, to, channel, issued, loaded, policy }: OnChannel): Outgoing {
  const linkId = issued.find((one) => one.channel === channel)?.id;
  if (plan.links.length > 0 && linkId === undefined) return { id, effect, skip: 'no link was issued for this channel', ...unreached(plan, channel) };
  const buttons = channel === 'slack' && linkId !== undefined ? offerIn(loaded, plan, { policy, to, linkId, at: receipt.at }) : undefined;
  const limit = messageLimit(policy.roster, to, channel);
  return {
    ...{ id, effect, to, channel, address: to[channel] ?? '', urgency: plan.urgency },
    ...(isToldWhilePaused(receipt, loaded.handoff, policy) && { evenWhilePaused: true as const }),
    ...(plan.until !== undefined && { until: plan.until }),
    ...(limit !== undefined && { limit }),
    message: plan.compose({ ...loaded, policy, to }),
    ...(linkId !== undefined && { link: `${publicUrl}/a/${linkId}` }),
    ...(buttons !== undefined && { buttons }),
  };
}

/** What the contract says of this class of exception. */
function isToldWhilePaused(receipt: Receipt, { exceptions }: Handoff, policy: Policy): boolean {
  if (receipt.kind !== 'exception.raised' && receipt.kind !== 'exception.escalated') return false;
  const exception = exceptions.find(({ number }) => number === receipt.exception);
  return exception !== undefined && ruleFor(policy, exception.class).whilePaused === 'send';
}

const unreached = ({ urgency }: Tell, channel: LinkChannel) => (urgency === 'asks' ? { asks: { channel } } : {});

async function issuedTo(deps: OutgoingDeps, id: HandoffId, to: Person, { links }: Tell): Promise<LinkTarget[]> {
  for (const { purpose, number } of links) {
    const issued = await deps.links.issuedFor(id, purpose, number, to.id);
    if (issued.length > 0) return issued;
  }
  return [];
}
