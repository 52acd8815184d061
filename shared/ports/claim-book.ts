import type { HandoffId } from '../domain/ids.ts';

/** One external effect, named so that the same effect always has the same name: `offer:2:email`. */
export type EffectName = string;

/** `attempts` counts how often the provider was asked; `held` says why a message waited before that, or which other one it went along in. */
export type Claim = { handoffId: HandoffId; effect: EffectName; claimedAt: string; attempts: number; result?: 'sent' | 'refused' | 'skipped'; detail?: string; held?: string };

/** Claims are written before an effect and settled after it (decision 5). */
export interface ClaimBook {
  /** True for the first claimer alone; false when the effect is claimed or settled already. */
  claim(id: HandoffId, effect: EffectName, at: string): Promise<boolean>;
  settle(id: HandoffId, effect: EffectName, result: NonNullable<Claim['result']>, detail: string, at: string): Promise<void>;
  /** Counts an attempt just before it is made, so that whoever dies earlier has tried nothing. False when a result came meanwhile. */
  trying(id: HandoffId, effect: EffectName): Promise<boolean>;
  /** Says why a claimed effect is not tried yet; a result that came meanwhile stands. With `taken` false the attempt that was counted was none. */
  hold(id: HandoffId, effect: EffectName, because: string, outcome?: { taken: false }): Promise<void>;
  /** The provider says that it has the message: an unknown outcome is settled as sent. Does nothing when it is settled already, or was never claimed (E-05). */
  confirm(id: HandoffId, effect: EffectName, providerId: string, at: string): Promise<void>;
  /** The claim on an effect, or undefined when nobody claimed it (consistent read). */
  find(id: HandoffId, effect: EffectName): Promise<Claim | undefined>;
  /** Takes over an unsettled claim. False when somebody else did. */
  reclaim(claim: Claim, at: string): Promise<boolean>;
}
