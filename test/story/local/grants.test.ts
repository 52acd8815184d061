import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Runtime } from '../../../infra/local/runtime.ts';
import type { Grant } from '../../../infra/local/services/iam.ts';
import { type Chapter, LONGEST_PAUSE, type Scene } from '../../support/chapter-scenes.ts';
import { CHAPTERS } from '../../support/chapters.ts';
import { bootOwnBaton, type OwnBaton } from '../../support/story.ts';

/** Rights that no story can use here, each with the reason why the template grants it all the same. */
const UNEXERCISED: readonly { grant: RegExp; because: string }[] = [
  { grant: /^\w+ logs:(CreateLogStream|PutLogEvents) /, because: 'Lambda writes the log itself; here lines go to the console' },
  { grant: /^Workflow\w* logs:\w+ \*$/, because: 'Step Functions sets up its log delivery with these; CDK grants them as the manual says' },
  { grant: /^Workflow\w* lambda:InvokeFunction \S+:\*$/, because: 'versions of a function, for executions that began before a deployment (SF-22); every version is $LATEST here' },
  { grant: /^Notify\w* sms-voice:SendTextMessage \S+:(pool|phone-number|sender-id)\/\*$/, because: 'an account sends from one of the three; which, is decided outside the stack' },
  {
    grant: /^(OpenHandoff|AnswerOffer|Notify)\w* secretsmanager:GetSecretValue \S+:baton\/fetch\/(slack)?\*$/,
    because: 'the token with which a system outside is asked or told something',
  },
  {
    grant: /^OpenHandoff\w* dynamodb:BatchGetItem /,
    because: 'two deliveries of one signal may race, and the second then looks whether the first opened it; no story can order a race',
  },
];

let scene: Scene;
let own: OwnBaton;
let users: Map<string, Chapter[]>;
beforeAll(async () => {
  own = await bootOwnBaton();
  scene = { runtime: own.runtime, baton: own.baton };
  users = await findUsers(scene);
}, 300_000);
afterAll(() => own.end());

const named = ({ role, action, resource }: Grant): string => `${role} ${action} ${resource}`;

/** The chapters that use each right, in their order. */
async function findUsers({ runtime, baton }: Scene): Promise<Map<string, Chapter[]>> {
  const found = new Map<string, Chapter[]>();
  for (const chapter of CHAPTERS) {
    runtime.forgetGrantUse(chapter.proves);
    await chapter.tell({ runtime, baton }).catch((fault: unknown) => {
      throw new Error(`the chapter "${chapter.name}" does not come true with all rights`, { cause: fault });
    });
    for (const grant of runtime.grants().used) {
      if (chapter.proves.test(grant.role)) found.set(named(grant), [...(found.get(named(grant)) ?? []), chapter]);
    }
  }
  return found;
}

test('B-4: every right that the template grants is used by a story, or stands in the list with its reason', () => {
  const grants = scene.runtime.grants().all.map(named);
  const unused = grants.filter((grant) => !users.has(grant) && !UNEXERCISED.some((one) => one.grant.test(grant)));
  expect(unused).toEqual([]);
  const stale = UNEXERCISED.filter(({ grant }) => !grants.some((one) => grant.test(one)));
  expect(stale).toEqual([]);
});

test('B-4: without any single right a story breaks, and the log names function, action and resource', { timeout: 600_000 }, async () => {
  const { runtime } = scene;
  const whole: string[] = [];
  for (const grant of runtime.grants().all) {
    const chapters = users.get(named(grant));
    if (chapters === undefined || UNEXERCISED.some((one) => one.grant.test(named(grant)))) continue;
    const tried: string[] = [];
    for (const chapter of chapters) {
      const held = await toldWithout(grant, chapter);
      if (held === 'breaks') break;
      tried.push(`${named(grant)}: "${chapter.name}" ${held}`);
    }
    if (tried.length === chapters.length) whole.push(...tried);
  }
  expect(whole).toEqual([]);
});

/** What becomes of a chapter while one right is withheld: it must break, and the log must say by which refusal. */
async function toldWithout(grant: Grant, chapter: Chapter): Promise<'breaks' | string> {
  const { runtime, baton } = scene;
  const before = (await refusals(runtime, grant)).length;
  const giveBack = runtime.withhold(grant);
  const fault = await chapter.tell(scene).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  giveBack();
  const refused = (await refusals(runtime, grant)).length > before;
  if (grant.role.startsWith('PublishReceipts')) await baton.fastForward(LONGEST_PAUSE);
  else await runtime.idle();
  if (fault === undefined) return 'comes true without it';
  return refused ? 'breaks' : `breaks without a refusal in the log: ${String(fault)}`;
}

/** Lines of the log in which the role is refused this action on this resource, in AWS's words. */
async function refusals(runtime: Runtime, { role, action, resource }: Grant): Promise<string[]> {
  const log = await (await fetch(new URL(`/_baton/logs?text=${encodeURIComponent(`perform: ${action}`)}`, runtime.urls.console))).text();
  const named = resource
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('\\S*');
  const words = new RegExp(
    `User: arn:aws:sts::000000000000:assumed-role/${role}/\\S+ is not authorized to perform: ${action} on resource: ${named} because no identity-based policy allows the ${action} action`,
  );
  return log.split('\n').filter((line) => words.test(line));
}
