import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import type { Sent, Sms, SmsSender } from '../ports/message-sender.ts';
import { neverLeft } from './never-left.ts';
import { type Pacing, pacedSend } from './paced-send.ts';

/** Answers that say the message was not and will not be sent: a number that is none, or whose holder opted out. */
const REFUSED: ReadonlySet<string> = new Set(['ValidationException', 'ConflictException']);

/** Answers that say nothing was taken, for a reason that has to do with the account or the moment, not with this message (MS-05). */
const NOT_TAKEN: ReadonlySet<string> = new Set(['ThrottlingException', 'ServiceQuotaExceededException', 'AccessDeniedException', 'ResourceNotFoundException']);

/** Text messages through AWS End User Messaging. One attempt a call, as with e-mail (MS-05). */
export function smsVoiceSmsSender(from: string, client = new PinpointSMSVoiceV2Client({ maxAttempts: 1 }), pacing?: Pacing): SmsSender {
  return {
    send: (sms) => pacedSend(() => once(sms), pacing),
  };

  async function once({ to, text, reference }: Sms): Promise<Sent> {
    try {
      const { MessageId } = await client.send(
        new SendTextMessageCommand({ DestinationPhoneNumber: to, OriginationIdentity: from, MessageBody: text, MessageType: 'TRANSACTIONAL', Context: { reference } }),
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
