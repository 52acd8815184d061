import { logger } from './logger.ts';
import { count } from './metrics.ts';

/** Writes down what became of a signal, and counts a conflict. */
export function reportSignal({ kind: outcome, ...rest }: { kind: string }): void {
  if (outcome === 'conflict') count('SignalConflicts');
  logger.info('signal-handled', 'A signal was handled', { outcome, ...rest });
}
