// Mail that arrives, and what mail services report: only what is theirs is believed, and nobody is muted by a forged sender.

import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answerTo } from '../../functions/receive-webhook/answer.ts';
import { receiveWebhook } from '../../functions/receive-webhook/receive-webhook.ts';
import { AnnouncementEvent } from '../../shared/contracts/announcement-event.ts';
import { parse } from '../../shared/contracts/contract-error.ts';
import { SignalEvent } from '../../shared/contracts/signal-event.ts';
import type { Announcement } from '../../shared/domain/announcement.ts';
import type { FetchText } from '../../shared/ports/signal-source.ts';
import { awsAnnouncements } from '../../shared/sources/aws-delivery.ts';
import { mailgun } from '../../shared/sources/mailgun.ts';
import { postmark } from '../../shared/sources/postmark.ts';
import { type Provider, sourceOf } from '../../shared/sources/provider.ts';
import { sendgrid } from '../../shared/sources/sendgrid.ts';
import { sns } from '../../shared/sources/sns.ts';
import { isCertificateUrl, isConfirmationUrl, signedText } from '../../shared/sources/verify/sns-signature.ts';
import { memoryEventBus, memoryRawShelf } from '../support/memory-outside.ts';
import bounced from './fixtures/ses-eventbridge_bounced.json' with { type: 'json' };
import delivered from './fixtures/ses-eventbridge_delivered.json' with { type: 'json' };
import recorded from './fixtures/webhook-vectors-mail.json' with { type: 'json' };

