import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Email, EmailSender } from '../ports/message-sender.ts';
import { askProvider } from './ask-provider.ts';
import { type Pacing, pacedSend } from './paced-send.ts';

/** Answers of SES that say it did not and will not send this message. */
const REFUSED: ReadonlySet<string> = new Set(['MessageRejected', 'BadRequestException']);

/** Answers of SES that say it took nothing, for a reason that has to do with the account or the hour, not with this message (MS-05). */
const NOT_TAKEN: ReadonlySet<string> = new Set([
  'TooManyRequestsException',
  'ThrottlingException',
  'LimitExceededException',
  'SendingPausedException',
  'AccountSuspendedException',
  'MailFromDomainNotVerifiedException',
  'AccessDeniedException',
]);
const ANSWERS = { refused: REFUSED, notTaken: NOT_TAKEN };

/**
 * E-mail through SES, from one address, without click or open tracking (LK-26). One attempt a call: the SDK's own retry
 * could send twice when an answer got lost (MS-05). What its rate refuses is asked again for some seconds (OP-10).
 */
export function sesv2EmailSender(
  { from, configurationSet }: { from: string; configurationSet: string },
  client: Pick<SESv2Client, 'send'> = new SESv2Client({ maxAttempts: 1 }),
  pacing?: Pacing,
): EmailSender {
  const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
  const commandFor = ({ to, subject, text, html, reference }: Email) => {
    const message = { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) }, Headers: [{ Name: 'X-Baton-Reference', Value: reference }] };
    return new SendEmailCommand({ ...published(configurationSet, reference), FromEmailAddress: from, Destination: { ToAddresses: [to] }, Content: { Simple: message } });
  };
  return { send: (email) => pacedSend(() => askProvider(() => client.send(commandFor(email)), ANSWERS), pacing) };
}

/** Through the configuration set SES says on the default bus what became of the mail; the tag says which mail it was. Tags take few characters, hence base64url. */
const published = (ConfigurationSetName: string, reference: string) => ({
  ConfigurationSetName,
  EmailTags: [{ Name: 'baton-reference', Value: Buffer.from(reference, 'utf8').toString('base64url') }],
});
