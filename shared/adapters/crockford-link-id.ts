// The text form of a link id: 32 characters of Crockford's base 32, which survive phones, carriers and mail gateways (LK-06 to LK-08).
//   1 character key id · 20 characters (100 bits) chance · 11 characters (55 bits) signature

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CANONICAL = /^[0-9A-HJKMNP-TV-Z]{32}$/;

export const CHANCE_CHARACTERS = 20;
export const SIGNATURE_CHARACTERS = 11;

/** The first `characters` times five bits of `bytes`, as text. */
export function encode(bytes: Uint8Array, characters: number): string {
  if (bytes.length * 8 < characters * 5) throw new RangeError(`${bytes.length} bytes do not fill ${characters} characters`);
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5 && text.length < characters) {
      bits -= 5;
      text += ALPHABET[(buffer >> bits) & 31];
    }
  }
  return text;
}

/** The one spelling of a link id that people, phones or programs may have changed to lower case or mistaken O, I and L in; undefined when it cannot be one. */
export function canonicalLinkId(text: string): string | undefined {
  if (!/^[0-9A-Za-z]{32}$/.test(text)) return undefined;
  const upper = text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  return CANONICAL.test(upper) ? upper : undefined;
}

/** The parts of a canonical link id. */
export const partsOf = (linkId: string) => ({
  keyId: linkId.slice(0, 1),
  chance: linkId.slice(1, 1 + CHANCE_CHARACTERS),
  signature: linkId.slice(1 + CHANCE_CHARACTERS),
});
