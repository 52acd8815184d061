// Reads a policy folder from disk and answers with all of it on immutable versions, or with everything that is wrong.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import type { Calendar, Contract, MessagesPerHour, Person, Roster, Territory } from '../domain/policy.ts';
import { auditContract, auditRoster } from './policy-audit.ts';
import { auditHolidays } from './policy-audit-holidays.ts';
import { CalendarsFile } from './policy-calendars.ts';
import { type Advice, checkCalendars, checkContract, checkRoster, type Objection } from './policy-check.ts';
import { calendarsNamed, checkContractHours, checkHours } from './policy-check-hours.ts';
import { ContractFile } from './policy-contract.ts';
import { RosterFile } from './policy-roster.ts';
import { contractVersion, rosterVersion } from './policy-version.ts';
import { type Finding, type PolicyText, readAs, readYaml } from './policy-yaml.ts';

/** A whole policy, ready to be published. */
export type PolicySet = { contracts: Contract[]; roster: Roster; calendars: Calendar[] };

/** A policy that can be used, with what somebody should look at; or everything that must be mended first. */
export type LoadedPolicy = { kind: 'valid'; policy: PolicySet; warnings: Finding[] } | { kind: 'invalid'; findings: Finding[] };

/** The files of a policy by their path below the folder, as text. */
export type PolicyFiles = Readonly<Record<string, string>>;

/** Reads `contracts/*.yaml`, `roster.yaml` and `calendars.yaml` of a folder. Findings name the files as the caller named the folder. */
export function loadPolicy(folder: string, day?: string): LoadedPolicy {
  const contracts = join(folder, 'contracts');
  const names = existsSync(contracts) ? readdirSync(contracts).filter((name) => /\.ya?ml$/.test(name)) : [];
  const paths = [...names.sort().map((name) => `contracts/${name}`), ...['roster.yaml', 'calendars.yaml'].filter((name) => existsSync(join(folder, name)))];
  return readPolicy(Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])), folder, day);
}

/** As `loadPolicy`, for files that were read already; `folder` is only how findings call them, `day` the local date on which licences must be valid. */
export function readPolicy(files: PolicyFiles, folder = 'policy', day?: string): LoadedPolicy {
  const findings: Finding[] = [];
  const read = <Schema extends z.ZodType>(path: string, schema: Schema): Read<z.output<Schema>> | undefined => readFile(`${folder}/${path}`, files[path], schema, findings);

  const roster = read('roster.yaml', RosterFile);
  const calendars = read('calendars.yaml', CalendarsFile);
  const paths = Object.keys(files).filter((path) => path.startsWith('contracts/'));
  if (paths.length === 0) findings.push(`${folder}/contracts: expected at least one contract such as contracts/roof-inspection.yaml, got nothing`);
  const contracts = paths.flatMap((path) => read(path, ContractFile) ?? []);

  if (calendars !== undefined) findings.push(...object(calendars.text, [...checkCalendars(calendars.value.calendars), ...checkHours(calendars.value.calendars)]));
  if (roster !== undefined && calendars !== undefined) findings.push(...object(roster.text, checkRoster(rosterOf(roster.value), calendars.value.calendars)));
  if (roster !== undefined) for (const contract of contracts) findings.push(...object(contract.text, checkContract(contract.value, roster.value.people)));
  if (calendars !== undefined) for (const contract of contracts) findings.push(...object(contract.text, checkContractHours(contract.value, calendars.value.calendars)));
  contracts.forEach(({ text, value }, index) => {
    if (contracts.findIndex((one) => one.value.name === value.name) !== index) findings.push(text.finding(['contract'], 'expected a name that no other contract has'));
  });

  if (findings.length > 0 || roster === undefined || calendars === undefined) return { kind: 'invalid', findings };
  const policy = versioned(
    contracts.map((one) => one.value),
    rosterOf(roster.value),
    calendars.value.calendars,
  );
  const warn = ({ text }: { text: PolicyText }, advice: readonly Advice[]) => advice.map(({ path, sentence, rule }) => text.warning(path, sentence, rule));
  const ofContracts = contracts.flatMap((one, index) => {
    const contract = policy.contracts[index];
    return contract === undefined ? [] : warn(one, auditContract({ contract, roster: policy.roster, calendars: policy.calendars }, day));
  });
  return { kind: 'valid', policy, warnings: [...warn(roster, auditRoster(policy.roster)), ...warn(calendars, auditHolidays(calendars.text, day)), ...ofContracts] };
}

type Written = { people: Person[]; territories?: Territory[] | undefined; messagesPerHour?: MessagesPerHour | undefined };
const rosterOf = ({ people, territories, messagesPerHour }: Written): Omit<Roster, 'version'> => ({
  people,
  ...(territories !== undefined && { territories }),
  ...(messagesPerHour !== undefined && { messagesPerHour }),
});

type Read<Value> = { text: PolicyText; value: Value };

function versioned(contracts: Omit<Contract, 'version'>[], roster: Omit<Roster, 'version'>, calendars: Calendar[]): PolicySet {
  return {
    contracts: contracts.map((contract) => withHours(contract, calendars)).map((contract) => ({ ...contract, version: contractVersion(contract, calendars) })),
    roster: { version: rosterVersion(roster.people, roster.territories, roster.messagesPerHour), ...roster },
    calendars,
  };
}

/** A contract keeps the hours it names, so that handoffs under way do not change theirs with the next calendars. */
function withHours(contract: Omit<Contract, 'version'>, calendars: Calendar[]): Omit<Contract, 'version'> {
  const hours = calendarsNamed(contract, calendars);
  return hours.length === 0 ? contract : { ...contract, hours };
}

function readFile<Schema extends z.ZodType>(file: string, content: string | undefined, schema: Schema, findings: Finding[]): Read<z.output<Schema>> | undefined {
  if (content === undefined) {
    findings.push(`${file}: expected this file, got nothing`);
    return undefined;
  }
  const yaml = readYaml(file, content);
  if (yaml.kind === 'invalid') {
    findings.push(...yaml.findings);
    return undefined;
  }
  const result = readAs(schema, yaml.text);
  if (result.kind === 'invalid') {
    findings.push(...result.findings);
    return undefined;
  }
  return { text: yaml.text, value: result.value };
}

const object = (text: PolicyText, objections: readonly Objection[]): Finding[] => objections.map(({ path, expected, rule }) => text.finding(path, expected, rule));
