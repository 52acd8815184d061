// What a thousand handoffs cost at list price, and which quota binds first.

import { type Print, rounded } from './figure.ts';
import type { Usage } from './per-handoff.ts';
import { AS_OF, PRICES, QUOTAS, TEXT_MESSAGE } from './prices.ts';

const THOUSAND = 1000;

/** Counted usage times list price; seconds of functions are those of this machine. Fixed monthly costs and SMS are not in the total. */
export function costFigures(print: Print, usage: Usage): void {
  const parts = Object.entries(PRICES).map(([name, { dollars, source }]) => ({ name, dollars: usage[name as keyof typeof PRICES] * dollars * THOUSAND, source }));
  for (const { name, dollars, source } of parts) print('cost-of-1000-handoffs', rounded(dollars, 4), 'USD', { of: name, source, asOf: AS_OF });
  const total = parts.reduce((sum, { dollars }) => sum + dollars, 0);
  print('cost-of-1000-handoffs', rounded(total, 3), 'USD', { of: 'everything but text messages', region: 'us-east-1', asOf: AS_OF });
  print('cost-of-1000-handoffs', rounded(usage.texts * TEXT_MESSAGE.dollars * THOUSAND, 2), 'USD', {
    of: 'text messages, before carrier fees',
    source: TEXT_MESSAGE.source,
    asOf: AS_OF,
  });
}

/** Signals a second at which each quota is used up, lowest first. */
export function quotaFigures(print: Print, usage: Usage): void {
  const limits = Object.values(QUOTAS)
    .map((quota) => ({ ...quota, each: quota.of === 'signals' ? 1 : usage[quota.of] }))
    .filter(({ each }) => each > 0)
    .map((quota) => ({ ...quota, signals: quota.perSecond / quota.each }))
    .sort((a, b) => a.signals - b.signals);
  for (const [index, { name, signals, each, perSecond, raise, source }] of limits.entries())
    print('quota', rounded(signals, 1), 'signals/s', { binds: index + 1, quota: name, allows: perSecond, each: rounded(each, 3), raise, source, asOf: AS_OF });
}
