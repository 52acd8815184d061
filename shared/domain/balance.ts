// The balance sheet of signals (M-03): what came in equals what became of it.

/** How many signals and handoffs stand where. Counted in the same transactions as what they count. */
export type Counts = { received: number; ignored: number; linked: number; waiting: number; offered: number; accepted: number; exception: number; closed: number };

export type Balance = Counts & {
  /** Waiting and offered together. */
  open: number;
  accountedFor: number;
  /** Received minus accounted for. */
  difference: number;
  /** Signals that were received and not decided yet; they are known by name, so they explain a difference. */
  undecided: number;
  /** What is left of the difference: signals that nobody can point at. Anything but zero is the headline. */
  unexplained: number;
};

export function balance(counts: Counts, undecided: number): Balance {
  const open = counts.waiting + counts.offered;
  const accountedFor = counts.ignored + counts.linked + open + counts.accepted + counts.exception + counts.closed;
  const difference = counts.received - accountedFor;
  return { ...counts, open, accountedFor, difference, undecided, unexplained: difference - undecided };
}

/** Whether every signal that came in can be pointed at. */
export const isReconciled = (sheet: Balance): boolean => sheet.unexplained === 0;

/** The report in one line: first what does not add up, then what needs a person, and plainly when neither does (M-01). */
export function headline(sheet: Balance, listed: number): string {
  const people = `${listed} ${listed === 1 ? 'thing needs' : 'things need'} a person`;
  if (!isReconciled(sheet)) return `The sheet does not balance: ${mismatch(sheet)}. ${listed === 0 ? 'Nothing else is listed' : people}.`;
  if (listed > 0) return `${people}. The sheet balances.`;
  return 'Empty and reconciled: nothing is unowned, and every signal is accounted for.';
}

function mismatch({ received, accountedFor, undecided, unexplained }: Balance): string {
  const known = undecided === 0 ? `${accountedFor} accounted for` : `${accountedFor} accounted for, ${undecided} undecided`;
  return `${received} received, ${known}, ${unexplained > 0 ? `${unexplained} missing` : `${-unexplained} too many`}`;
}