type Change = { rawBody?: string; headers?: Record<string, string | null>; clock?: { nowUnix: number } };
type Negative = Change & { name: string; manual?: boolean };
type Vector = { id: string; url: string; headers: Record<string, string>; rawBody: string; nowUnix: number; secret: string; negatives: Negative[] };
const vectors = recorded.vectors as unknown as Vector[];
const vector = (id: string): Vector => {
  const found = vectors.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no vector ${id}`);
  return found;
};

/** The intake with one provider; every address that is fetched is noted. */
function anIntake(provider: Provider, secrets: readonly string[], answer: FetchText = async () => recorded.certificatePem) {
  const bus = memoryEventBus();
  const fetched: string[] = [];
  return {
    bus,
    fetched,
    async take({ url, headers, rawBody, nowUnix }: Vector, change: Change = {}) {
      const now = new Date((change.clock?.nowUnix ?? nowUnix) * 1000).toISOString();
      const kept = Object.entries({ ...headers, ...change.headers }).filter((entry): entry is [string, string] => entry[1] !== null);
      const received = await receiveWebhook(
        {
          sources: new Map([[provider.name, sourceOf(provider, { country: 'US' })]]),
          secrets: { active: async () => secrets },
          bus,
          time: { now: () => now },
          raws: memoryRawShelf(),
          fetchText: async (address) => {
            fetched.push(address);
            return answer(address);
          },
        },
        { method: 'POST', path: `/in/${provider.name}`, url, headers: Object.fromEntries(kept), body: new TextEncoder().encode(change.rawBody ?? rawBody) },
      );
      return { status: answerTo(received).status, received };
    },
    announced: (): Announcement[] =>
      bus.published.flatMap(({ detail, detailType }) => (detailType === 'signal.received' ? [] : [parse(AnnouncementEvent, detail, 'it').announcement as Announcement])),
    signals: () =>
      bus.published.flatMap(({ detail, detailType }) => (detailType === 'signal.received' ? [parse(SignalEvent, JSON.parse(JSON.stringify(detail)), 'it').signal] : [])),
  };
}

const TOPICS = ['arn:aws:sns:us-east-1:111122223333:inbound-mail', 'arn:aws:sns:us-east-1:111122223333:ses-events'];

describe('SNS', () => {
  test('a recorded bounce is a report about the mail and an end to mail at that address', async () => {
    const intake = anIntake(sns, TOPICS);
    expect((await intake.take(vector('ses-bounce_sns_sigv1'))).status).toBe(200);
    expect(intake.signals()).toEqual([]);
    expect(intake.announced()).toEqual([
      {
        kind: 'message.reported',
        provider: 'ses',
        messageId: '0100example-ses-message-0001-000000',
        state: 'bounced',
        occurredAt: '2026-11-30T15:04:01.500Z',
        channel: 'email',
        detail: 'Permanent/General',
      },
      {
        kind: 'contact.opted-out',
        source: 'ses',
        eventId: '0100example-ses-message-0001-000000:Bounce:0100example-bounce-0001',
        occurredAt: '2026-11-30T15:04:01.500Z',
        channel: 'email',
        address: 'dana.whitfield@example.com',
        because: 'hard-bounce',
      },
    ]);
  });

  test('a recorded mail that SES received is the reply it is', async () => {
    const intake = anIntake(sns, TOPICS);
    expect((await intake.take(vector('ses-inbound_sns'))).status).toBe(200);
    expect(intake.signals()).toMatchObject([
      {
        source: 'sns',
        eventId: 'ses-inbound:exampleses0inbound0msg0id0000000000000001',
        kind: 'customer.replied',
        contact: { name: 'Dana Whitfield', email: 'dana.whitfield@example.com' },
        request: { words: 'Yes 4 pm works.' },
      },
    ]);
    expect(intake.announced()).toMatchObject([{ kind: 'customer.replied', thread: 'lead_01JDZ8M3QK' }]);
  });

  const negatives = ['ses-inbound_sns', 'ses-bounce_sns_sigv1'].flatMap((id) =>
    vector(id)
      .negatives.filter(({ manual }) => manual !== true)
      .map((negative) => ({ id, negative, name: negative.name })),
  );
  test.each(negatives)('WH-08: $id: $name: 401, and nothing is fetched', async ({ id, negative }) => {
    const intake = anIntake(sns, TOPICS);
    expect((await intake.take(vector(id), negative)).status).toBe(401);
    expect(intake.fetched).toEqual([]);
  });

  test('WH-08: a topic that is not ours is refused, however well signed', async () => {
    for (const topics of [['arn:aws:sns:us-east-1:111122223333:other'], []]) {
      const intake = anIntake(sns, topics);
      expect([401, 503]).toContain((await intake.take(vector('ses-inbound_sns'))).status);
      expect(intake.bus.published).toEqual([]);
    }
  });

  test('WH-06: a message from more than an hour ago or ahead is refused', async () => {
    for (const nowUnix of [1796051045 + 3700, 1796051045 - 3700]) expect((await anIntake(sns, TOPICS).take(vector('ses-inbound_sns'), { clock: { nowUnix } })).status).toBe(401);
  });

  test('a changed message is refused', async () => {
    const { rawBody } = vector('ses-inbound_sns');
    expect((await anIntake(sns, TOPICS).take(vector('ses-inbound_sns'), { rawBody: rawBody.replace('Yes 4 pm', 'Yes 5 pm') })).status).toBe(401);
  });

  test.each([
    'http://sns.us-east-1.amazonaws.com/SimpleNotificationService-0000testonly0000.pem',
    'https://s3.amazonaws.com/bucket/SimpleNotificationService-0000testonly0000.pem',
    'https://sns.evil.com/SimpleNotificationService-0000testonly0000.pem',
    'https://sns.us-east-1.amazonaws.com.evil.com/SimpleNotificationService-0000testonly0000.pem',
    'https://evil.com/sns.us-east-1.amazonaws.com/SimpleNotificationService-0000testonly0000.pem',
    'https://sns.us-east-1.amazonaws.com@169.254.169.254/SimpleNotificationService-0000testonly0000.pem',
    'https://sns.us-east-1.amazonaws.com:8443/SimpleNotificationService-0000testonly0000.pem',
    'https://sns.us-east-1.amazonaws.com/other/SimpleNotificationService-0000testonly0000.pem',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0000testonly0000.pem?x=https://evil',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0000testonly0000.pem#',
    'https://sns.us-east-1.amazonaws.com\\@evil.com/SimpleNotificationService-0000testonly0000.pem',
    'https://169.254.169.254/SimpleNotificationService-0000testonly0000.pem',
    'https://snsXus-east-1.amazonaws.com/SimpleNotificationService-0000testonly0000.pem',
    undefined,
    7,
  ])('WH-08: %s is no certificate of SNS', (url) => {
    expect(isCertificateUrl(url)).toBe(false);
  });

  test.each(['us-east-1', 'eu-central-1', 'us-gov-west-1', 'ap-southeast-2', 'me-central-1'])('the certificate of %s is one', (region) => {
    expect(isCertificateUrl(`https://sns.${region}.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem`)).toBe(true);
  });

  const topic = 'arn:aws:sns:us-east-1:111122223333:ses-events';
  const token = 'a'.repeat(200);
  test.each([
    [`https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${token}`, true],
    [`https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}x&Token=${token}`, false],
    [`https://sns.us-east-1.amazonaws.com/?Action=DeleteTopic&TopicArn=${topic}&Token=${token}`, false],
    [`http://169.254.169.254/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${token}`, false],
    [`https://sns.us-east-1.amazonaws.com.evil.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${token}`, false],
  ])('WH-08: %s confirms our topic: %s', (url, expected) => {
    expect(isConfirmationUrl(url, topic)).toBe(expected);
  });

  test('WH-08: an unverified confirmation leads nowhere: its address is not opened', async () => {
    const message = {
      Type: 'SubscriptionConfirmation',
      MessageId: 'm1',
      Token: token,
      TopicArn: topic,
      Message: 'x',
      SubscribeURL: 'http://169.254.169.254/latest/meta-data',
      Timestamp: '2026-11-30T15:04:03.112Z',
      SignatureVersion: '1',
      SigningCertURL: 'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0000testonly0000.pem',
      Signature: 'A'.repeat(344),
    };
    const intake = anIntake(sns, TOPICS);
    expect((await intake.take(vector('ses-bounce_sns_sigv1'), { rawBody: JSON.stringify(message) })).status).toBe(401);
    expect(intake.fetched.filter((url) => url.includes('169.254'))).toEqual([]);
    expect(sourceOf(sns, { country: 'US' }).read({ url: '', headers: {}, body: new TextEncoder().encode(JSON.stringify(message)) }, '2026-11-30T15:04:05.000Z')).toEqual({
      kind: 'ignored',
      because: 'a confirmation at an address that is not SNS',
    });
  });

  test('a genuine confirmation is answered after its address was opened; one that does not answer is 503, so SNS comes again', () => {
    const SubscribeURL = `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${token}`;
    const message = { Type: 'SubscriptionConfirmation', MessageId: 'm1', Token: token, TopicArn: topic, Message: 'x', SubscribeURL, Timestamp: '2026-11-30T15:04:03.112Z' };
    const reading = sourceOf(sns, { country: 'US' }).read({ url: '', headers: {}, body: new TextEncoder().encode(JSON.stringify(message)) }, '2026-11-30T15:04:05.000Z');
    expect(reading).toEqual({ kind: 'ignored', because: 'the subscription is confirmed', visit: SubscribeURL });
    expect(signedText(message)).toBe(
      `Message\nx\nMessageId\nm1\nSubscribeURL\n${SubscribeURL}\nTimestamp\n2026-11-30T15:04:03.112Z\nToken\n${token}\nTopicArn\n${topic}\nType\nSubscriptionConfirmation\n`,
    );
  });

  test('MS-15: STOP to the number that Baton texts from comes through SNS and shuts that number', () => {
    const event = { originationNumber: '+12065550143', destinationNumber: '+12065550100', messageBody: 'Stop', inboundMessageId: 'cae173d2-66b9-564c-8309-21f858e9fb84' };
    const message = { Type: 'Notification', Message: JSON.stringify(event), TopicArn: topic, Timestamp: '2026-11-30T15:04:03.112Z' };
    const reading = sourceOf(sns, { country: 'US' }).read({ url: '', headers: {}, body: new TextEncoder().encode(JSON.stringify(message)) }, '2026-11-30T15:04:05.000Z');
    expect(reading).toMatchObject({
      signals: [{ notALead: 'opt-out' }],
      announcements: [{ kind: 'contact.opted-out', channel: 'sms', address: '+12065550143', occurredAt: '2026-11-30T15:04:03.112Z' }],
    });
  });
});

