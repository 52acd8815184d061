import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import type { Sms, SmsSender } from '../ports/message-sender.ts';
import { askProvider } from './ask-provider.ts';
import { type Pacing, pacedSend } from './paced-send.ts';

/** Answers that say the message was not and will not be sent: a number that is none, or whose holder opted out. */
const REFUSED: ReadonlySet<string> = new Set(['ValidationException', 'ConflictException']);

/** Answers that say nothing was taken, for a reason that has to do with the account or the moment, not with this message (MS-05). */
const NOT_TAKEN: ReadonlySet<string> = new Set(['ThrottlingException', 'ServiceQuotaExceededException', 'AccessDeniedException', 'ResourceNotFoundException']);
const ANSWERS = { refused: REFUSED, notTaken: NOT_TAKEN };

/** Text messages through AWS End User Messaging. One attempt a call, as with e-mail (MS-05). */
export function smsVoiceSmsSender(from: string, client = new PinpointSMSVoiceV2Client({ maxAttempts: 1 }), pacing?: Pacing): SmsSender {
  const commandFor = ({ to, text, reference }: Sms) =>
    new SendTextMessageCommand({ DestinationPhoneNumber: to, OriginationIdentity: from, MessageBody: text, MessageType: 'TRANSACTIONAL', Context: { reference } });
  return { send: (sms) => pacedSend(() => askProvider(() => client.send(commandFor(sms)), ANSWERS), pacing) };
}
