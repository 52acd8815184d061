// A week of business time with fifty handoffs, told in the order in which things happen.

import { reportSummary } from '../../shared/adapters/dynamodb-report-summary.ts';
import { contractVersion } from '../../shared/contracts/policy-version.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { localParts, plusDays } from '../../shared/domain/local-time.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import { aRoofInspection } from './leads.ts';
import type { Baton } from './story.ts';

const COURSES = ['accepted', 'declined', 'silent', 'escalated', 'overdue'] as const;
export type Course = (typeof COURSES)[number];
export type Told = { id: HandoffId; course: Course };

type Happening = { at: number; run: () => Promise<void> };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Fifty of these take nearly a week, and come at every hour of the day. */
const BETWEEN_ARRIVALS = 200 * MINUTE;
const CONFIRMED = { action: 'confirm-next-step', evidence: 'call', evidenceNote: 'Spoke.' };

/** The sample business, whose windows begin at the next opening: what arrives at night or on Sunday is due in the morning. */
export function withOpeningHours({ policy }: Pick<Baton, 'policy'>): Baton['policy'] {
  const contracts = policy.contracts.map(({ version: _, ...contract }) => {
    const changed = { ...contract, closedHours: { startsAt: 'next-opening', tellCustomer: 'we-answer-when-we-open' } as const };
    return { ...changed, version: contractVersion(changed, contract.hours ?? []) };
  });
  return { ...policy, contracts };
}

/** Lets fifty handoffs arrive and take their courses; ends a week later, or when the last course ends. */
export async function tellWeek(baton: Baton): Promise<Told[]> {
  const begin = baton.runtime.now();
  const told: Told[] = [];
  const agenda: Happening[] = Array.from({ length: 50 }, (_, n) => ({
    at: begin + n * BETWEEN_ARRIVALS,
    run: async () => {
      const id = await baton.givenSignal(aRoofInspection(), `week-${n}`);
      const one: Told = { id, course: COURSES[n % COURSES.length] as Course };
      told.push(one);
      agenda.push(...(await courseOf(baton, one)));
    },
  }));
  while (agenda.length > 0) {
    const next = agenda.reduce((first, one) => (one.at < first.at ? one : first));
    agenda.splice(agenda.indexOf(next), 1);
    await until(baton, next.at);
    await next.run();
  }
  await until(baton, begin + 7 * DAY);
  return told;
}

const until = async ({ runtime }: Baton, at: number) => runtime.advance(Math.max(0, at - runtime.now()) / 1000);

/** What people do about this handoff, and when; everything else is left to the machine. */
async function courseOf(baton: Baton, { id, course }: Told): Promise<Happening[]> {
  const [offer] = (await baton.handoff(id)).offers;
  if (offer === undefined) throw new Error(`nobody was asked about ${id}`);
  const [primary, backup] = await baton.candidates(id);
  const [now, deadline] = [baton.runtime.now(), Date.parse(offer.deadlineAt)];
  const accept = (person: string, number: number) => async () => void (await baton.whenAccepted(await baton.offerTo(person, id, number), { dueIn: { hours: 3 } }));
  const answer = (person: string, number: number, fields: Record<string, string>) => async () => void (await baton.whenAnswered(await baton.offerTo(person, id, number), fields));
  const answerException = (person: string, fields: Record<string, string>) => async () => void (await baton.whenAnswered(await baton.exceptionTo(person, id), fields));
  const raised = deadline + 5 * MINUTE;
  const due = () => baton.localTime({ to: baton.person('omar').email ?? '', links: [] }, { hours: 3 });

  switch (course) {
    case 'accepted':
      return [
        { at: now + MINUTE, run: accept(primary, 1) },
        { at: now + HOUR, run: answer(primary, 1, CONFIRMED) },
      ];
    case 'declined':
      return [
        { at: now + MINUTE, run: answer(primary, 1, { action: 'reject', reason: 'no-capacity' }) },
        { at: now + 2 * MINUTE, run: accept(backup, 2) },
        { at: now + 2 * HOUR, run: answer(backup, 2, CONFIRMED) },
      ];
    case 'silent':
      return [
        { at: raised + 5 * MINUTE, run: answerException('omar', { action: 'accept-exception', confirm: 'yes' }) },
        { at: raised + 6 * MINUTE, run: () => answerException('omar', { action: 'take', nextAction: 'call', dueChoice: 'other', due: due() })() },
        { at: raised + HOUR, run: answerException('omar', CONFIRMED) },
      ];
    case 'escalated':
      return [
        { at: raised + 35 * MINUTE, run: answerException('dana', { action: 'accept-exception', confirm: 'yes' }) },
        { at: raised + 40 * MINUTE, run: answerException('dana', { action: 'close', outcome: 'withdrawn', result: 'Asked again; they found somebody.' }) },
      ];
    case 'overdue':
      return [
        { at: now + MINUTE, run: accept(primary, 1) },
        { at: now + MINUTE + 5 * HOUR + 20 * MINUTE, run: answerException('omar', { action: 'accept-exception', confirm: 'yes' }) },
        { at: now + MINUTE + 5 * HOUR + 30 * MINUTE, run: answerException('omar', { action: 'close', outcome: 'completed', result: 'Done by phone.' }) },
      ];
  }
}

/** What only time brings about: the instant at which it was due, and when it was carried out. */
export function carriedOut(receipts: readonly Receipt[]): { kind: string; due: number; at: number }[] {
  return receipts.flatMap((receipt, index) => {
    const due = dueOf(receipt, receipts.slice(0, index));
    return due === undefined ? [] : [{ kind: receipt.kind, due: Date.parse(due), at: Date.parse(receipt.at) }];
  });
}

function dueOf(receipt: Receipt, earlier: readonly Receipt[]): string | undefined {
  switch (receipt.kind) {
    case 'offer.timed-out':
      return receipt.deadlineAt;
    case 'next-step.overdue':
      return receipt.dueAt;
    case 'exception.raised':
      return earlier.findLast((one) => one.kind === 'next-step.overdue')?.graceUntil;
    case 'exception.escalated':
      return earlier.findLast((one) => one.kind === 'exception.raised')?.respondBy;
    default:
      return undefined;
  }
}

/** The local days whose report must have been published between two instants: those whose 06:00 lies between them. */
export function reportDays(from: number, to: number, zone: string): string[] {
  const days: string[] = [];
  const [first, last] = [localParts(new Date(from).toISOString(), zone), localParts(new Date(to).toISOString(), zone)];
  for (let day = first.time < '06:00' ? first.date : plusDays(first.date, 1); day < last.date || (day === last.date && last.time > '06:01'); day = plusDays(day, 1)) days.push(day);
  return days;
}

export const summaryOf = (baton: Baton, day: string) => reportSummary(baton.table, day);