describe('SES on EventBridge', () => {
  const at = '2026-11-30T15:04:05.000Z';
  const tagged = <T extends { mail: { tags: object } }>(detail: T) => ({
    ...detail,
    mail: { ...detail.mail, tags: { ...detail.mail.tags, 'baton-reference': [Buffer.from('h-1:x:1:email').toString('base64url')] } },
  });

  test('O-08: a recorded delivery and bounce name the message that we sent', () => {
    expect(awsAnnouncements('aws.ses', tagged(delivered.detail) as never, at)).toMatchObject([
      { state: 'delivered', occurredAt: '2026-11-30T15:04:00.700Z', reference: 'h-1:x:1:email' },
    ]);
    expect(awsAnnouncements('aws.ses', tagged(bounced.detail) as never, at)).toMatchObject([
      { state: 'bounced', reference: 'h-1:x:1:email' },
      { kind: 'contact.opted-out', because: 'hard-bounce', address: 'dana.whitfield@example.com' },
    ]);
  });

  test('a bounce that passes is a delay and shuts nothing; MS-02: a suppressed address is a bounce', () => {
    const passing = { ...bounced.detail, bounce: { ...bounced.detail.bounce, bounceType: 'Transient' } };
    expect(awsAnnouncements('aws.ses', passing as never, at)).toMatchObject([{ state: 'delayed' }]);
    const suppressed = { ...bounced.detail, bounce: { ...bounced.detail.bounce, bounceSubType: 'OnAccountSuppressionList' } };
    expect(awsAnnouncements('aws.ses', suppressed as never, at)).toMatchObject([{ state: 'bounced', detail: 'Permanent/OnAccountSuppressionList' }, { because: 'hard-bounce' }]);
  });

  test('MS-16: opens and clicks say nothing', () => {
    for (const eventType of ['Open', 'Click', 'Subscription', '', 'constructor']) expect(awsAnnouncements('aws.ses', { ...delivered.detail, eventType } as never, at)).toEqual([]);
  });

  test('MS-06: a text message that failed for good is a failure; "unknown" after three days says nothing', () => {
    const text = (eventType: string) => ({ eventType, messageId: 'm-1', eventTimestamp: 1796051045000, context: { reference: 'h-1:x:1:sms' } });
    expect(awsAnnouncements('aws.sms-voice', text('TEXT_CARRIER_UNREACHABLE'), at)).toMatchObject([
      { provider: 'sms-voice', state: 'failed', reference: 'h-1:x:1:sms', occurredAt: at },
    ]);
    expect(awsAnnouncements('aws.sms-voice', text('TEXT_UNKNOWN'), at)).toEqual([]);
    expect(awsAnnouncements('aws.other', text('TEXT_DELIVERED'), at)).toEqual([]);
  });
});

