import { DescribeAccountAttributesCommand, DescribePhoneNumbersCommand, PinpointSMSVoiceV2Client } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { mailReadiness, textReadiness } from '../../cli/readiness.ts';

const [ses, sms] = [new SESv2Client({ region: 'us-west-2' }), new PinpointSMSVoiceV2Client({ region: 'us-west-2' })];
const [mails, texts] = [mockClient(ses), mockClient(sms)];
const ACCOUNT = { ProductionAccessEnabled: true, SendingEnabled: true, SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14 } };
const NUMBER = {
  PhoneNumber: '+15035550100',
  PhoneNumberId: 'phone-1',
  Status: 'ACTIVE',
  NumberType: 'TEN_DLC',
  IsoCountryCode: 'US',
  NumberCapabilities: ['SMS'],
  RegistrationId: 'r-1',
};

beforeEach(() => {
  mails.reset();
  texts.reset();
  mails.on(GetAccountCommand).resolves(ACCOUNT);
  mails.on(GetEmailIdentityCommand).rejects(Object.assign(new Error('none'), { name: 'NotFoundException' }));
  mails.on(GetEmailIdentityCommand, { EmailIdentity: 'roof.example' }).resolves({ VerifiedForSendingStatus: true });
  texts.on(DescribeAccountAttributesCommand).resolves({ AccountAttributes: [{ Name: 'ACCOUNT_TIER', Value: 'PRODUCTION' }] });
  texts.on(DescribePhoneNumbersCommand).resolves({ PhoneNumbers: [NUMBER] as never });
});

const stops = (findings: readonly { stops?: string }[]) => findings.flatMap((one) => one.stops ?? []);

describe('MS-04: mail', () => {
  test('out of the sandbox, from a verified domain: ready, and the quota is named', async () => {
    const findings = await mailReadiness(ses, 'baton@roof.example');
    expect(stops(findings)).toEqual([]);
    expect(findings[0]?.found).toBe('50000 e-mails a day, 14 a second');
  });

  test.each([
    ['a quota of 200', { ...ACCOUNT, SendQuota: { Max24HourSend: 200, MaxSendRate: 1 } }, 'sandbox'],
    ['no production access', { ...ACCOUNT, ProductionAccessEnabled: false }, 'sandbox'],
    ['an account that may not send', { ...ACCOUNT, SendingEnabled: false }, 'stopped sending'],
    ['an answer that says nothing', {}, 'stopped sending'],
  ])('%s is not', async (_, account, because) => {
    mails.on(GetAccountCommand).resolves(account);
    expect(stops(await mailReadiness(ses, 'baton@roof.example'))).toEqual([expect.stringContaining(because)]);
  });

  test('a quota without a limit is none of 200', async () => {
    mails.on(GetAccountCommand).resolves({ ...ACCOUNT, SendQuota: { Max24HourSend: -1, MaxSendRate: 90 } });
    expect(stops(await mailReadiness(ses, 'baton@roof.example'))).toEqual([]);
  });

  test('a sender that nobody verified is not, and a look that fails is no answer', async () => {
    expect(stops(await mailReadiness(ses, 'baton@example.com'))).toEqual([expect.stringContaining('neither the address nor its domain')]);
    mails.on(GetEmailIdentityCommand).resolves({ VerifiedForSendingStatus: false });
    expect(stops(await mailReadiness(ses, 'baton@example.com'))).toHaveLength(1);
    mails.on(GetEmailIdentityCommand).rejects(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
    await expect(mailReadiness(ses, 'baton@roof.example')).rejects.toThrow('no');
  });
});

describe('MS-11: text messages', () => {
  const people = ['+15035550101', '+15035550102'];

  test.each(['+15035550100', 'phone-1'])('from a registered number, named %s: ready', async (from) => {
    expect(stops(await textReadiness(sms, from, people))).toEqual([]);
  });

  test.each([
    ['a number in the United States that nobody registered', { RegistrationId: undefined }, 'nobody registered'],
    ['one that waits for its registration', { Status: 'PENDING' }, 'PENDING'],
    ['a simulator', { NumberType: 'SIMULATOR' }, 'simulator'],
    ['one for calls only', { NumberCapabilities: ['VOICE'] }, 'cannot send text'],
    ['one of another continent', { IsoCountryCode: 'GB', NumberType: 'LONG_CODE' }, 'not reached from GB'],
  ])('%s is not', async (_, change, because) => {
    texts.on(DescribePhoneNumbersCommand).resolves({ PhoneNumbers: [{ ...NUMBER, ...change }] as never });
    expect(stops(await textReadiness(sms, '+15035550100', people))).toEqual([expect.stringContaining(because)]);
  });

  test('a short code needs no registration of its own, and a British number reaches British people', async () => {
    texts.on(DescribePhoneNumbersCommand).resolves({ PhoneNumbers: [{ ...NUMBER, NumberType: 'SHORT_CODE', RegistrationId: undefined }] as never });
    expect(stops(await textReadiness(sms, '+15035550100', people))).toEqual([]);
    texts.on(DescribePhoneNumbersCommand).resolves({ PhoneNumbers: [{ ...NUMBER, IsoCountryCode: 'GB', NumberType: 'LONG_CODE' }] as never });
    expect(stops(await textReadiness(sms, '+15035550100', ['+447700900001']))).toEqual([]);
  });

  test('a number on the second page is found, one on none is not ready, and a pool cannot be told', async () => {
    texts.on(DescribePhoneNumbersCommand).resolves({ PhoneNumbers: [], NextToken: 'more' });
    texts.on(DescribePhoneNumbersCommand, { NextToken: 'more' }).resolves({ PhoneNumbers: [NUMBER] as never });
    expect(stops(await textReadiness(sms, '+15035550100', people))).toEqual([]);
    expect(stops(await textReadiness(sms, '+15555550100', people))).toEqual(['this account has no such number']);
    expect(stops(await textReadiness(sms, 'pool-1', people))).toEqual([]);
  });

  test('the sandbox is not ready; without a number in the roster nothing is asked', async () => {
    texts.on(DescribeAccountAttributesCommand).resolves({ AccountAttributes: [{ Name: 'ACCOUNT_TIER', Value: 'SANDBOX' }] });
    expect(stops(await textReadiness(sms, '+15035550100', people))).toEqual([expect.stringContaining('sandbox')]);
    texts.reset();
    expect(stops(await textReadiness(sms, '+15035550100', []))).toEqual([]);
    expect(texts.calls()).toHaveLength(0);
  });
});
