// baton show: where one handoff stands, who answers for it, and every receipt.

import { parseArgs } from 'node:util';
import { claimsAbout } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { offerUntil, pendingOffer, QUEUE_STATE } from '../../shared/domain/handoff.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { moneyText } from '../../shared/domain/measures-text.ts';
import { type OwnershipClock, ownershipClock } from '../../shared/domain/ownership-clock.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Calendar } from '../../shared/domain/policy.ts';
import type { Receipt, ReceiptOf } from '../../shared/domain/receipt.ts';
import { wall } from '../../shared/domain/report.ts';
import { agesText } from '../../shared/domain/report-text.ts';
import { contractCalendar } from '../../shared/domain/window.ts';
import type { Claim } from '../../shared/ports/claim-book.ts';
import { type Command, UsageError } from '../command.ts';
import { followedLines } from '../followed-lines.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';
import { knownZone, ZONE_HELP, ZONE_OPTION } from '../zone.ts';

const HELP = `baton show HANDOFF [--json] [--zone ZONE]

Shows one handoff: its state, its custodian, the ownership clock, what came later (replies, recordings,
meetings), every receipt, and what became of every message about it.
No personal data of the customer is printed.

  --json           the handoff and its receipts as JSON, with exact times
${ZONE_HELP}
${INSTALLATION_HELP}

Exit status: 0 shown, 1 there is no such handoff, 2 wrong usage.`;

export const show: Command = {
  name: 'show',
  summary: 'one handoff: state, custodian, clock, receipts, messages',
  help: HELP,
  async run(args, output) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, ...ZONE_OPTION, json: { type: 'boolean' } } });
    const [name] = positionals;
    if (name === undefined || positionals.length > 1) throw new UsageError('name one handoff, such as h-0123456789abcdef0123456789abcdef.');
    const zone = knownZone(values.zone);
    const installation = findInstallation(values);
    const table = dynamodbTable(installation.outputs.TableName);
    const store = dynamodbHandoffStore(table);
    const id = handoffId(name);
    const [loaded, receipts, acceptances] = await Promise.all([store.load(id), store.receipts(id), store.acceptances(id)]);
    const messages = await claimsAbout(table, id, receipts);
    if (loaded === undefined) {
      output.error(`There is no handoff ${name}.`);
      return 1;
    }
    const { handoff, packet } = loaded;
    const calendar = contractCalendar(await dynamodbPolicyBook(table).at(handoff.contract, handoff.contractVersion));
    const clock = ownershipClock(handoff, calendar, await timeOf(installation));
    if (values.json) output.line(JSON.stringify({ handoff, clock, bookings: packet.bookings ?? [], sources: packet.sources, receipts, acceptances, messages }, null, 2));
    else printed({ handoff, packet, clock, calendar, receipts, messages }, (instant) => wall(instant, zone), zone).forEach(output.line);
    return 0;
  },
};

type Shown = { handoff: Handoff; packet: Packet; clock: OwnershipClock; calendar: Calendar | undefined; receipts: readonly Receipt[]; messages: readonly Claim[] };
/** An instant by the reader's clock. */
type At = (instant: string) => string;

function printed({ handoff, packet, clock, calendar, receipts, messages }: Shown, at: At, zone: string): string[] {
  return [
    ...summary(handoff, clockLine(handoff, clock, { calendar, at }), at),
    ...followedLines(packet, at),
    '',
    ...receipts.flatMap((one) => receiptLines(one, at)),
    ...messageLines(messages, at),
    '',
    `Times are in ${zone}.`,
  ];
}

/** What became of each message: sent, refused, left out or held, and why. */
function messageLines(messages: readonly Claim[], at: At): string[] {
  if (messages.length === 0) return [];
  return [
    '',
    ...messages.map(({ effect, claimedAt, result, detail, held }) => {
      const why = [result === 'sent' ? undefined : detail, held].filter((one) => one !== undefined).join('; ');
      return `${effect.padEnd(32)} ${at(claimedAt)}  ${(result ?? 'held').padEnd(8)} ${why}`.trimEnd();
    }),
  ];
}

