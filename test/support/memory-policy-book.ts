import { withAbsences } from '../../shared/adapters/dynamodb-absence-book.ts';
import { PolicyMissing, type PolicyPress } from '../../shared/adapters/dynamodb-policy-book.ts';
import type { ActivePolicy, PolicyBook } from '../../shared/ports/policy-book.ts';
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

export function memoryPolicyPress({ policy }: MemoryTable): PolicyPress {
  return {
    async publish(next, by, at) {
      for (const contract of next.contracts) {
        const known = policy.contracts.get(contract.version);
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(contract)) throw new Error(`version ${contract.version} was published before with other content`);
        policy.contracts.set(contract.version, copy(contract));
      }
      policy.active = copy(next);
      return {
        contracts: Object.fromEntries(next.contracts.map((one) => [one.name, one.version])),
        roster: next.roster.version,
        calendars: 'memory',
        publishedAt: at,
        publishedBy: by,
      };
    },
  };
}
