// baton redrive: what waits in the dead-letter queues, given once more to the function that should have had it (OP-02), and the workflow of one handoff.

import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamodbHandoffReader } from '../../shared/adapters/dynamodb-handoff-reader.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { wall } from '../../shared/domain/report.ts';
import type { HandoffReader } from '../../shared/ports/handoff-store.ts';
import { type Command, type Output, UsageError } from '../command.ts';
import { type DeadLetter, receiveDeadLetters, release, takeAway } from '../dead-letters.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS } from '../installation.ts';
import { redriveWorkflow } from '../redrive-workflow.ts';
import { knownZone, ZONE_HELP, ZONE_OPTION } from '../zone.ts';

const HELP = `baton redrive [--run] [--zone ZONE]
baton redrive HANDOFF [--zone ZONE]

Lists what waits in the dead-letter queues: where from, what went wrong, and how the handoff it is about stands now.
Nothing changes until you add --run.

With a handoff: shows where it stands, and sees to it that a workflow waits for it. One that failed, timed out or was stopped
goes on from the step it ended at; where AWS allows that no longer, a replacement starts, as reconcile would do within five
minutes. One that runs is left alone, and so is a handoff that needs none, so it may be said twice. No receipt is written:
the handoff itself does not change.

  --run            give each message once more to the function it was meant for, then take it out of its queue. Functions
                   know what they have done before: nothing happens twice
${ZONE_HELP}
${INSTALLATION_HELP}

Exit status: 0 nothing is left, or a workflow waits or is not needed; 1 something waits, or there is no such handoff; 2 wrong usage, 3 something failed.`;

export const redrive: Command = {
  name: 'redrive',
  summary: 'what failed for good: look at it, and try it once more',
  help: HELP,
  async run(args, output) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, ...ZONE_OPTION, run: { type: 'boolean' } } });
    const [name] = positionals;
    if (positionals.length > 1) throw new UsageError('name one handoff, or none for what waits in the dead-letter queues.');
    if (name !== undefined && values.run !== undefined) throw new UsageError('--run is for the dead-letter queues; with a handoff leave it out.');
    const zone = knownZone(values.zone);
    const installation = findInstallation(values);
    if (name !== undefined) return redriveWorkflow(installation, name, zone, output);
    const { TableName } = installation.outputs;
    const sqs = new SQSClient({});
    const letters = await receiveDeadLetters(sqs, TableName.slice(0, TableName.indexOf('-') + 1));
    if (letters.length === 0) output.line('Nothing waits in any dead-letter queue.');
    let left = 0;
    for (const letter of letters) {
      await show({ letter, zone, handoffs: dynamodbHandoffReader(dynamodbTable(TableName)) }, output);
      if (values.run === true && (await gaveAgain(sqs, letter, output))) continue;
      await release(sqs, letter);
      left += 1;
    }
    if (left > 0 && values.run !== true) output.line(`${left} ${left === 1 ? 'message waits' : 'messages wait'}. Mend what failed, then: baton redrive --run`);
    return left === 0 ? 0 : 1;
  },
};

type Shown = { letter: DeadLetter; zone: string; handoffs: Pick<HandoffReader, 'load'> };

/** The message, and the row as it is now: what was wanted then may be over (SF-23). */
async function show({ letter: { queue, sentAt, error, to, about }, zone, handoffs }: Shown, output: Output): Promise<void> {
  output.line(`${wall(sentAt, zone)}  ${queue}`);
  output.line(`    for ${to === undefined ? 'nobody: it names no event' : to.functionArn.slice(to.functionArn.lastIndexOf(':') + 1)}; ${error}`);
  if (about === undefined) return;
  const handoff = (await handoffs.load(about))?.handoff;
  output.line(handoff === undefined ? `    ${about} does not exist` : `    ${about} is ${handoff.state}, custodian ${handoff.custodian}, since ${wall(handoff.changedAt, zone)}`);
}

async function gaveAgain(sqs: SQSClient, letter: DeadLetter, output: Output): Promise<boolean> {
  if (letter.to === undefined) {
    output.line('    left where it is: the stream names records and holds none; reconcile sends what is missing');
    return false;
  }
  const { functionArn, payload } = letter.to;
  await new LambdaClient({}).send(new InvokeCommand({ FunctionName: functionArn, InvocationType: 'Event', Payload: payload }));
  await takeAway(sqs, letter);
  output.line('    given again');
  return true;
}
