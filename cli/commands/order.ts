// baton reassign, withdraw, away, takeover: orders of staff, put on the bus like anybody's.

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { eventbridgeEventBus } from '../../shared/adapters/eventbridge-event-bus.ts';
import { type Order, OrderEvent } from '../../shared/contracts/order-event.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS, timeOf } from '../installation.ts';

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** Reads one order from the words and options of a command line; `now` is the installation's time. */
type Reader = (subject: string, values: Values, now: string) => unknown;

const OPTIONS = {
  ...INSTALLATION_OPTIONS,
  by: { type: 'string' },
  to: { type: 'string' },
  why: { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  contract: { type: 'string' },
  contact: { type: 'string' },
  'customer-only': { type: 'boolean' },
} as const;
const DONE = 'Ordered. What came of it is in the receipts: baton show HANDOFF.';

function order(name: string, summary: string, usage: string, read: Reader): Command {
  const help = `baton ${usage}\n\n${summary[0]?.toUpperCase()}${summary.slice(1)}.\n\n${INSTALLATION_HELP}`;
  return {
    name,
    summary,
    help,
    async run(args, output) {
      const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
      const [subject] = positionals;
      if (subject === undefined || positionals.length > 1) throw new UsageError(`write: baton ${usage}`);
      const installation = findInstallation(values);
      const parsed = OrderEvent.safeParse({ schemaVersion: '1', orderId: `cli-${randomUUID()}`, order: read(subject, values, await timeOf(installation)) });
      if (!parsed.success) throw new UsageError(`${parsed.error.issues.map((issue) => issue.path.slice(1).join('.')).join(', ')} is missing or wrong; write: baton ${usage}`);
      await eventbridgeEventBus(installation.outputs.BusName).publish([{ source: 'baton.ops', detailType: parsed.data.order.kind, detail: parsed.data }]);
      output.line(DONE);
      return 0;
    },
  };
}

const given = ({ why }: Values) => (typeof why === 'string' ? { why } : {});
const kind = <Kind extends Order['kind']>(name: Kind) => ({ kind: name });

export const reassign = order(
  'reassign',
  'ask another person, instead of whoever is asked or owns it',
  'reassign HANDOFF --by PERSON --to PERSON [--why TEXT]',
  (handoffId, values) => ({
    ...kind('handoff.reassign'),
    handoffId,
    by: values.by,
    to: values.to,
    ...given(values),
  }),
);

export const withdraw = order('withdraw', 'end a handoff that nobody needs any more', 'withdraw HANDOFF --by PERSON [--why TEXT]', (handoffId, values) => ({
  ...kind('handoff.withdraw'),
  handoffId,
  by: values.by,
  ...given(values),
}));

export const away = order('away', 'say that a person cannot answer: what they hold goes on at once', 'away PERSON --until INSTANT [--from INSTANT]', (person, values, now) => ({
  ...kind('person.unavailable'),
  person,
  from: values.from ?? now,
  until: values.until,
}));

const scopeOf = ({ contract, contact }: Values) =>
  typeof contract === 'string' ? { of: 'contract', contract } : typeof contact === 'string' ? { of: 'contact', contactRef: contact } : { of: 'all' };

export const pause = order(
  'pause',
  'stop sending; clocks, receipts and answers go on',
  'pause REASON --by PERSON [--contract NAME | --contact REF] [--customer-only]',
  (_reason, values) => ({
    ...kind('sending.pause'),
    by: values.by,
    scope: scopeOf(values),
    audience: values['customer-only'] === true ? 'customers' : 'everyone',
  }),
);

export const resume = order('resume', 'send again what is still wanted', 'resume REASON --by PERSON [--contract NAME | --contact REF]', (_reason, values) => ({
  ...kind('sending.resume'),
  by: values.by,
  scope: scopeOf(values),
}));

export const takeover = order('takeover', 'say that a person works with the customer: automation steps aside', 'takeover HANDOFF --by PERSON', (handoffId, values) => ({
  ...kind('human.takeover'),
  handoffId,
  person: values.by,
}));
