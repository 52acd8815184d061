// baton ready: whether a Baton on AWS may really send, before customers depend on it.

import { parseArgs } from 'node:util';
import { PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { dynamodbPolicyBook } from '../../shared/adapters/dynamodb-policy-book.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { type Command, UsageError } from '../command.ts';
import { findInstallation, INSTALLATION_HELP, INSTALLATION_OPTIONS } from '../installation.ts';
import { type Finding, mailReadiness, textReadiness } from '../readiness.ts';

const HELP = `baton ready [--json]

Looks whether the account of a Baton on AWS may send for real: SES out of its sandbox and the sender verified, text
messages out of theirs and their number registered. It sends nothing and changes nothing; put it after "cdk deploy".
It needs ses:GetAccount, ses:GetEmailIdentity, sms-voice:DescribePhoneNumbers, sms-voice:DescribeAccountAttributes.

  --json           the same as JSON
${INSTALLATION_HELP}

Exit status: 0 everything is ready, 1 something is not, 2 wrong usage, 3 it could not be found out.`;

export const ready: Command = {
  name: 'ready',
  summary: 'whether an installation on AWS may send for real',
  help: HELP,
  async run(args, output) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { ...INSTALLATION_OPTIONS, json: { type: 'boolean' } } });
    if (positionals.length > 0) throw new UsageError('takes no names, only options.');
    const { outputs, urls } = findInstallation(values);
    if (urls !== undefined) {
      output.line('This Baton runs here and sends nothing out: its mailbox takes every message. Ask about one on AWS with --outputs FILE.');
      return 0;
    }
    const { TableName, MailFrom, SmsFrom } = outputs;
    if (MailFrom === undefined || SmsFrom === undefined) throw new UsageError('the outputs lack MailFrom and SmsFrom; deploy this version of Baton first.');
    const { people } = (await dynamodbPolicyBook(dynamodbTable(TableName)).active()).roster;
    const numbers = people.flatMap(({ sms }) => sms ?? []);
    const findings = [...(await mailReadiness(new SESv2Client({}), MailFrom)), ...(await textReadiness(new PinpointSMSVoiceV2Client({}), SmsFrom, numbers))];
    output.line(values.json === true ? JSON.stringify(findings, null, 2) : findings.map(lineOf).join('\n'));
    return findings.some(({ stops }) => stops !== undefined) ? 1 : 0;
  },
};

const lineOf = ({ about, found, stops }: Finding): string => `${stops === undefined ? 'ready ' : 'NOT   '} ${about}: ${found}${stops === undefined ? '' : ` (${stops})`}`;
