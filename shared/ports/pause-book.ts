import type { Pause, PauseNote, PauseScope } from '../domain/pause.ts';

/** What must not be sent now. */
export interface PauseBook {
  pauses(): Promise<readonly Pause[]>;
  /** Begins a pause, or changes whom it holds back, and leaves a receipt under the order's id. Repeating it changes nothing. */
  pause(pause: Pause, orderId: string): Promise<void>;
  /** Ends the pause of exactly this scope and leaves a receipt. What was held is looked at again by reconcile. */
  resume(scope: PauseScope, by: Pause['by'], at: string, orderId: string): Promise<void>;
  /** The receipts of pauses, oldest first. */
  notes(): Promise<readonly PauseNote[]>;
}
