// What a generator (an AI, a template engine) may say: source `baton.ai`, detail-type `packet.prepared`. Texts only, kept
// apart from every fact. Whatever else it says under this source is refused with a receipt.

import * as z from 'zod/mini';
import { handoffIdOf } from './receipt.ts';

const name = (description: string) => z.string().check(z.regex(/^[\w.:/@-]{1,80}$/), z.describe(description));
const text = (description: string, longest: number) => z.exactOptional(z.string().check(z.minLength(1), z.maxLength(longest), z.describe(description)));

/** What every event of a generator says about itself. */
const origin = {
  schemaVersion: z.literal('1').check(z.describe('Version of this contract. Fields are only ever added within a version.')),
  eventId: z.string().check(z.regex(/^[!-~]{1,100}$/), z.describe('Stable id of the event; repetitions carry the same one.')),
  handoffId: handoffIdOf('The handoff.'),
  generatorId: name('Names the generator.'),
};

/** Detail of `packet.prepared`. A key that stands here in no line makes the whole event refused. */
export const PacketPrepared = z.strictObject({
  ...origin,
  generatorVersion: name('Version of the generator, of its model and its instructions.'),
  summary: text('The request in fewer words.', 2000),
  draft: text('A draft of a reply, for a person to change and send.', 4000),
  priority: text('A proposal in one word; nothing is ordered or routed by it.', 40),
});
export type PacketPrepared = z.output<typeof PacketPrepared>;

/** Any event of a generator, as far as a refusal needs to read it. */
export const GeneratorEvent = z.looseObject(origin);
export type GeneratorEvent = z.output<typeof GeneratorEvent>;
