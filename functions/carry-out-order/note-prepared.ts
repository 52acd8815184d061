// The boundary to generators: a text goes beside the facts, labelled; every other wish is refused with a receipt.

import { type GeneratorEvent, PacketPrepared } from '../../shared/contracts/generator-event.ts';
import { commandId } from '../../shared/domain/ids.ts';
import { GENERATED_PARTS } from '../../shared/domain/receipt.ts';
import { type Carried, type CarryOutOrderDeps, direct } from './carry-out-order.ts';

/** Takes a prepared text in, or refuses what is more than that. Nothing here can reach an owner, a clock or a fact. */
export function notePrepared(deps: CarryOutOrderDeps, detailType: string, event: GeneratorEvent): Promise<Carried> {
  const actor = { kind: 'system', component: `generator ${event.generatorId}` } as const;
  const id = commandId(`generator:${event.generatorId}:${event.eventId}`);
  const prepared = detailType === 'packet.prepared' ? PacketPrepared.safeParse(event) : undefined;
  if (prepared?.success !== true) {
    const command = { kind: 'refuse-generator', commandId: id, generator: event.generatorId, wanted: wantedBy(detailType, event) } as const;
    return direct(deps, event.handoffId, { command, actor });
  }
  const { generatorId: generator, generatorVersion, summary, draft, priority } = prepared.data;
  const texts = { ...(summary !== undefined && { summary }), ...(draft !== undefined && { draft }), ...(priority !== undefined && { priority }) };
  const parts = GENERATED_PARTS.filter((part) => texts[part] !== undefined);
  const command = { kind: 'note-prepared', commandId: id, generator, generatorVersion, parts } as const;
  return direct(deps, event.handoffId, { command, actor }, { generated: { generator, generatorVersion, ...texts } });
}

const KNOWN = ['schemaVersion', 'eventId', 'handoffId', 'generatorId', 'generatorVersion', ...GENERATED_PARTS];

/** What it asked for, as a code: the detail-type, or the first key that no text goes by. Never its own words. */
function wantedBy(detailType: string, event: GeneratorEvent): string {
  if (detailType !== 'packet.prepared') return coded(detailType);
  const extra = Object.keys(event).find((key) => !KNOWN.includes(key));
  return extra === undefined ? 'a text beyond its limits' : `to set ${coded(extra)}`;
}

const coded = (text: string): string => (/^[a-zA-Z][\w.-]{0,39}$/.test(text) ? text : 'something unnamed');
