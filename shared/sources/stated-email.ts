/**
 * An address that mail can be sent to, or undefined. The part before the @ stays as typed and must be plain ASCII before
 * any folding: a Kelvin sign is not a K (ID-09). The domain is folded to its usual form.
 */
export function statedEmail(text: string): string | undefined {
  const at = text.trim().split('@');
  const [local, domain] = at;
  if (at.length !== 2 || local === undefined || domain === undefined) return undefined;
  if (!/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) || local.length > 64) return undefined;
  const host = asciiLower(domain.normalize('NFKC'));
  if (!/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{N}\p{M}-]{2,63}$/u.test(host)) return undefined;
  return local.length + 1 + host.length <= 254 ? `${local}@${host}` : undefined;
}

/** Lower case of A to Z alone: locale-independent, and no letter changes its length. */
export const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