function summary(handoff: Handoff, clock: string, at: At): string[] {
  const { ownership } = handoff;
  const offer = pendingOffer(handoff);
  const exception = handoff.exceptions.find((one) => one.resolvedAt === undefined);
  return [
    `${handoff.id}  ${stands(handoff)}`,
    `custodian  ${handoff.custodian}`,
    `clock      ${clock}`,
    `contract   ${handoff.contract} ${handoff.contractVersion.slice(0, 12)}, packet version ${handoff.packetVersion}`,
    `source     ${handoff.source.system} event ${handoff.source.eventId}`,
    ...(offer === undefined
      ? []
      : [`asked      ${offer.to} until ${at(offerUntil(offer))} (${offer.clarification === undefined ? offer.rule : `${offer.clarification.owedBy} owes an answer`})`]),
    ...(ownership === undefined ? [] : [`promised   ${ownership.nextAction} by ${at(ownership.dueAt)}${handoff.overdue === undefined ? '' : ', OVERDUE'}`]),
    ...(exception === undefined
      ? []
      : [
          `exception  ${exception.class}: ${exception.owner} ${exception.acceptedAt === undefined ? `has not accepted, due ${at(exception.respondBy)}` : `accepted, review ${at(exception.reviewAt ?? exception.respondBy)}`}`,
        ]),
    ...(handoff.recorded === undefined ? [] : [`recorded   ${handoff.recorded.result}, says ${handoff.recorded.system} at ${at(handoff.recorded.at)}`]),
    ...(handoff.outcome === undefined ? [] : [`outcome    ${handoff.outcome.kind} at ${at(handoff.outcome.at)} by ${handoff.outcome.by}`]),
  ];
}

/** The state, and the queue it stands in where that has a name of its own. */
const stands = ({ state }: Handoff): string => (QUEUE_STATE[state] === state ? state : `${state} (${QUEUE_STATE[state]})`);

function clockLine({ ownership, outcome, occurredAt, changedAt }: Handoff, clock: OwnershipClock, { calendar, at }: { calendar: Calendar | undefined; at: At }): string {
  const { wallSeconds: ageSeconds, businessSeconds } = clock;
  const ages = `${agesText({ ageSeconds, ...(businessSeconds !== undefined && { businessAgeSeconds: businessSeconds }) })}${calendar === undefined ? '' : `, ${calendar.name}`}`;
  if (clock.running) return `running for ${ages}, since ${at(occurredAt)}`;
  return `stopped after ${ages} (${at(occurredAt)} to ${at(ownership?.acceptedAt ?? outcome?.at ?? changedAt)})`;
}

/** A receipt in one line; where nobody may be asked, each person's reason below it (R-01). */
function receiptLines(receipt: Receipt, at: At): string[] {
  const { actor } = receipt;
  const who = actor.kind === 'person' ? `${actor.person} by ${actor.channel}` : actor.kind === 'policy' ? `policy: ${actor.rule}` : actor.component;
  const line = `${String(receipt.seq).padStart(4)}  ${at(receipt.at)}  ${receipt.kind.padEnd(22)} ${detail(receipt, at).padEnd(44)} ${who}`.trimEnd();
  if (receipt.kind !== 'candidates.resolved' || receipt.candidates.length > 0) return [line];
  return [line, ...receipt.considered.flatMap((one) => (one.eligible ? [] : [`${' '.repeat(47)}${one.person}: ${one.failed}`]))];
}

