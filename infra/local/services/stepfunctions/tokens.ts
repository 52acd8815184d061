import { createHash, randomBytes } from 'node:crypto';

/** Opaque, but of the length AWS uses, so that whoever puts one into a text message or link notices. */
const SECRET_BYTES = 480;
const CHECK_BYTES = 12;
const PREFIX = 'AQCEAAAAKgAAAAMA';

const check = (secret: Buffer) => createHash('sha256').update(secret).digest().subarray(0, CHECK_BYTES);

export function newToken(): string {
  const secret = randomBytes(SECRET_BYTES);
  return PREFIX + Buffer.concat([secret, check(secret)]).toString('base64');
}

/** Whether a text has the form of a token, known here or not. */
export function isToken(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64');
  return bytes.length === SECRET_BYTES + CHECK_BYTES && bytes.subarray(SECRET_BYTES).equals(check(bytes.subarray(0, SECRET_BYTES)));
}
