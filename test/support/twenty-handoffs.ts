// Twenty handoffs of five courses, told so that each step may be tried again, and what can be said of them afterwards.

import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { claimsAbout } from '../../shared/adapters/dynamodb-claim-book.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbWaitBook } from '../../shared/adapters/dynamodb-wait-book.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { balance } from '../../shared/domain/balance.ts';
import { type HandoffId, personId } from '../../shared/domain/ids.ts';
import { openPage, submit } from './answer-page.ts';
import { aRoofInspection } from './leads.ts';
import { readMailbox } from './mailbox.ts';
import type { Baton, Stage } from './story.ts';

const COURSES = ['accepted', 'rejected', 'silent-backup', 'silent-exception', 'nobody-eligible'] as const;
type Course = (typeof COURSES)[number];
type Told = { id: HandoffId; eventId: string; course: Course; confirms: boolean };
type Hands = { stage: Stage; persist: <T>(attempt: () => Promise<T>) => Promise<T> };
type Wish = { person: string; purpose: 'offer' | 'exception'; number: number; fields: Record<string, string> };

const MINUTE = 60_000;
const YES = { action: 'accept', nextAction: 'call', dueChoice: 'other' };
const handoffs: Told[] = Array.from({ length: 20 }, (_, n) => {
  const eventId = `twenty-${n}`;
  return { eventId, id: signalDigest.handoffId({ source: 'website', eventId }), course: COURSES[n % COURSES.length] as Course, confirms: n % 2 === 0 };
});

/** Something failed because the other side was down or not ready; whoever asked asks again. */
class NotNow extends Error {
  override readonly cause = new Error('fetch failed');
}

/** All courses side by side, step by step. The windows of the policy must be two hours, and six for exceptions. */
export function twentyHandoffs(baton: Baton, { stage, persist }: Hands): { name: string; run: () => Promise<unknown> }[] {
  const begin = stage.now();
  const untilMinute = (minute: number) => stage.advance((begin + minute * MINUTE - stage.now()) / 1000);
  const due = () => ({ due: baton.localTime({ to: '', links: [] }, { seconds: (begin + 25 * 60 * MINUTE - stage.now()) / 1000 }) });
  const answer = (id: HandoffId, wish: Wish) => persist(() => answerOnce(baton, id, wish));
  const each = (courses: readonly Course[], run: (one: Told) => Promise<unknown>) => Promise.all(handoffs.filter(({ course }) => courses.includes(course)).map(run));
  const acceptsAs = (place: 0 | 1, number: number) => async (told: Told) =>
    answer(told.id, { person: await persist(async () => (await baton.candidates(told.id))[place]), purpose: 'offer', number, fields: { ...YES, ...due() } });

  return [
    { name: 'signals arrive', run: () => each(COURSES, (told) => persist(() => deliver(baton, told))) },
    { name: 'and are offered', run: () => untilMinute(20) },
    {
      name: 'the first answer',
      run: () =>
        Promise.all([
          each(['accepted'], acceptsAs(0, 1)),
          each(['rejected'], async ({ id }) => {
            const [person] = await persist(() => baton.candidates(id));
            await answer(id, { person, purpose: 'offer', number: 1, fields: { action: 'reject', reason: 'no-capacity' } });
          }),
          each(['nobody-eligible'], async ({ id }) => {
            await answer(id, { person: 'omar', purpose: 'exception', number: 1, fields: { action: 'accept-exception', confirm: 'yes' } });
            await answer(id, { person: 'omar', purpose: 'exception', number: 1, fields: { action: 'assign', assignTo: 'sam' } });
          }),
        ]),
    },
    { name: 'others are asked', run: () => untilMinute(40) },
    {
      name: 'they accept',
      run: () =>
        Promise.all([
          each(['rejected'], acceptsAs(1, 2)),
          each(['nobody-eligible'], ({ id }) => answer(id, { person: 'sam', purpose: 'offer', number: 1, fields: { ...YES, ...due() } })),
        ]),
    },
    { name: 'first windows end', run: () => untilMinute(150) },
    { name: 'backups accept', run: () => each(['silent-backup'], acceptsAs(1, 2)) },
    { name: 'second windows end', run: () => untilMinute(290) },
    {
      name: 'an exception is taken',
      run: () =>
        each(['silent-exception'], async ({ id }) => {
          await answer(id, { person: 'omar', purpose: 'exception', number: 1, fields: { action: 'accept-exception', confirm: 'yes' } });
          await answer(id, { person: 'omar', purpose: 'exception', number: 1, fields: { ...YES, action: 'take', ...due() } });
        }),
    },
    {
      name: 'every second one is confirmed',
      run: async () => {
        await untilMinute(310);
        await each(COURSES, async ({ id, confirms }) => {
          if (confirms) await persist(() => confirm(baton, id));
        });
      },
    },
  ];
}

async function deliver(baton: Baton, { eventId, course }: Told): Promise<void> {
  const sent = await baton.sendWebsite(aRoofInspection(course === 'nobody-eligible' ? { postal_code: '10001' } : {}), eventId);
  if (sent.status >= 500) throw new NotNow(`the webhook answered ${sent.status}`);
  if (sent.status !== 202) throw new Error(`the webhook answered ${sent.status}: ${await sent.text()}`);
}