describe('SendGrid', () => {
  const bounce = vector('sendgrid-event-bounce');
  const inbound = vector('sendgrid-inbound-parse-signed');

  test('the recorded bounce is a report, and an end to mail at that address', async () => {
    const intake = anIntake(sendgrid, [bounce.secret]);
    expect((await intake.take(bounce)).status).toBe(200);
    expect(intake.announced()).toMatchObject([
      { kind: 'message.reported', provider: 'sendgrid', state: 'bounced' },
      { kind: 'contact.opted-out', eventId: 'Ym91bmNlLTAtZXhhbXBsZS0wMDAx', because: 'hard-bounce' },
    ]);
  });

  test('the recorded inbound mail is the reply it is', async () => {
    const intake = anIntake(sendgrid, [inbound.secret]);
    expect((await intake.take(inbound)).status).toBe(200);
    expect(intake.signals()).toMatchObject([{ kind: 'customer.replied', contact: { email: 'dana.whitfield@example.com', name: 'Dana Whitfield' } }]);
    expect(intake.announced()).toMatchObject([{ kind: 'customer.replied', thread: 'lead_01JDZ8M3QK' }]);
  });

  const negatives = [bounce, inbound].flatMap((one) => one.negatives.map((negative) => ({ one, negative, name: `${one.id}: ${negative.name}` })));
  test.each(negatives)('$name: 401', async ({ one, negative }) => {
    expect((await anIntake(sendgrid, [one.secret]).take(one, negative)).status).toBe(401);
  });

  test('a key of another curve or kind, and a second active key', async () => {
    const other = (curve: string) => generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    for (const secrets of [[other('secp384r1')], [other('prime256v1')], ['not a key'], ['A'.repeat(120)]])
      expect((await anIntake(sendgrid, secrets).take(bounce)).status).toBe(401);
    expect((await anIntake(sendgrid, [other('prime256v1'), bounce.secret]).take(bounce)).status).toBe(200);
  });

  test('another signature by the same key is as good: ECDSA is random', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    for (let round = 0; round < 3; round += 1) {
      const signature = sign('sha256', Buffer.from(`${bounce.nowUnix}${bounce.rawBody}`), privateKey).toString('base64');
      expect((await anIntake(sendgrid, [key]).take(bounce, { headers: { 'x-twilio-email-event-webhook-signature': signature } })).status).toBe(200);
    }
  });
});

