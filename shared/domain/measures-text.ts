// The measures as plain text, for a terminal and a weekly mail.

import type { Measures } from './measures.ts';
import type { Revenue } from './receipt.ts';
import { ageText } from './report-text.ts';
import type { Quantile, Spread } from './spread.ts';

/** Where the rule of a cluster stands in the business's files, as `policy/contracts/x.yaml:31`. */
export type PlaceOf = (contract: string, step: number) => string;

/** The whole sheet. `placeOf` finds the contract line that a cluster of rejections points at. */
export function measuresText(measures: Measures, placeOf: PlaceOf): string {
  const { funnel, times, rates, rejections, clusters, completeness } = measures;
  return [
    `Handoffs opened from ${measures.from.slice(0, 16).replace('T', ' ')} to ${measures.until.slice(0, 16).replace('T', ' ')} UTC`,
    '',
    'Stages, each counted by its own evidence',
    ...table(Object.entries(funnel).map(([name, count]) => [STAGES[name as keyof typeof funnel], String(count)])),
    '',
    'How long it took (what is not over counts as still waiting)',
    ...(Object.keys(times).length === 0 ? ['  nothing to measure'] : Object.entries(times).flatMap(([name, one]) => spreadText(TIMES[name as keyof typeof times], one))),
    '',
    'Shares',
    ...table(Object.entries(rates).map(([name, share]) => [RATES[name as keyof typeof rates], `${Math.round(share * 100)} %`])),
    '',
    'Required facts that were there at arrival, by source',
    ...table(Object.entries(completeness).map(([source, share]) => [source, `${Math.round(share * 100)} %`])),
    '',
    'Outcomes, as the authoritative systems state them',
    ...table(Object.entries(measures.outcomes).map(([name, count]) => [name, String(count)])),
    ...Object.entries(measures.revenue).map(([currency, minorUnits]) => `  revenue ${moneyText({ currency, minorUnits })}`),
    '',
    'Rejections',
    ...table(Object.entries(rejections).map(([reason, count]) => [reason, String(count)])),
    ...clusters.flatMap((one) => [`  ${one.count} × ${one.reason}: look at ${placeOf(one.contract, one.step)} (${one.rule})`]),
  ].join('\n');
}

const STAGES: Readonly<Record<keyof Measures['funnel'], string>> = {
  opened: 'opened',
  ready: '  with everything the contract requires',
  withCandidates: 'somebody was eligible',
  asked: 'somebody was asked',
  accepted: 'accepted by a person',
  acceptedByBackup: '  of these, by a backup',
  acceptedLate: '  of these, after the window',
  takenByExceptionOwner: '  of these, taken by the exception owner',
  nextStepConfirmed: 'next step confirmed with evidence',
  meetings: 'a meeting booked or held',
  contactAttempts: 'contact tried (call, message)',
  conversations: 'met the customer (meeting, visit)',
  proposals: 'quote sent',
  notAFit: 'staff said: not a fit',
  closed: 'closed with an outcome',
  timedOut: 'somebody let the time to answer pass',
  outcomeFromSystem: 'outcome stated by the authoritative system',
  outcomeUnknown: 'accepted, outcome unknown',
};

const TIMES: Readonly<Record<keyof Measures['times'], string>> = {
  eventToOffer: 'source event to offer',
  offerToAcceptance: 'first offer to acceptance',
  eventToAcceptance: 'source event to acceptance',
  exceptionAge: 'exception, raised to resolved',
  eventToDraft: 'source event to a machine-written text (nobody owns anything by that)',
};

const RATES: Readonly<Record<keyof Measures['rates'], string>> = {
  completeAtArrival: 'complete at arrival',
  offersAccepted: 'offers accepted',
  offersTimedOut: 'offers timed out',
  inException: 'in an exception now',
  acceptanceReceipts: 'with a receipt of acceptance',
  unknownState: 'next step done, end unknown',
  askedAgain: 'asked more than one person',
  dueOnTime: 'promises kept on time',
  outcomesRecorded: 'outcomes recorded',
};

function table(rows: readonly (readonly [string, string])[]): string[] {
  return rows.length === 0 ? ['  none'] : rows.map(([label, value]) => `  ${label.padEnd(42)}${value.padStart(8)}`);
}

function spreadText(name: string, { count, still, median, p90, p95, max }: Spread): string[] {
  return [`  ${name}: median ${quantile(median)}, p90 ${quantile(p90)}, p95 ${quantile(p95)}, max ${quantile(max)} (${count}, of which ${still} not over)`];
}

/** In the currency's own decimals; a code nobody knows has two. */
export function moneyText({ currency, minorUnits }: Revenue): string {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  return `${(minorUnits / 10 ** digits).toFixed(digits)} ${currency}`;
}

const quantile = ({ seconds, atLeast }: Quantile): string => `${atLeast ? 'at least ' : ''}${ageText(Math.round(seconds))}`;
