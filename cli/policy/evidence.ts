// The receipts that a change of policy rests on: each must exist (C-04).

import { handoffId } from '../../shared/domain/ids.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import type { HandoffReader } from '../../shared/ports/handoff-store.ts';
import type { Evidence } from '../../shared/ports/policy-press.ts';
import { UsageError } from '../command.ts';

const ONE = /^(h-[0-9a-f]{32}):([1-9]\d{0,5})$/;
const FORM = 'the number of a handoff, a colon and the number of a receipt, such as h-…:5, with commas between several';

/** Reads `h-…:5,h-…:7`. */
export function evidenceFrom(text: string | undefined): Evidence[] {
  if (text === undefined) return [];
  return text.split(',').map((one) => {
    const [, id, seq] = ONE.exec(one.trim()) ?? [];
    if (id === undefined || seq === undefined) throw new UsageError(`--evidence takes ${FORM}, not "${one.trim()}".`);
    return { handoffId: handoffId(id), seq: Number(seq) };
  });
}

/** One line for each piece of evidence. Throws `UsageError` for a receipt that does not exist. */
export async function describeEvidence(evidence: readonly Evidence[], handoffs: Pick<HandoffReader, 'receipts'>): Promise<string[]> {
  return Promise.all(
    evidence.map(async ({ handoffId: id, seq }) => {
      const receipt = (await handoffs.receipts(id)).find((one) => one.seq === seq);
      if (receipt === undefined) throw new UsageError(`--evidence: there is no receipt ${seq} of ${id}.`);
      return `${id}:${seq} ${describe(receipt)}`;
    }),
  );
}

const describe = (receipt: Receipt): string => (receipt.kind === 'offer.rejected' ? `offer.rejected by ${receipt.by}: ${receipt.reason}` : receipt.kind);
