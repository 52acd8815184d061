import { PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailboxPage } from '../../../infra/local/pages/mailbox.ts';
import { email } from '../../../infra/local/services/ses.ts';
import { textMessages } from '../../../infra/local/services/sms.ts';
import { clientSettings, type ServedAws, serveAws } from '../../support/local-http.ts';
import { aKernel, aResource, type LocalKernel } from '../../support/local-kernel.ts';

type ServiceEvent = { source: string; detailType: string; resources: string[]; detail: unknown };

let kernel: LocalKernel;
let served: ServedAws;
let events: ServiceEvent[];
let asked: [string, string][];
let mail: ReturnType<typeof email>;

beforeEach(async () => {
  events = [];
  asked = [];
  kernel = aKernel({
    services: { events: { putServiceEvent: async (event) => void events.push(event) } },
    authorize: (_caller, action, resource) => void asked.push([action, resource]),
  });
  mail = email(kernel);
  served = await serveAws([mail, textMessages(kernel)]);
});
afterEach(() => served.close());

const sendEmail = (to: string, over: object = {}) =>
  new SESv2Client(clientSettings(served.endpoint)).send(
    new SendEmailCommand({
      FromEmailAddress: 'Baton <handoffs@roof.example>',
      Destination: { ToAddresses: [to] },
      Content: {
        Simple: {
          Subject: { Data: 'A lead for you' },
          Body: { Text: { Data: 'Answer: https://b.example/a/X1.' }, Html: { Data: '<a href="https://b.example/a/X1?x=1&amp;y=2">Answer</a>' } },
        },
      },
      ...over,
    }),
  );
const sendText = (over: object = {}) =>
  new PinpointSMSVoiceV2Client(clientSettings(served.endpoint)).send(
    new SendTextMessageCommand({ DestinationPhoneNumber: '+12025550123', OriginationIdentity: '+15550100000', MessageBody: 'Lead: https://b.example/a/Y2', ...over }),
  );
const inbox = () => JSON.parse(mailboxPage(kernel.db, 'application/json').body) as { id: string }[];

describe('a message', () => {
  it('by mail lies in the mailbox with its links', async () => {
    const { MessageId } = await sendEmail('Ana <ana@roof.example>');
    expect(MessageId).toMatch(/^0100/);
    expect(inbox()).toEqual([
      {
        id: '1',
        channel: 'email',
        to: 'ana@roof.example',
        subject: 'A lead for you',
        text: 'Answer: https://b.example/a/X1.',
        html: '<a href="https://b.example/a/X1?x=1&amp;y=2">Answer</a>',
        links: ['https://b.example/a/X1', 'https://b.example/a/X1?x=1&y=2'],
        sentAt: '2026-03-02T10:00:00.000Z',
      },
    ]);
  });

  it('by text message lies there too, newest first, and survives a restart', async () => {
    await sendEmail('ana@roof.example');
    await sendText();
    kernel = kernel.restarted();
    expect(inbox()).toMatchObject([{ id: '2', channel: 'sms', to: '+12025550123', links: ['https://b.example/a/Y2'] }, { id: '1' }]);
  });

  it('needs the right for its sender', async () => {
    await mail.provision(aResource('AWS::SES::EmailIdentity', 'Identity', { EmailIdentity: 'roof.example' }));
    await mail.provision(aResource('AWS::SES::ConfigurationSet', 'Set', { Name: 'handoffs' }));
    await sendEmail('ana@roof.example', { ConfigurationSetName: 'handoffs' });
    await sendText();
    expect(asked).toEqual([
      ['ses:SendEmail', 'arn:aws:ses:us-east-1:000000000000:identity/roof.example'],
      ['ses:SendEmail', 'arn:aws:ses:us-east-1:000000000000:configuration-set/handoffs'],
      ['sms-voice:SendTextMessage', 'arn:aws:sms-voice:us-east-1:000000000000:phone-number/+15550100000'],
    ]);
  });
});

describe('what SES tells the bus', () => {
  beforeEach(async () => {
    await mail.provision(aResource('AWS::SES::ConfigurationSet', 'Set', { Name: 'handoffs' }));
  });
  const destination = (MatchingEventTypes: string[]) =>
    mail.provision(
      aResource('AWS::SES::ConfigurationSetEventDestination', 'D', {
        ConfigurationSetName: 'handoffs',
        EventDestination: { MatchingEventTypes, EventBridgeDestination: { EventBusArn: 'arn:aws:events:us-east-1:000000000000:event-bus/default' } },
      }),
    );

  it.each([
    ['a@bounce.example', 'General'],
    ['a@suppressed.example', 'OnAccountSuppressionList'],
  ])('%s bounces, and the mailbox does not hold it', async (to, bounceSubType) => {
    await destination(['bounce']);
    const { MessageId } = await sendEmail(to, { ConfigurationSetName: 'handoffs', EmailTags: [{ Name: 'reference', Value: 'r1' }] });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      source: 'aws.ses',
      detailType: 'Email Bounced',
      resources: ['arn:aws:ses:us-east-1:000000000000:configuration-set/handoffs'],
      detail: {
        eventType: 'Bounce',
        bounce: { bounceType: 'Permanent', bounceSubType, bouncedRecipients: [{ emailAddress: to }] },
        mail: { messageId: MessageId, destination: [to], tags: { reference: ['r1'], 'ses:configuration-set': ['handoffs'] } },
      },
    });
    expect(inbox()).toEqual([]);
    expect(mailboxPage(kernel.db, 'text/html').body).toContain('Not delivered');
  });

  it('only what the configuration set asks for, as on AWS', async () => {
    await sendEmail('a@bounce.example', { ConfigurationSetName: 'handoffs' });
    expect(events).toEqual([]);
    await destination(['SEND', 'DELIVERY']);
    await sendEmail('ana@roof.example', { ConfigurationSetName: 'handoffs' });
    expect(events.map((event) => event.detailType)).toEqual(['Email Sent', 'Email Delivered']);
  });
});

describe('what is refused', () => {
  it('a sender that is not verified, once the template names identities', async () => {
    await mail.provision(aResource('AWS::SES::EmailIdentity', 'Identity', { EmailIdentity: 'other.example' }));
    await expect(sendEmail('ana@roof.example')).rejects.toMatchObject({ name: 'MessageRejected' });
  });

  it.each([
    ['no recipient', { Destination: {} }, /recipient/],
    ['an address that is none', { Destination: { ToAddresses: ['ana'] } }, /Invalid email address/],
    ['an unknown configuration set', { ConfigurationSetName: 'nope' }, /does not exist/],
    ['raw content', { Content: { Raw: { Data: Buffer.from('x') } } }, /does not support Raw/],
    ['an empty body', { Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: '' } } } } }, /empty/],
    ['a subject that smuggles a header', { Content: { Simple: { Subject: { Data: 's\r\nBcc: x' }, Body: { Text: { Data: 't' } } } } }, /line break/],
  ])('%s', async (_name, over, message) => {
    await expect(sendEmail('ana@roof.example', over)).rejects.toThrow(message);
    expect(inbox()).toEqual([]);
  });

  it('a text message to something that is no number, or without words', async () => {
    await expect(sendText({ DestinationPhoneNumber: '5550123' })).rejects.toThrow(/E.164/);
    await expect(sendText({ MessageBody: 'x'.repeat(1601) })).rejects.toThrow(/characters/);
    await sendText({ DryRun: true });
    expect(inbox()).toEqual([]);
  });
});
