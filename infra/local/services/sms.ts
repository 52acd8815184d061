import { randomUUID } from 'node:crypto';
import { ACCOUNT, AwsError, type AwsRequest, type AwsService, type Kernel, type Provisioned, type Provisioner, REGION, type Resource } from '../kernel/types.ts';
import { type Mailbox, mailbox } from './mailbox.ts';
import { flagOr, type Input, optionalText, requiredText } from './protocol/input.ts';
import { jsonService, operation } from './protocol/json-operations.ts';
import { TAGS, used, without } from './protocol/reasons.ts';

const DELIVERY = 'no effect: text messages go to the mailbox page, not over the air';
const MEMBERS = [
  'DestinationPhoneNumber',
  'OriginationIdentity',
  'MessageBody',
  'MessageType',
  'DryRun',
  'Context',
  'MaxPrice',
  'TimeToLive',
  'ConfigurationSetName',
  'Keyword',
  'ProtectConfigurationId',
];
const MOST_CHARACTERS = 1600;

const PROPERTIES = {
  'AWS::SMSVOICE::PhoneNumber': {
    ...used('IsoCountryCode', 'NumberType'),
    ...without(DELIVERY, 'DeletionProtectionEnabled', 'MandatoryKeywords', 'NumberCapabilities', 'OptionalKeywords', 'OptOutListName', 'SelfManagedOptOutsEnabled', 'TwoWay'),
    Tags: TAGS,
  },
  'AWS::SMSVOICE::SenderId': { ...used('SenderId', 'IsoCountryCode'), DeletionProtectionEnabled: DELIVERY, Tags: TAGS },
  'AWS::SMSVOICE::ConfigurationSet': {
    ...used('ConfigurationSetName'),
    ...without(DELIVERY, 'DefaultSenderId', 'EventDestinations', 'MessageFeedbackEnabled', 'ProtectConfigurationId'),
    Tags: TAGS,
  },
};

const arnOf = (kind: string, name: string): string => `arn:aws:sms-voice:${REGION}:${ACCOUNT}:${kind}/${name}`;

/** The ARN that a grant must cover: of the number, pool or sender the message comes from. */
const originArn = (identity: string): string => {
  if (identity.startsWith('arn:')) return identity;
  const kind = identity.startsWith('pool-') ? 'pool' : /^(phone-|\+)/.test(identity) ? 'phone-number' : 'sender-id';
  return arnOf(kind, identity);
};

const invalid = (message: string, reason: string): AwsError => new AwsError('ValidationException', message, 400, { Reason: reason });

const send = (kernel: Kernel, box: Mailbox, input: Input, { caller }: AwsRequest): { MessageId: string } => {
  const to = requiredText(input, 'DestinationPhoneNumber');
  const text = requiredText(input, 'MessageBody');
  const origin = optionalText(input, 'OriginationIdentity');
  kernel.iam.authorize(caller, 'sms-voice:SendTextMessage', origin === undefined ? '*' : originArn(origin));
  if (!/^\+[1-9]\d{7,14}$/.test(to)) throw invalid(`DestinationPhoneNumber ${to} is not in E.164 format`, 'INVALID_PARAMETER');
  if (text.length === 0 || text.length > MOST_CHARACTERS) throw invalid(`MessageBody must have 1 to ${MOST_CHARACTERS} characters, not ${text.length}`, 'INVALID_PARAMETER');
  const id = randomUUID();
  const sentAt = new Date(kernel.time.now()).toISOString();
  if (!flagOr(input, 'DryRun', false)) box.add({ channel: 'sms', to, from: origin ?? '', subject: '', text, html: '', sentAt, undelivered: '' });
  return { MessageId: id };
};

const provision = ({ type, logicalId, properties }: Resource): Provisioned => {
  if (type === 'AWS::SMSVOICE::PhoneNumber') {
    const id = `phone-${logicalId.toLowerCase()}`;
    return { ref: id, attributes: { Arn: arnOf('phone-number', id), PhoneNumberId: id, PhoneNumber: '+15550100000' } };
  }
  if (type === 'AWS::SMSVOICE::SenderId') {
    const name = `${String(properties.SenderId)}/${String(properties.IsoCountryCode)}`;
    return { ref: name, attributes: { Arn: arnOf('sender-id', name) } };
  }
  const name = String(properties.ConfigurationSetName ?? logicalId);
  return { ref: name, attributes: { Arn: arnOf('configuration-set', name) } };
};

/** AWS End User Messaging: text messages that land in the mailbox page. */
export const textMessages = (kernel: Kernel): AwsService & Provisioner => {
  const box = mailbox(kernel.db);
  return {
    ...jsonService('sms-voice', 'json-1.0', { SendTextMessage: operation(MEMBERS, (input, request) => send(kernel, box, input, request)) }),
    properties: PROPERTIES,
    provision: async (resource) => provision(resource),
  };
};
