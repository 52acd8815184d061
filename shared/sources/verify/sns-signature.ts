// Family: messages of Amazon SNS, signed with a certificate that the message itself names. The name is checked before
// anything is fetched: exact regional host, https, fixed path, no redirects (WH-08).

import { createVerify, X509Certificate } from 'node:crypto';
import type { JsonObject } from '../read-json.ts';

const REGION = '(?:us|eu|ap|sa|ca|me|af|il|mx)(?:-gov)?-[a-z]{4,10}-\\d{1,2}|cn-[a-z]{4,10}-\\d';
const HOST = `sns\\.(?:${REGION})\\.amazonaws\\.com(?:\\.cn)?`;
const CERTIFICATE = new RegExp(`^https://${HOST}/SimpleNotificationService-[A-Za-z0-9]{8,64}\\.pem$`);
const CONFIRMATION = new RegExp(`^https://${HOST}/\\?Action=ConfirmSubscription&TopicArn=(arn:[A-Za-z0-9:_.-]{1,300})&Token=[A-Za-z0-9]{20,400}$`);
const ALGORITHMS: Readonly<Record<string, string>> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' };

const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

/** Whether SNS itself publishes certificates under this address. */
export const isCertificateUrl = (url: unknown): url is string => typeof url === 'string' && CERTIFICATE.test(url);

/** Whether opening this address confirms a subscription to exactly this topic, and nothing else. */
export const isConfirmationUrl = (url: unknown, topic: string): url is string => typeof url === 'string' && CONFIRMATION.exec(url)?.[1] === topic;

/** The text that SNS signs, or undefined for a message of another form. */
export function signedText(message: JsonObject): string | undefined {
  const names = SIGNED[typeof message.Type === 'string' ? message.Type : ''];
  if (names === undefined) return undefined;
  const stated = names.filter((name) => message[name] !== undefined && message[name] !== null);
  if (names.some((name) => name !== 'Subject' && !stated.includes(name)) || stated.some((name) => typeof message[name] !== 'string')) return undefined;
  return stated.map((name) => `${name}\n${String(message[name])}\n`).join('');
}

/** Whether the certificate, which came from `isCertificateUrl` and is valid now, signed the message. */
export function verifySns(message: JsonObject, certificatePem: string, now: string): boolean {
  const text = signedText(message);
  const algorithm = ALGORITHMS[String(message.SignatureVersion)];
  const { Signature: signature } = message;
  if (text === undefined || algorithm === undefined || typeof signature !== 'string' || !/^[A-Za-z0-9+/]{100,1400}={0,2}$/.test(signature)) return false;
  const certificate = certificateFrom(certificatePem);
  if (certificate === undefined || !isValid(certificate, now)) return false;
  return createVerify(algorithm).update(text, 'utf8').verify(certificate.publicKey, signature, 'base64');
}

function certificateFrom(pem: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(pem);
    return certificate.publicKey.asymmetricKeyType === 'rsa' ? certificate : undefined;
  } catch {
    return undefined;
  }
}

const isValid = ({ validFromDate, validToDate }: X509Certificate, now: string): boolean => validFromDate <= new Date(now) && new Date(now) <= validToDate;
