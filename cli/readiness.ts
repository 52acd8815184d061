// Whether the account that messages go out from may send to customers and staff for real. Read by the right of whoever asks.

import { DescribeAccountAttributesCommand, DescribePhoneNumbersCommand, type PhoneNumberInformation, type PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { GetAccountCommand, GetEmailIdentityCommand, type SESv2Client } from '@aws-sdk/client-sesv2';

/** One thing that was looked at; `stops` says why messages do not go out as they should. */
export type Finding = { about: string; found: string; stops?: string };

/** The daily quota of an SES sandbox. */
const SANDBOX_A_DAY = 200;

/** Numbers in the United States that carriers drop unless somebody registered who sends from them. */
const REGISTERED_TYPES: ReadonlySet<string> = new Set(['TEN_DLC', 'TOLL_FREE']);
const NORTH_AMERICA: ReadonlySet<string> = new Set(['US', 'CA', 'PR']);

/** May mail leave, how much, and from this sender (MS-04)? */
export async function mailReadiness(ses: SESv2Client, from: string): Promise<Finding[]> {
  const { ProductionAccessEnabled: production = false, SendingEnabled: sending = false, SendQuota: quota } = await ses.send(new GetAccountCommand({}));
  const { Max24HourSend: aDay = 0, MaxSendRate: aSecond = 0 } = quota ?? {};
  const found = `${aDay === -1 ? 'any number of' : aDay} e-mails a day, ${aSecond} a second`;
  const inSandbox = !production || (aDay !== -1 && aDay <= SANDBOX_A_DAY);
  const account: Finding = {
    about: 'mail account',
    found,
    ...(inSandbox && { stops: 'the SES sandbox: only verified addresses get mail; ask for production access' }),
    ...(!sending && { stops: 'SES has stopped sending for this account' }),
  };
  const verified = (await isVerified(ses, from)) || (await isVerified(ses, from.slice(from.indexOf('@') + 1)));
  return [account, { about: 'mail sender', found: from, ...(!verified && { stops: 'neither the address nor its domain is verified in SES' }) }];
}

async function isVerified(ses: SESv2Client, identity: string): Promise<boolean> {
  try {
    return (await ses.send(new GetEmailIdentityCommand({ EmailIdentity: identity }))).VerifiedForSendingStatus === true;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotFoundException' || error.name === 'BadRequestException')) return false;
    throw error;
  }
}

/** May text messages leave from this number, to the people who have one (MS-11)? Without it they get e-mail alone. */
export async function textReadiness(sms: PinpointSMSVoiceV2Client, from: string, numbers: readonly string[]): Promise<Finding[]> {
  if (numbers.length === 0) return [{ about: 'text messages', found: 'nobody in the roster has a number: everybody gets e-mail' }];
  const { AccountAttributes = [] } = await sms.send(new DescribeAccountAttributesCommand({}));
  const tier = AccountAttributes.find(({ Name }) => Name === 'ACCOUNT_TIER')?.Value ?? 'unknown';
  const account: Finding = {
    about: 'text account',
    found: `tier ${tier}`,
    ...(tier !== 'PRODUCTION' && { stops: 'the sandbox of End User Messaging: only verified numbers get texts; ask for production access' }),
  };
  const number = await numberNamed(sms, from);
  const stops = number === undefined ? notANumber(from) : stopsOf(number, numbers);
  return [account, { about: 'text sender', found: describe(from, number), ...(stops !== undefined && { stops }) }];
}

async function numberNamed(sms: PinpointSMSVoiceV2Client, from: string): Promise<PhoneNumberInformation | undefined> {
  let NextToken: string | undefined;
  do {
    const page = await sms.send(new DescribePhoneNumbersCommand({ MaxResults: 100, ...(NextToken !== undefined && { NextToken }) }));
    const found = page.PhoneNumbers?.find(({ PhoneNumber, PhoneNumberId, PhoneNumberArn }) => [PhoneNumber, PhoneNumberId, PhoneNumberArn].includes(from));
    if (found !== undefined) return found;
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return undefined;
}

/** A pool or a sender id is looked at in its own screen. */
const notANumber = (from: string): string | undefined => (/^(\+|phone-)/.test(from) ? 'this account has no such number' : undefined);

function stopsOf({ Status, NumberType, IsoCountryCode = '', NumberCapabilities = [], RegistrationId }: PhoneNumberInformation, numbers: readonly string[]): string | undefined {
  if (Status !== 'ACTIVE') return `it is ${Status ?? 'in no state'}, not ACTIVE`;
  if (!NumberCapabilities.includes('SMS')) return 'it cannot send text messages';
  if (NumberType === 'SIMULATOR') return 'it is a simulator: nothing leaves it';
  const toNorthAmerica = numbers.some((one) => one.startsWith('+1'));
  if (toNorthAmerica && !NORTH_AMERICA.has(IsoCountryCode)) return `people with numbers in North America are not reached from ${IsoCountryCode}`;
  if (IsoCountryCode === 'US' && REGISTERED_TYPES.has(NumberType ?? '') && RegistrationId === undefined)
    return 'nobody registered who sends from it, so carriers drop what it sends';
  return undefined;
}

const describe = (from: string, number: PhoneNumberInformation | undefined): string =>
  number === undefined ? from : `${from}, ${number.NumberType ?? 'a number'} in ${number.IsoCountryCode ?? 'no country'}`;
