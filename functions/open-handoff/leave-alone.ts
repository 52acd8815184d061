// Suppression first, the question afterwards: whoever asked for no contact is left alone before a person is asked what to do (E-04).

import type { SuppressedChannel } from '../../shared/domain/announcement.ts';
import { ruleFor } from '../../shared/domain/escalation.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import type { Contract } from '../../shared/domain/policy.ts';
import type { Signal } from '../../shared/domain/signal.ts';
import type { PauseBook } from '../../shared/ports/pause-book.ts';
import type { SuppressionBook } from '../../shared/ports/suppression-book.ts';

export type LeaveAloneDeps = { suppressions: Pick<SuppressionBook, 'standing'>; pauses: Pick<PauseBook, 'pause'> };

type Arrival = { signal: Signal; contract: Contract; contactRef: string; id: HandoffId };

/** The channels on which the contact takes no messages. When there are any, nothing goes to them from now on, in the name of whoever answers for it. Repeating it changes nothing. */
export async function leftAlone({ suppressions, pauses }: LeaveAloneDeps, { signal, contract, contactRef, id }: Arrival): Promise<SuppressedChannel[]> {
  const { email, phone } = signal.contact;
  const [mail, text] = await Promise.all([
    email === undefined ? undefined : suppressions.standing('email', email),
    phone === undefined ? undefined : suppressions.standing('sms', phone),
  ]);
  const optedOut: SuppressedChannel[] = [...(mail === undefined ? [] : ['email' as const]), ...(text === undefined ? [] : ['sms' as const])];
  if (optedOut.length === 0) return [];
  const { owner } = ruleFor({ contract }, 'prior-opt-out');
  await pauses.pause({ scope: { of: 'contact', contactRef }, audience: 'customers', by: owner, since: signal.receivedAt }, `prior-opt-out:${id}`);
  return optedOut;
}
