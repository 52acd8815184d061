// How the answers of the providers are told apart: sent, refused for good, or unclear.

import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import { sesv2EmailSender } from '../../shared/adapters/sesv2-email-sender.ts';
import { smsVoiceSmsSender } from '../../shared/adapters/sms-voice-sms-sender.ts';

const email = { to: 'rosa@roof.example', subject: 'Will you take it?', text: 'plain', html: '<p>page</p>', reference: 'h-1:offer:1:email' };
const sms = { to: '+15035550101', text: 'New request', reference: 'h-1:offer:1:sms' };
const named = (name: string) => Object.assign(new Error(name), { name });

const AT_ONCE = { pause: async () => undefined, random: () => 0.5 };

describe('SES', () => {
  const mock = mockClient(SESv2Client);
  const { send } = sesv2EmailSender({ from: 'baton@roof.example', configurationSet: 'reports' }, new SESv2Client({ region: 'us-west-2', maxAttempts: 1 }), AT_ONCE);

  test('an e-mail goes out in both forms, with its reference and no tracking of its own', async () => {
    mock.reset();
    mock.on(SendEmailCommand).resolves({ MessageId: 'm-1' });
    expect(await send(email)).toEqual({ kind: 'sent', providerId: 'm-1' });
    const input = mock.commandCalls(SendEmailCommand)[0]?.args[0].input;
    expect(input).toMatchObject({ FromEmailAddress: 'baton@roof.example', Destination: { ToAddresses: ['rosa@roof.example'] } });
    expect(input).toMatchObject({ ConfigurationSetName: 'reports', EmailTags: [{ Name: 'baton-reference', Value: Buffer.from(email.reference).toString('base64url') }] });
    expect(input?.Content?.Simple).toMatchObject({
      Body: { Text: { Data: 'plain', Charset: 'UTF-8' }, Html: { Data: '<p>page</p>' } },
      Headers: [{ Name: 'X-Baton-Reference', Value: email.reference }],
    });
  });

  test('MS-13: no header offers a one-click unsubscribe that a gateway could follow, and SES adds none of its own', async () => {
    mock.reset();
    mock.on(SendEmailCommand).resolves({ MessageId: 'm-1' });
    await send(email);
    const input = mock.commandCalls(SendEmailCommand)[0]?.args[0].input;
    expect(input?.Content?.Simple?.Headers?.map(({ Name }) => Name)).toEqual(['X-Baton-Reference']);
    expect(input).not.toHaveProperty('ListManagementOptions');
  });

  test.each(['MessageRejected', 'BadRequestException'])('%s is a refusal', async (name) => {
    mock.reset();
    mock.on(SendEmailCommand).rejects(named(name));
    expect(await send(email)).toEqual({ kind: 'refused', because: name });
  });

  test.each(['TooManyRequestsException', 'SendingPausedException', 'AccountSuspendedException', 'AccessDeniedException'])('MS-05: %s says that nothing was taken', async (name) => {
    mock.reset();
    mock.on(SendEmailCommand).rejects(named(name));
    expect(await send(email)).toEqual({ kind: 'not-taken', because: name });
  });

  test.each(['ECONNREFUSED', 'ENOTFOUND'])('MS-05: after %s nothing can have left', async (code) => {
    mock.reset();
    mock.on(SendEmailCommand).rejects(Object.assign(new Error('no connection'), { code }));
    expect(await send(email)).toEqual({ kind: 'not-taken', because: code });
  });

  test.each(['TimeoutError', 'ECONNRESET', 'InternalServiceErrorException'])('%s leaves the outcome open, so it is thrown', async (name) => {
    mock.reset();
    mock.on(SendEmailCommand).rejects(named(name));
    await expect(send(email)).rejects.toThrow(name);
    expect(mock.commandCalls(SendEmailCommand)).toHaveLength(1);
  });
});

describe('End User Messaging', () => {
  const mock = mockClient(PinpointSMSVoiceV2Client);
  const { send } = smsVoiceSmsSender('+15035550100', new PinpointSMSVoiceV2Client({ region: 'us-west-2', maxAttempts: 1 }), AT_ONCE);

  test('a text message goes out as transactional, with its reference', async () => {
    mock.reset();
    mock.on(SendTextMessageCommand).resolves({ MessageId: 'm-2' });
    expect(await send(sms)).toEqual({ kind: 'sent', providerId: 'm-2' });
    expect(mock.commandCalls(SendTextMessageCommand)[0]?.args[0].input).toEqual({
      DestinationPhoneNumber: '+15035550101',
      OriginationIdentity: '+15035550100',
      MessageBody: 'New request',
      MessageType: 'TRANSACTIONAL',
      Context: { reference: sms.reference },
    });
  });

  test.each(['ValidationException', 'ConflictException'])('%s is a refusal', async (name) => {
    mock.reset();
    mock.on(SendTextMessageCommand).rejects(named(name));
    expect(await send(sms)).toEqual({ kind: 'refused', because: name });
  });

  test.each(['ThrottlingException', 'ServiceQuotaExceededException'])('MS-05: %s says that nothing was taken', async (name) => {
    mock.reset();
    mock.on(SendTextMessageCommand).rejects(named(name));
    expect(await send(sms)).toEqual({ kind: 'not-taken', because: name });
  });

  test.each(['InternalServerException', 'TimeoutError'])('%s is thrown', async (name) => {
    mock.reset();
    mock.on(SendTextMessageCommand).rejects(named(name));
    await expect(send(sms)).rejects.toThrow(name);
  });
});
