import { ACCOUNT, type EventsPort, REGION } from '../../kernel/types.ts';
import { addressIn, identityArn } from './identities.ts';

/** A mail that SES accepted. */
export type SentEmail = {
  messageId: string;
  from: string;
  to: readonly string[];
  subject: string;
  identity: string;
  configurationSet: string;
  tags: Record<string, string[]>;
  at: string;
};

/** What happens to a recipient. The domains `bounce.example` and `suppressed.example` stand for addresses that fail. */
export type Fate = { type: 'DELIVERY' } | { type: 'BOUNCE'; subType: 'General' | 'OnAccountSuppressionList'; because: string } | { type: 'COMPLAINT' };

export const fateOf = (address: string): Fate => {
  const domain = addressIn(address).toLowerCase().split('@').at(-1);
  if (domain === 'bounce.example') return { type: 'BOUNCE', subType: 'General', because: 'smtp; 550 5.1.1 user unknown' };
  if (domain === 'suppressed.example')
    return {
      type: 'BOUNCE',
      subType: 'OnAccountSuppressionList',
      because: 'Amazon SES did not send the message to this address because it is on the suppression list for your account',
    };
  return domain === 'complaint.example' ? { type: 'COMPLAINT' } : { type: 'DELIVERY' };
};

const mailOf = (email: SentEmail) => ({
  timestamp: email.at,
  source: email.from,
  sourceArn: identityArn(email.identity),
  sendingAccountId: ACCOUNT,
  messageId: email.messageId,
  destination: email.to.map(addressIn),
  headersTruncated: false,
  headers: [
    { name: 'From', value: email.from },
    { name: 'To', value: email.to.join(', ') },
    { name: 'Subject', value: email.subject },
  ],
  commonHeaders: { from: [email.from], to: [...email.to], messageId: email.messageId, subject: email.subject },
  tags: { 'ses:configuration-set': [email.configurationSet], 'ses:source-ip': ['127.0.0.1'], ...email.tags },
});

const DETAIL_TYPES = { SEND: 'Email Sent', DELIVERY: 'Email Delivered', BOUNCE: 'Email Bounced', COMPLAINT: 'Email Complaint Received' };
const EVENT_TYPES = { SEND: 'Send', DELIVERY: 'Delivery', BOUNCE: 'Bounce', COMPLAINT: 'Complaint' };

const partOf = (email: SentEmail, recipient: string, fate: Fate | { type: 'SEND' }): Record<string, unknown> => {
  const feedbackId = `${email.messageId}-feedback`;
  const address = addressIn(recipient);
  if (fate.type === 'DELIVERY')
    return { delivery: { timestamp: email.at, processingTimeMillis: 1, recipients: [address], smtpResponse: '250 2.0.0 OK', reportingMTA: 'local.smtp-out.amazonses.com' } };
  if (fate.type === 'COMPLAINT') return { complaint: { feedbackId, complainedRecipients: [{ emailAddress: address }], complaintFeedbackType: 'abuse', timestamp: email.at } };
  if (fate.type === 'SEND') return { send: {} };
  const bounced = { emailAddress: address, action: 'failed', status: '5.1.1', diagnosticCode: fate.because };
  return {
    bounce: {
      feedbackId,
      bounceType: 'Permanent',
      bounceSubType: fate.subType,
      bouncedRecipients: [bounced],
      timestamp: email.at,
      reportingMTA: 'dns; local.smtp-out.amazonses.com',
    },
  };
};

/** Puts one SES event on the default bus, in the form SES uses there. */
export const publishEmailEvent = (events: EventsPort, email: SentEmail, recipient: string, fate: Fate | { type: 'SEND' }): Promise<void> =>
  events.putServiceEvent({
    source: 'aws.ses',
    detailType: DETAIL_TYPES[fate.type],
    resources: [`arn:aws:ses:${REGION}:${ACCOUNT}:configuration-set/${email.configurationSet}`],
    detail: { eventType: EVENT_TYPES[fate.type], mail: mailOf(email), ...partOf(email, recipient, fate) },
  });
