import type { CaseBook } from '../ports/case-book.ts';
import { FIRST_PACKET, loadedFrom } from './dynamodb-handoff-reader.ts';
import { absencesKey, activePolicyKey, headKey, packetKey } from './dynamodb-keys.ts';
import { pointerFrom, policyVersions } from './dynamodb-policy-book.ts';
import { readItems, type Table } from './dynamodb-table.ts';

/** Handoffs with their policy. What is in force is read with the row in one request, so it costs no request and is never old. */
export function dynamodbCaseBook(table: Table): CaseBook {
  const versions = policyVersions(table);
  return {
    async open(id) {
      const [head, packet, active, absences] = await readItems(table, [headKey(id), packetKey(id, FIRST_PACKET), activePolicyKey, absencesKey]);
      const loaded = await loadedFrom(table, id, { head, packet });
      if (loaded === undefined) return undefined;
      const { contract, contractVersion } = loaded.handoff;
      return { ...loaded, policy: await versions.at(pointerFrom(active, absences), contract, contractVersion) };
    },
  };
}
