import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { expect } from 'vitest';
import { dynamodbHandoffStore } from '../../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbPolicyPress } from '../../../shared/adapters/dynamodb-policy-press.ts';
import { balance } from '../../../shared/domain/balance.ts';
import { localParts } from '../../../shared/domain/local-time.ts';
import { offerWindow } from '../../../shared/domain/offer-window.ts';
import type { Receipt } from '../../../shared/domain/receipt.ts';
import { readMailbox } from '../../support/mailbox.ts';
import { waitingMessages } from '../../support/queues.ts';
import { type Baton, story } from '../../support/story.ts';
import { type Course, carriedOut, reportDays, summaryOf, tellWeek, withOpeningHours } from '../../support/week.ts';

const ZONE = 'America/Los_Angeles';
/** Real time passes while work is done. What the sweep would have repaired lies two minutes back at least. */
const LATE = 120_000;

const LIVES: Record<Course, { state: string; kinds: Receipt['kind'][] }> = {
  accepted: { state: 'next-step-confirmed', kinds: ['acceptance.requested', 'offer.accepted', 'next-step.confirmed'] },
  declined: { state: 'next-step-confirmed', kinds: ['acceptance.requested', 'offer.rejected', 'backup.requested', 'offer.accepted', 'next-step.confirmed'] },
  silent: {
    state: 'next-step-confirmed',
    kinds: [
      'acceptance.requested',
      'offer.timed-out',
      'backup.requested',
      'offer.timed-out',
      'exception.raised',
      'exception.accepted',
      'exception.resolved',
      'offer.accepted',
      'next-step.confirmed',
    ],
  },
  escalated: {
    state: 'closed',
    kinds: [
      'acceptance.requested',
      'offer.timed-out',
      'backup.requested',
      'offer.timed-out',
      'exception.raised',
      'exception.escalated',
      'exception.accepted',
      'exception.resolved',
      'handoff.closed',
    ],
  },
  overdue: {
    state: 'closed',
    kinds: ['acceptance.requested', 'offer.accepted', 'next-step.overdue', 'exception.raised', 'exception.accepted', 'exception.resolved', 'handoff.closed'],
  },
};

story(
  'B-8 M-01 M-03 M-09 TM-01: a week with fifty handoffs, nights and a weekend: all ends as people said and as the policy says, in order, and once',
  async (baton) => {
    const policy = withOpeningHours(baton);
    await dynamodbPolicyPress(baton.table).publish(policy, 'dana', new Date(baton.runtime.now()).toISOString());
    const begin = baton.runtime.now();
    const told = await tellWeek(baton);
    await baton.runtime.idle();

    const store = dynamodbHandoffStore(baton.table);
    const contract = policy.contracts.find((one) => one.name === 'roof-inspection');
    if (contract === undefined) throw new Error('the sample has another contract');
    const lives = await Promise.all(told.map(async ({ id, course }) => ({ id, course, state: (await baton.handoff(id)).state, receipts: await store.receipts(id) })));

    expect(lives).toHaveLength(50);
    for (const { course, state, receipts } of lives) {
      const kinds = receipts.map((one) => one.kind).filter((kind) => kind !== 'offer.reminded');
      expect({ course, state, kinds }).toEqual({ course, state: LIVES[course].state, kinds: ['handoff.opened', 'candidates.resolved', ...LIVES[course].kinds] });
      expect(receipts.map((one) => one.at)).toEqual(receipts.map((one) => one.at).toSorted());
      for (const one of receipts.filter((one) => one.kind === 'acceptance.requested' || one.kind === 'backup.requested')) {
        const step = one.kind === 'acceptance.requested' ? 0 : 1;
        const { startsAt, deadlineAt } = offerWindow(step, { contract, roster: policy.roster, calendars: policy.calendars }, one.at);
        expect(one).toMatchObject({ deadlineAt, ...(startsAt !== one.at && { startsAt }) });
      }
    }

    const timed = lives.flatMap(({ receipts }) => carriedOut(receipts));
    expect(timed).toHaveLength(10 * (2 + 3 + 2));
    for (const { kind, due, at } of timed) expect({ kind, early: at < due, late: at > due + LATE }).toEqual({ kind, early: false, late: false });
    const inOrder = timed.toSorted((a, b) => a.at - b.at);
    for (const [index, one] of inOrder.entries()) expect(inOrder.slice(index + 1).filter((later) => later.due < one.due - LATE)).toEqual([]);

    const mails = await readMailbox(baton.runtime.urls.mailbox);
    const copies = new Map<string, number>();
    for (const { channel, to, subject, text } of mails)
      copies.set(JSON.stringify([channel, to, subject, text]), (copies.get(JSON.stringify([channel, to, subject, text])) ?? 0) + 1);
    expect([...copies].filter(([, count]) => count > 1)).toEqual([]);

    const days = reportDays(begin, baton.runtime.now(), ZONE);
    expect(days.length).toBeGreaterThanOrEqual(7);
    for (const day of days) {
      expect(await summaryOf(baton, day)).toMatchObject({ day, reconciled: true });
      expect(mails.filter(({ channel, subject }) => channel === 'email' && subject.includes(`Orphan report ${day}`))).toHaveLength(1);
    }
    const mondays = days.filter((day) => localParts(`${day}T12:00:00Z`, 'UTC').weekday === 'mon');
    expect(mondays.length).toBeGreaterThanOrEqual(1);
    for (const monday of mondays) {
      const reviews = mails.filter(({ subject }) => subject.startsWith(`Weekly review ${monday}`));
      expect(reviews).toHaveLength(1);
      expect(localParts(reviews[0]?.sentAt ?? '', ZONE)).toMatchObject({ date: monday, weekday: 'mon', time: expect.stringMatching(/^06:0\d$/) });
    }

    expect(balance(await baton.totals(), 0)).toMatchObject({ received: 50, unexplained: 0 });
    expect(await executions(baton)).toEqual({ SUCCEEDED: 50 });
    expect(await waitingMessages(baton.runtime.urls.console)).toEqual([]);
  },
  900,
);

/** How many executions there ever were, by how they stand: one a handoff means that nothing was replaced. */
async function executions({ installation }: Baton): Promise<Record<string, number>> {
  const { executions = [] } = await new SFNClient({}).send(new ListExecutionsCommand({ stateMachineArn: installation.outputs.MachineArn, maxResults: 1000 }));
  const counted: Record<string, number> = {};
  for (const { status = 'UNKNOWN' } of executions) counted[status] = (counted[status] ?? 0) + 1;
  return counted;
}