/** The owner says that the promised step was done, from the link that made them owner. */
async function confirm(baton: Baton, id: HandoffId): Promise<void> {
  const { ownership, offers } = await baton.handoff(id);
  const person = ownership?.owner ?? '';
  const number = offers.find((one) => one.status === 'accepted' && one.to === person)?.number ?? 1;
  const links = await dynamodbLinkBook(baton.table).issuedFor(id, 'offer', number, personId(person));
  const from = links.length > 0 ? { purpose: 'offer' as const, number } : { purpose: 'exception' as const, number: 1 };
  await answerOnce(baton, id, { person, ...from, fields: { action: 'confirm-next-step', evidence: 'call', evidenceNote: 'Spoke.' } });
}

/** Finds the letter, opens its link and sends the form. Sent again, it says the same again. */
async function answerOnce(baton: Baton, id: HandoffId, { person, purpose, number, fields }: Wish): Promise<void> {
  const links = await dynamodbLinkBook(baton.table).issuedFor(id, purpose, number, personId(person));
  const link = links.find((one) => one.channel === 'email');
  const mail = (await readMailbox(baton.runtime.urls.mailbox)).find((one) => one.links.some((url) => link !== undefined && url.endsWith(`/a/${link.id}`)));
  const url = mail?.links.find((one) => one.endsWith(`/a/${link?.id}`));
  if (url === undefined) throw new Error(`${person} was not told of ${purpose} ${number} of ${id}`);
  const page = await submit(await openPage(url), fields);
  if (page.status >= 500) throw new NotNow(`the page answered ${page.status}`);
}

export type Ending = { course: Course; state: string; receipts: string[]; acceptances: number; wait: string | undefined; workflow: string };

/** What became of the messages about one handoff: which there were to be, which were left out and why, and the channels of those that came. */
export type Post = { messages: string[]; leftOut: { channel: string; because: string }[]; came: string[] };

/** How each handoff ended, in words that two runs can be compared by. */
export async function endings(baton: Baton): Promise<Ending[]> {
  const store = dynamodbHandoffStore(baton.table);
  return Promise.all(
    handoffs.map(async ({ id, course }) => {
      const handoff = await baton.handoff(id);
      return {
        course,
        state: handoff.state,
        receipts: (await store.receipts(id)).map((one) => one.kind),
        acceptances: handoff.offers.filter((offer) => offer.status === 'accepted').length,
        wait: (await dynamodbWaitBook(baton.table).find(id))?.wait.split(':')[0],
        workflow: await baton.workflow(id),
      };
    }),
  );
}

/** The messages about each handoff, by their claims and by the mailbox. */
export async function post({ stage, persist }: Hands, baton: Baton): Promise<Post[]> {
  const store = dynamodbHandoffStore(baton.table);
  const mails = await persist(() => readMailbox(stage.urls.mailbox));
  const links = dynamodbLinkBook(baton.table);
  const about = new Map<string, string>();
  for (const id of new Set(mails.flatMap((mail) => mail.links.map(linkId)).filter((one) => one !== ''))) about.set(id, (await links.find(id))?.handoffId ?? '');
  return Promise.all(
    handoffs.map(async ({ id }) => {
      const claims = await claimsAbout(baton.table, id, await store.receipts(id));
      const letters = mails.filter((mail) => mail.links.some((url) => about.get(linkId(url)) === id));
      return {
        messages: claims.map(({ effect }) => effect).sort(),
        leftOut: claims.filter(({ result }) => result !== 'sent').map(({ effect, result, detail }) => ({ channel: effect.split(':')[2] ?? '', because: `${result}: ${detail}` })),
        came: [...new Set(letters.map((mail) => `${mail.channel} ${mail.to} ${mail.text}`))].map((one) => one.split(' ')[0] ?? '').sort(),
      };
    }),
  );
}

/** A provider was asked twice and died over it with its answer (MS-05), or whom the message was for had moved on when it came back (CC-09). */
const GOOD_REASON = /^refused: outcome unknown after 2 attempts$|^skipped: the (offer is over|exception moved on|ownership moved on)$/;

/** What is wrong with the post of a handoff that had a hard life, next to the same one undisturbed: every message came, or is left out for a good reason. */
export function unaccounted(hard: Post, easy: Post): string[] {
  const missing = [...new Set(easy.came)].flatMap((channel) => {
    const [before, now] = [easy, hard].map(({ came }) => came.filter((one) => one === channel).length) as [number, number];
    const left = hard.leftOut.filter((one) => one.channel === channel).length;
    return now > before || now < before - left ? [`${now} of ${before} by ${channel}, ${left} left out`] : [];
  });
  return [
    ...missing,
    ...hard.leftOut.filter(({ because }) => !GOOD_REASON.test(because)).map(({ channel, because }) => `by ${channel} ${because}`),
    ...(JSON.stringify(hard.messages) === JSON.stringify(easy.messages) ? [] : [`other messages: ${hard.messages.join(' ')} instead of ${easy.messages.join(' ')}`]),
  ];
}

/** How often the same message went to the same person: once, or twice when nobody knew whether the first was sent (MS-05). */
export async function copies({ stage }: Hands): Promise<number[]> {
  const counted = new Map<string, number>();
  for (const { channel, to, subject, text } of await readMailbox(stage.urls.mailbox)) {
    const key = JSON.stringify([channel, to, subject, text]);
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  return [...counted.values()];
}

export async function sheet(baton: Baton) {
  return balance(await baton.totals(), 0);
}

export async function runningWorkflows(baton: Baton): Promise<number> {
  const { executions = [] } = await new SFNClient({}).send(
    new ListExecutionsCommand({ stateMachineArn: baton.installation.outputs.MachineArn, statusFilter: 'RUNNING', maxResults: 1000 }),
  );
  return executions.length;
}

const linkId = (url: string): string => /\/a\/([^/?#]+)/.exec(url)?.[1] ?? '';
