import { ACCOUNT, AwsError, type AwsService, type Kernel, type Provisioned, type Provisioner, REGION, type Resource } from '../kernel/types.ts';
import { mailbox } from './mailbox.ts';
import { recordOf } from './protocol/input.ts';
import { TAGS, used, without } from './protocol/reasons.ts';
import { addEventDestination, type Identities } from './ses/identities.ts';
import { type Sending, sendEmail } from './ses/send-email.ts';

const DELIVERY = 'no effect: mail goes to the mailbox page, not over the network';

const PROPERTIES = {
  'AWS::SES::EmailIdentity': {
    ...used('EmailIdentity'),
    ...without(DELIVERY, 'DkimAttributes', 'DkimSigningAttributes', 'FeedbackAttributes', 'MailFromAttributes', 'ConfigurationSetAttributes'),
    Tags: TAGS,
  },
  'AWS::SES::ConfigurationSet': {
    ...used('Name'),
    ...without(DELIVERY, 'DeliveryOptions', 'ReputationOptions', 'SendingOptions', 'SuppressionOptions', 'TrackingOptions', 'VdmOptions', 'ArchivingOptions'),
    Tags: TAGS,
  },
  'AWS::SES::ConfigurationSetEventDestination': {
    ...used('ConfigurationSetName', 'EventDestination', 'EventDestination.MatchingEventTypes', 'EventDestination.EventBridgeDestination', 'EventDestination.Enabled'),
    'EventDestination.EventBridgeDestination.EventBusArn': 'used: the default bus',
    'EventDestination.Name': 'no effect: a name for people',
  },
};

const DKIM = ['DkimDNSTokenName1', 'DkimDNSTokenName2', 'DkimDNSTokenName3', 'DkimDNSTokenValue1', 'DkimDNSTokenValue2', 'DkimDNSTokenValue3'];

const provision = (identities: Identities, resource: Resource): Provisioned => {
  const { type, logicalId, properties } = resource;
  if (type === 'AWS::SES::EmailIdentity') {
    const name = String(properties.EmailIdentity).toLowerCase();
    identities.names.add(name);
    return {
      ref: name,
      attributes: {
        EmailIdentityArn: `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${name}`,
        ...Object.fromEntries(DKIM.map((attribute) => [attribute, `${attribute.toLowerCase()}.local`])),
      },
    };
  }
  if (type === 'AWS::SES::ConfigurationSet') {
    const name = String(properties.Name ?? logicalId);
    identities.sets.set(name, []);
    return { ref: name, attributes: {} };
  }
  addEventDestination(identities, resource);
  return { ref: String(recordOf(properties, 'EventDestination').Name ?? logicalId), attributes: { Id: logicalId } };
};

/** SES v2: mail that lands in the mailbox page, and bounces for the addresses that stand for them. */
export const email = (kernel: Kernel): AwsService & Provisioner => {
  const sending: Sending = { kernel, mailbox: mailbox(kernel.db), identities: { names: new Set(), sets: new Map() } };
  return {
    signingName: 'ses',
    protocol: 'rest-json',
    properties: PROPERTIES,
    provision: async (resource) => provision(sending.identities, resource),
    async handle(request) {
      if (request.method !== 'POST' || request.path !== '/v2/email/outbound-emails')
        throw new AwsError('UnknownOperationException', `The local runtime does not support ${request.method} ${request.path} of SES. Supported: SendEmail.`, 404);
      return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(await sendEmail(sending, request)) };
    },
  };
};
