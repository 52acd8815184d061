import { METRICS } from '../contracts/metric-names.ts';
import { logger } from './logger.ts';
import { count, measure } from './metrics.ts';

type Repairs = {
  restarted: readonly string[];
  nudged: readonly string[];
  beyondRepair: readonly string[];
  signals: number;
  messages: number;
  oldestStandingStillSeconds?: number;
};

/** Says what `reconcile` repaired, one line a handoff, and counts it: repairs that become frequent are a fault somewhere else. A sweep that found nothing says that too, so that its silence can be told from it (OP-07). */
export function reportRepairs({ restarted, nudged, beyondRepair, signals, messages, oldestStandingStillSeconds }: Repairs): void {
  for (const handoffId of restarted) logger.warn('workflow-restarted', 'A handoff had no running workflow; a new one was started', { handoffId });
  for (const handoffId of nudged) logger.warn('workflow-nudged', 'A workflow waited for something that is over; it was asked to look again', { handoffId });
  for (const handoffId of beyondRepair)
    logger.error('workflow-beyond-repair', 'The workflow of a handoff ended again and again', new Error('no replacement is left'), { handoffId });
  const repaired = restarted.length + nudged.length + signals + messages;
  if (signals > 0) logger.warn('signals-published-again', 'Signals were received and never decided; they were published again', { count: signals });
  if (messages > 0) logger.warn('messages-unsettled', 'Nobody knows what became of some messages; they are looked up', { count: messages });
  if (repaired > 0) count('Repaired', repaired);
  if (oldestStandingStillSeconds !== undefined) measure(METRICS.oldestStandingStill, oldestStandingStillSeconds);
}
