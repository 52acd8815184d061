// Every decision and every wait of a contract with who answers for it, how long, and what comes after (C-03).

import type { AskStep, Contract, Responsible, Window } from '../../shared/domain/policy.ts';

/** The map as lines of a table: what, who, backup, how long, what then. */
export function ownershipMap(contract: Contract): string[] {
  const { name, changeOwner, intakeLead, responsible, ask, accept, exceptions, clarification } = contract;
  const rows: string[][] = [
    [`contract ${name}`, 'who', 'backup', 'how long', 'then'],
    ['change of this contract', changeOwner, '', '', ''],
    ...Object.entries(responsible).map(([job, one]) => [job, whoOf(one), one.backup, '', '']),
    ['custodian until a yes', intakeLead.person, intakeLead.backup, '', ''],
    ...ask.map((step, index) => [
      `offer, step ${index + 1}`,
      askedOf(step),
      'the next eligible',
      lengthOf(step.window),
      index + 1 < ask.length ? `step ${index + 2}` : 'nobody-answered',
    ]),
    ...(clarification === undefined
      ? []
      : [
          [
            'question to an offer',
            clarification.answeredBy === 'intake' ? intakeLead.person : clarification.answeredBy,
            '',
            lengthOf(clarification.expires),
            'clarification-expired',
          ],
        ]),
    ['promised next step', 'whoever said yes', '', `due, then ${lengthOf(accept.ifOverdue.grace)}`, accept.ifOverdue.class],
    ...Object.entries(exceptions).flatMap(([kind, rule]) =>
      rule === undefined ? [] : [[`exception ${kind}`, rule.owner, rule.backup, lengthOf(rule.respond), `${rule.escalateTo}, review ${lengthOf(rule.review)}`]],
    ),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

const whoOf = (one: Responsible): string => ('person' in one ? one.person : `any ${one.role}`);
const askedOf = ({ role, order, people }: AskStep): string => `${people === undefined ? `any ${role}` : people.join(', ')} (${order})`;

function lengthOf(window: Window): string {
  const of = window.calendar === undefined ? '' : ` of ${window.calendar}`;
  if ('days' in window) return `${window.days} days${of}`;
  return `${window.seconds % 3600 === 0 ? `${window.seconds / 3600}h` : window.seconds % 60 === 0 ? `${window.seconds / 60}m` : `${window.seconds}s`}${of}`;
}