function detail(receipt: Receipt, at: At): string {
  switch (receipt.kind) {
    case 'handoff.opened':
      return `${receipt.contract}, intake lead ${receipt.intakeLead}${receipt.window === undefined ? '' : `, window by ${receipt.window.because}`}`;
    case 'candidates.resolved':
      return receipt.candidates.map((one) => one.person).join(', ') || 'nobody eligible';
    case 'acceptance.requested':
    case 'backup.requested':
      return `${receipt.to} ${receipt.startsAt === undefined ? '' : `from ${at(receipt.startsAt)} `}until ${at(receipt.deadlineAt)}`;
    case 'offer.accepted':
      return `${receipt.by}: ${receipt.nextAction} by ${at(receipt.dueAt)}${receipt.late ? ' (late)' : ''}`;
    case 'offer.rejected':
      return `${receipt.by}: ${receipt.reason}`;
    case 'clarification.asked':
      return `${receipt.by}; ${receipt.owedBy} owes the answer until ${at(receipt.expiresAt)}`;
    case 'clarification.answered':
      return `${receipt.by}; ${receipt.to} may answer until ${at(receipt.deadlineAt)}${urgency(receipt)}`;
    case 'clarification.expired':
      return `${receipt.owedBy} did not answer`;
    case 'offer.superseded':
      return `offer ${receipt.offer}, by ${receipt.by}`;
    case 'duplicate.marked':
      return `${receipt.by}: same as ${receipt.of}`;
    case 'signal.linked':
      return `${receipt.source} (${receipt.evidence.join(', ')})${receipt.merged === undefined ? '' : `, merged from ${receipt.merged}`}${urgency(receipt)}`;
    case 'duplicate.merged':
      return `${receipt.by}: goes on in ${receipt.into}`;
    case 'duplicate.separated':
      return `${receipt.by}: not the same as ${receipt.from}`;
    case 'offer.reminded':
      return `${receipt.to}, until ${at(receipt.deadlineAt)}`;
    case 'offer.timed-out':
      return `${receipt.to} did not answer`;
    case 'exception.raised':
      return `${receipt.class}, owner ${receipt.owner} until ${at(receipt.respondBy)}`;
    case 'exception.accepted':
      return `${receipt.by}, review ${at(receipt.reviewAt)}`;
    case 'exception.escalated':
      return `${receipt.from} to ${receipt.to} (${receipt.because})`;
    case 'exception.resolved':
      return `${receipt.by}: ${receipt.resolution}${receipt.to === undefined ? '' : ` to ${receipt.to}`}`;
    case 'exception.cleared':
      return `exception ${receipt.exception}: ${receipt.because}${receipt.paths === undefined ? '' : ` (${receipt.paths.join(', ') || 'confirmed as stated'})`}${urgency(receipt)}`;
    case 'next-step.confirmed':
      return `${receipt.by}: ${receipt.evidence}`;
    case 'next-step.overdue':
      return `${receipt.owner}, promised for ${at(receipt.dueAt)}`;
    case 'offer.withdrawn':
      return `${receipt.to}, ${receipt.because}`;
    case 'delivery.failed':
      return `${receipt.to} by ${receipt.channel}: ${receipt.reason}`;
    case 'offer.undeliverable':
      return `${receipt.to} could not be reached`;
    case 'ownership.ended':
      return `${receipt.owner}, ${receipt.because}`;
    case 'handoff.reassigned':
      return `${receipt.by}: to ${receipt.to}`;
    case 'human.takeover':
      return `${receipt.person} works with the customer`;
    case 'packet.prepared':
      return `${receipt.generator} ${receipt.generatorVersion}: ${receipt.parts.join(', ')}`;
    case 'ai.refused':
      return `${receipt.generator} asked for ${receipt.wanted}`;
    case 'outcome.recorded':
      return statedText(receipt);
    case 'handoff.closed':
      return `${receipt.outcome}, by ${receipt.by}`;
  }
}

const statedText = ({ system, result, revenue }: ReceiptOf<'outcome.recorded'>): string => `${system} says ${result}${revenue === undefined ? '' : `, ${moneyText(revenue)}`}`;

const urgency = ({ safety }: { safety?: string }): string => (safety === undefined ? '' : `, urgent: ${safety}`);
