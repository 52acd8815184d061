import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Email, EmailSender, Sent } from '../ports/message-sender.ts';
import { neverLeft } from './never-left.ts';
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
  return {
    send: (email) => pacedSend(() => once(email), pacing),
  };

  async function once({ to, subject, text, html, reference }: Email): Promise<Sent> {
    const message = { Subject: utf8(subject), Body: { Text: utf8(text), Html: utf8(html) }, Headers: [{ Name: 'X-Baton-Reference', Value: reference }] };
    try {
      const { MessageId } = await client.send(
        new SendEmailCommand({ ...published(configurationSet, reference), FromEmailAddress: from, Destination: { ToAddresses: [to] }, Content: { Simple: message } }),
      );
      return { kind: 'sent', providerId: MessageId ?? '' };
    } catch (error) {
      if (error instanceof Error && REFUSED.has(error.name)) return { kind: 'refused', because: error.name };
      const because = error instanceof Error && NOT_TAKEN.has(error.name) ? error.name : neverLeft(error);
      if (because !== undefined) return { kind: 'not-taken', because };
      throw error;
    }
  }
}

/** Through the configuration set SES says on the default bus what became of the mail; the tag says which mail it was. Tags take few characters, hence base64url. */
const published = (ConfigurationSetName: string, reference: string) => ({
  ConfigurationSetName,
  EmailTags: [{ Name: 'baton-reference', Value: Buffer.from(reference, 'utf8').toString('base64url') }],
});