describe('mail from customers', () => {
  const postmarkMail = (change: object) => {
    const { Headers, ...rest } = JSON.parse(vector('postmark-inbound-reply').rawBody);
    const body = JSON.stringify({ ...rest, Headers, ...change });
    return sourceOf(postmark, { country: 'US' }).read({ url: '', headers: {}, body: new TextEncoder().encode(body) }, '2026-11-30T15:04:05.000Z');
  };

  test.each([
    ['an automatic answer', { Headers: [{ Name: 'Auto-Submitted', Value: 'auto-replied' }] }],
    ['bulk mail', { Headers: [{ Name: 'Precedence', Value: 'bulk' }] }],
    ['a list', { Headers: [{ Name: 'List-Id', Value: '<x.example>' }] }],
    ['out of office', { Subject: 'Out of office: Re: Your request' }],
    ['una respuesta automática', { Subject: 'Respuesta automática: hola' }],
    ['a bounce', { From: 'MAILER-DAEMON@example.com', FromName: 'Mail Delivery' }],
  ])('%s is nobody’s wish', (_name, change) => {
    expect(postmarkMail(change)).toEqual({ kind: 'ignored', because: 'automatic mail' });
  });

  test('a mail to no thread is a message', () => {
    expect(postmarkMail({ OriginalRecipient: 'hello@inbound.example.com', Headers: [] })).toMatchObject({ signals: [{ kind: 'message.received' }], announcements: [] });
  });

  test('MS-10: "unsubscribe" shuts the address when the domain really sent it', () => {
    expect(postmarkMail({ StrippedTextReply: 'Unsubscribe' })).toMatchObject({
      signals: [{ notALead: 'opt-out' }],
      announcements: [{ kind: 'customer.replied' }, { kind: 'contact.opted-out', channel: 'email', address: 'dana.whitfield@example.com', because: 'unsubscribed' }],
    });
    const forged = postmarkMail({
      StrippedTextReply: 'Unsubscribe',
      Headers: [
        { Name: 'Received-SPF', Value: 'SoftFail' },
        { Name: 'In-Reply-To', Value: '<x>' },
      ],
    });
    expect(forged).toMatchObject({ signals: [{ notALead: 'opt-out' }], announcements: [{ kind: 'customer.replied' }] });
  });

  test('Postmark’s own reports: complaint and hard bounce shut, a soft bounce does not', () => {
    const report = (fields: object) =>
      sourceOf(postmark, { country: 'US' }).read(
        { url: '', headers: {}, body: new TextEncoder().encode(JSON.stringify({ MessageID: 'm-1', Email: 'ana@example.com', ...fields })) },
        '2026-11-30T15:04:05.000Z',
      );
    expect(report({ RecordType: 'SpamComplaint' })).toMatchObject({ announcements: [{ state: 'complained' }, { because: 'complaint' }] });
    expect(report({ RecordType: 'Bounce', Type: 'HardBounce' })).toMatchObject({ announcements: [{ state: 'bounced' }, { because: 'hard-bounce' }] });
    expect(report({ RecordType: 'Bounce', Type: 'SoftBounce' })).toMatchObject({ announcements: [{ state: 'delayed' }] });
    expect(report({ RecordType: 'Open' })).toMatchObject({ kind: 'ignored' });
  });
});

describe('Mailgun', () => {
  const mail = vector('mailgun-inbound-reply');

  test('the same delivery again is the same mail; another mail with its token is refused', async () => {
    const intake = anIntake(mailgun, [mail.secret]);
    expect((await intake.take(mail)).status).toBe(200);
    expect((await intake.take(mail)).status).toBe(200);
    const ids = intake.signals().map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(1);
    expect((await intake.take(mail, { rawBody: mail.rawBody.replace('CAExample0001', 'CAForged0001') })).status).toBe(401);
  });

  test.each(['[[{}]]', '[[[],{}]]', '[[{"__proto__":1},2]]', '[1,null,[]]', '{}', '[['])('WH-13: headers that are %s are none, and no fault', async (list) => {
    const form = new URLSearchParams(mail.rawBody);
    form.set('message-headers', list);
    expect((await anIntake(mailgun, [mail.secret]).take(mail, { rawBody: form.toString() })).status).toBe(200);
  });
});
