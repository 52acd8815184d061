import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parse } from '../../shared/contracts/contract-error.ts';
import { Handoff } from '../../shared/contracts/handoff.ts';
import { Receipt } from '../../shared/contracts/receipt.ts';
import { HeadItem, SignalItem, TotalsItem, WaitItem } from '../../shared/contracts/table-items.ts';
import { acceptance, ana, aSignal, at, idOf, opening, request, resolution, step } from '../support/store-fixtures.ts';

const offered = () => {
  const opened = step(undefined, 'open', 0, opening(idOf('contracts')));
  return step(step(opened.after, 'resolve', 1, resolution).after, 'request', 2, request(1, ana, 30));
};

describe('what is read from the table', () => {
  it('keeps what a newer version of a function wrote into a row (old and new run side by side during a deployment)', () => {
    const handoff = { ...offered().after, pausedUntil: at(90) };
    expect(parse(HeadItem, { version: 3, handoff }, 'a row').handoff).toEqual(handoff);
    expect(z.parse(Handoff, handoff)).toEqual(handoff);
  });

  it('refuses a row whose parts are missing or of another kind, naming the path and no value', () => {
    const { custodian: _, ...headless } = offered().after;
    expect(() => parse(HeadItem, { version: 3, handoff: headless }, 'a row')).toThrow('handoff.custodian');
    expect(() => parse(HeadItem, { version: 3, handoff: { ...offered().after, state: 'lost' } }, 'a row')).toThrow('handoff.state');
    expect(() => parse(HeadItem, {}, 'a row')).toThrow('handoff');
  });

  it('refuses a receipt of an unknown kind, and one that lacks its cause', () => {
    const [receipt] = step(offered().after, 'yes', 5, acceptance(1, ana, 120)).receipts;
    expect(z.parse(Receipt, receipt)).toEqual(receipt);
    expect(z.safeParse(Receipt, { ...receipt, kind: 'offer.forgotten' }).success).toBe(false);
    expect(z.safeParse(Receipt, { ...receipt, commandId: undefined }).success).toBe(false);
    expect(z.safeParse(Receipt, { ...receipt, seq: 0 }).success).toBe(false);
    expect(z.safeParse(Receipt, { ...receipt, dueAt: '2026-03-02 08:00' }).success).toBe(false);
  });

  it('PI-03: a receipt carries no field that its kind does not know', () => {
    const [receipt] = step(offered().after, 'yes', 5, acceptance(1, ana, 120)).receipts;
    expect(z.parse(Receipt, { ...receipt, email: 'ada@example.org' })).toEqual(receipt);
  });

  it.each(['offer:1', 'exception:1:ana:respond', 'exception:12:o:b:review', `next-step:${at(1)}`])('a wait may say %s', (wait) => {
    expect(z.safeParse(WaitItem, { wait, token: 't', storedAt: at(0) }).success).toBe(true);
  });

  it.each(['offer:', 'offer:x', 'exception:1:ana:sleep', 'lunch', ''])('a wait cannot say "%s"', (wait) => {
    expect(z.safeParse(WaitItem, { wait, token: 't', storedAt: at(0) }).success).toBe(false);
  });

  it('M-03: counters that were never touched are zero', () => {
    expect(parse(TotalsItem, { received: 3 }, 'totals')).toEqual({ received: 3, ignored: 0, linked: 0, waiting: 0, offered: 0, accepted: 0, exception: 0, closed: 0 });
  });

  it('a signal keeps the reason its source gave for being no request', () => {
    const signal = { ...aSignal('e'), notALead: 'opt-out' };
    expect(z.parse(SignalItem, { signal, bodyHash: 'h', recordedBy: 'r', standing: { kind: 'received' } }).signal).toEqual(signal);
  });
});
