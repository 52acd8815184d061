// Sending can be stopped, for everything, one contract or one contact; clocks, receipts and answers never (D-05, OP-09).

import { holdsJob } from './authority.ts';
import type { Handoff } from './handoff.ts';
import type { PersonId } from './ids.ts';
import type { Contract, Roster } from './policy.ts';

export type PauseScope = { of: 'all' } | { of: 'contract'; contract: string } | { of: 'contact'; contactRef: string };

/** `customers`: only what goes to customers stops; `everyone`: messages to sellers and staff too. */
export type PauseAudience = 'customers' | 'everyone';

export type Pause = { scope: PauseScope; audience: PauseAudience; by: PersonId; since: string };

/** What is said once a pause begins or ends: the receipt of it (D-05). */
export type PauseNote = { kind: 'sending.paused' | 'sending.resumed'; scope: PauseScope; by: PersonId; at: string };

/** The pause that holds a message about this handoff to this audience back, if any. */
export function pauseOver(pauses: readonly Pause[], { contract, contactRef }: Pick<Handoff, 'contract' | 'contactRef'>, to: 'customer' | 'staff'): Pause | undefined {
  return pauses.find(({ scope, audience }) => {
    if (to === 'staff' && audience === 'customers') return false;
    return scope.of === 'all' || (scope.of === 'contract' ? scope.contract === contract : scope.contactRef === contactRef);
  });
}

/** Whether two scopes are the same one. */
export const sameScope = (one: PauseScope, other: PauseScope): boolean => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

/**
 * Whether a person may stop or resume sending: whoever contains incidents or decides for the contract, by its own file (C-02).
 * For everything, or for one customer, that of any contract in force.
 */
export function mayPause(by: PersonId, scope: PauseScope, { contracts, roster }: { contracts: readonly Contract[]; roster: Roster }): boolean {
  const concerned = scope.of === 'contract' ? contracts.filter(({ name }) => name === scope.contract) : contracts;
  return concerned.some(({ responsible: { incidentOwner, decisionOwner } }) => holdsJob(by, incidentOwner, roster) || holdsJob(by, decisionOwner, roster));
}
