import type { HandoffId } from '../domain/ids.ts';

/** One external effect, named so that the same effect always has the same name: `offer:2:email`. */
export type EffectName = string;

export type Claim = { handoffId: HandoffId; effect: EffectName; claimedAt: string; attempts: number; result?: 'sent' | 'refused' | 'skipped'; detail?: string };

/** Claims are written before an effect and settled after it (decision 5). */
export interface ClaimBook {
  /** True for the first claimer alone; false when the effect is claimed or settled already. */
  claim(id: HandoffId, effect: EffectName, at: string): Promise<boolean>;
  settle(id: HandoffId, effect: EffectName, result: NonNullable<Claim['result']>, detail: string, at: string): Promise<void>;
  /** The claim on an effect, or undefined when nobody claimed it (consistent read). */
  find(id: HandoffId, effect: EffectName): Promise<Claim | undefined>;
  /** Takes over an unsettled claim for one more attempt. False when somebody else did. */
  reclaim(claim: Claim, at: string): Promise<boolean>;
}
