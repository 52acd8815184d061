import { withAbsences } from '../../shared/adapters/dynamodb-absence-book.ts';
import { PolicyMissing } from '../../shared/adapters/dynamodb-policy-book.ts';
import type { CaseBook } from '../../shared/ports/case-book.ts';
import type { HandoffReader } from '../../shared/ports/handoff-store.ts';
import type { ActivePolicy, PolicyBook } from '../../shared/ports/policy-book.ts';
import type { PolicyPress, Publication } from '../../shared/ports/policy-press.ts';
import { copy, type MemoryTable } from './memory-table.ts';

export function memoryPolicyBook({ policy, absences }: MemoryTable): PolicyBook {
  const active = (): ActivePolicy => {
    if (policy.active === undefined) throw new PolicyMissing('no policy was ever published');
    return policy.active;
  };
  return {
    active: async () => copy(active()),
    async at(name, version) {
      const { calendars } = active();
      const roster = withAbsences(active().roster, absences);
      const contract = policy.contracts.get(version);
      if (contract === undefined) throw new PolicyMissing(`version ${version} of the policy is not in the table`);
      if (contract.name !== name) throw new Error(`version ${version} is of contract ${contract.name}, not ${name}`);
      return copy({ contract, roster, calendars });
    },
  };
}

/** Handoffs with their policy, of any store and any policy book. */
export const caseBookOf = (store: Pick<HandoffReader, 'load'>, policies: PolicyBook): CaseBook => ({
  async open(id) {
    const loaded = await store.load(id);
    return loaded === undefined ? undefined : { ...loaded, policy: await policies.at(loaded.handoff.contract, loaded.handoff.contractVersion) };
  },
});

export function memoryPolicyPress({ policy }: MemoryTable): PolicyPress {
  return {
    async publish(next, by, at, { why = 'no reason was given', evidence = [], seen, backTo } = {}) {
      for (const contract of next.contracts) {
        const known = policy.contracts.get(contract.version);
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(contract)) throw new Error(`version ${contract.version} was published before with other content`);
        policy.contracts.set(contract.version, copy(contract));
      }
      const current = policy.publications.at(-1);
      if (seen !== undefined && current !== undefined && current.publication.number !== seen) return copy({ kind: 'overtaken', publication: current.publication });
      if (current !== undefined && JSON.stringify(current.content) === JSON.stringify(copy(next))) return copy({ kind: 'unchanged', publication: current.publication });
      const publication: Publication = {
        contracts: Object.fromEntries(next.contracts.map((one) => [one.name, one.version])),
        roster: next.roster.version,
        calendars: JSON.stringify(next.calendars),
        number: (current?.publication.number ?? 0) + 1,
        at,
        by,
        why,
        evidence,
        ...(backTo !== undefined && { backTo }),
      };
      policy.active = copy(next);
      policy.publications.push(copy({ publication, content: next }));
      return { kind: 'published', publication };
    },
    history: async () => copy(policy.publications.map((one) => one.publication).reverse()),
    async contents(versions) {
      const found = policy.publications.find(({ content }) => content.roster.version === versions.roster && JSON.stringify(content.calendars) === versions.calendars);
      const contracts = Object.values(versions.contracts).map((hash) => policy.contracts.get(hash));
      if (found === undefined || contracts.includes(undefined)) throw new PolicyMissing('a version of the policy is not in the table');
      return copy({ ...found.content, contracts: contracts.filter((one) => one !== undefined) });
    },
  };
}
