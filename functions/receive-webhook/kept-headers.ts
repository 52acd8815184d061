// Which headers are kept with a delivery: what its signature was, over what, and which event it is. Nothing by which anybody could send another.

const PROOF = /signature|timestamp/;
const EVENT = /^(?:webhook-id|svix-id|ce-[a-z0-9]{1,20}|content-encoding|[a-z0-9-]*(?:event|delivery|invocation|request|message)-id|x-cal-webhook-version)$/;
/** Whoever has one of these can send as the provider: static tokens, sessions, passwords. */
const RIGHTS = /auth|cookie|token|secret|passw|api-?key|credential/;
const RIGHTS_INSIDE = /^(?:bearer|basic|digest)\s/i;

/** Longer than any signature; a certificate or a chain is none of ours. */
const MOST_CHARACTERS = 1000;
/** S3 takes 2 KB of metadata, in base64 a third more. */
const MOST_BYTES = 1400;

/** The headers to keep, by name. What does not fit is left out, the longest first, since the short ones say which event it is. */
export function keptHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const wanted = Object.entries(headers).filter(([name, value]) => isKept(name, value));
  const kept: [string, string][] = [];
  for (const entry of wanted.sort(([, one], [, other]) => one.length - other.length)) {
    if (bytesOf([...kept, entry]) <= MOST_BYTES) kept.push(entry);
  }
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const isKept = (name: string, value: string): boolean =>
  (PROOF.test(name) || EVENT.test(name)) && !RIGHTS.test(name) && !RIGHTS_INSIDE.test(value) && value.length <= MOST_CHARACTERS;

const bytesOf = (entries: readonly [string, string][]): number => new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries))).length;
