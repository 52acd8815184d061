// What a generator may do: leave a text beside the facts. Whatever else it asks for is refused with a receipt.

import { stepsAside } from './automation.ts';
import type { NotePrepared, RefuseGenerator } from './command.ts';
import { type Decision, decided, illegal } from './decision.ts';
import type { Handoff } from './handoff.ts';

/** Neither moves anything: no owner, no clock, no fact. Where a person took over, no text is taken in any more (L-10). */
export function decideGenerated(handoff: Handoff, command: NotePrepared | RefuseGenerator): Decision {
  if (command.kind === 'refuse-generator') return illegal(handoff, 'ai.refused') ?? decided({ kind: 'ai.refused', generator: command.generator, wanted: command.wanted });
  const { generator, generatorVersion, parts } = command;
  if (stepsAside(handoff)) return illegal(handoff, 'ai.refused') ?? decided({ kind: 'ai.refused', generator, wanted: 'to prepare after a takeover' });
  return illegal(handoff, 'packet.prepared') ?? decided({ kind: 'packet.prepared', generator, generatorVersion, parts });
}
