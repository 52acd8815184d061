import { randomBytes, randomUUID } from 'node:crypto';
import { ACCOUNT, AwsError, type AwsRequest, type Kernel, REGION } from '../../kernel/types.ts';
import type { Mailbox } from '../mailbox.ts';
import { type Input, optionalText, recordOf, recordsOf, requiredText, textsOf } from '../protocol/input.ts';
import { readJson, refuseUnknownMembers } from '../protocol/json-operations.ts';
import { type Fate, fateOf, publishEmailEvent, type SentEmail } from './email-events.ts';
import { addressIn, type Identities, identityArn, identityFor } from './identities.ts';

export type Sending = { kernel: Kernel; mailbox: Mailbox; identities: Identities };

const MEMBERS = [
  'FromEmailAddress',
  'FromEmailAddressIdentityArn',
  'Destination',
  'ReplyToAddresses',
  'Content',
  'EmailTags',
  'ConfigurationSetName',
  'FeedbackForwardingEmailAddress',
];
const MOST_RECIPIENTS = 50;
const bad = (message: string): AwsError => new AwsError('BadRequestException', message, 400);

type Content = { subject: string; text: string; html: string };

const part = (parent: Input, name: string): string => (parent[name] === undefined ? '' : requiredText(recordOf(parent, name), 'Data'));

const readContent = (input: Input): Content => {
  const content = recordOf(input, 'Content');
  refuseUnknownMembers('Content', ['Simple'], content);
  if (content.Simple === undefined) throw bad('Content.Simple is required.');
  const simple = recordOf(content, 'Simple');
  refuseUnknownMembers('Content.Simple', ['Subject', 'Body', 'Headers'], simple);
  const body = recordOf(simple, 'Body');
  const read = { subject: part(simple, 'Subject'), text: part(body, 'Text'), html: part(body, 'Html') };
  if (read.text === '' && read.html === '') throw bad('The message body is empty.');
  if (/[\r\n]/.test(read.subject)) throw bad('The subject contains a line break.');
  return read;
};

const readRecipients = (input: Input): string[] => {
  const destination = recordOf(input, 'Destination');
  const all = ['ToAddresses', 'CcAddresses', 'BccAddresses'].flatMap((name) => textsOf(destination, name));
  if (all.length === 0) throw bad('The request must name at least one recipient.');
  if (all.length > MOST_RECIPIENTS) throw new AwsError('MessageRejected', 'Recipient count exceeds 50.', 400);
  const invalid = all.find((address) => !/^[^\s@<>]+@[^\s@<>]+$/.test(addressIn(address)));
  if (invalid !== undefined) throw bad(`Invalid email address: ${invalid}`);
  return all;
};

const readTags = (input: Input): Record<string, string[]> =>
  Object.fromEntries(recordsOf(input, 'EmailTags').map((tag) => [requiredText(tag, 'Name'), [requiredText(tag, 'Value')]]));

/** As on AWS the caller needs the right for the identity, and for the configuration set when it names one. */
const authorize = ({ kernel }: Sending, { caller }: AwsRequest, email: { from: string; identity: string; to: string[]; configurationSet: string }): void => {
  const context = { 'ses:FromAddress': addressIn(email.from), 'ses:Recipients': email.to.map(addressIn) };
  kernel.iam.authorize(caller, 'ses:SendEmail', identityArn(email.identity), context);
  if (email.configurationSet !== '') kernel.iam.authorize(caller, 'ses:SendEmail', `arn:aws:ses:${REGION}:${ACCOUNT}:configuration-set/${email.configurationSet}`, context);
};

const undelivered = (fate: Fate): string => (fate.type === 'BOUNCE' ? `bounced: ${fate.because}` : '');

const publish = async ({ kernel, identities }: Sending, email: SentEmail): Promise<void> => {
  const destinations = identities.sets.get(email.configurationSet) ?? [];
  const wants = (type: string): boolean => destinations.some((destination) => destination.types.includes(type));
  if (wants('SEND')) await publishEmailEvent(kernel.services.events, email, email.to[0] ?? '', { type: 'SEND' });
  for (const recipient of email.to) {
    const fate = fateOf(recipient);
    if (wants(fate.type)) await publishEmailEvent(kernel.services.events, email, recipient, fate);
    else if (fate.type !== 'DELIVERY')
      kernel.log({ service: 'ses', message: `${fate.type} without an event: no configuration set of this mail sends it to the event bus, as on AWS`, messageId: email.messageId });
  }
};

const readConfigurationSet = ({ identities }: Sending, input: Input): string => {
  const name = optionalText(input, 'ConfigurationSetName') ?? '';
  if (name !== '' && !identities.sets.has(name)) throw new AwsError('NotFoundException', `Configuration set <${name}> does not exist.`, 404);
  return name;
};

/** Accepts a mail: it lies in the mailbox when this resolves, and what becomes of it is an event. */
export const sendEmail = async (sending: Sending, request: AwsRequest): Promise<{ MessageId: string }> => {
  const input = readJson(request.body);
  refuseUnknownMembers('SendEmail', MEMBERS, input);
  const from = requiredText(input, 'FromEmailAddress');
  const content = readContent(input);
  const to = readRecipients(input);
  const identity = identityFor(sending.identities, from);
  const configurationSet = readConfigurationSet(sending, input);
  authorize(sending, request, { from, identity, to, configurationSet });
  const at = new Date(sending.kernel.time.now()).toISOString();
  const messageId = `0100${randomBytes(6).toString('hex')}-${randomUUID()}-000000`;
  for (const recipient of to) sending.mailbox.add({ channel: 'email', to: addressIn(recipient), from, ...content, sentAt: at, undelivered: undelivered(fateOf(recipient)) });
  const email = { messageId, from, to, subject: content.subject, identity, configurationSet, tags: readTags(input), at };
  await publish(sending, email);
  return { MessageId: messageId };
};
