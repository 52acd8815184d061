// Text messages in the alphabet of every phone (GSM 03.38), in one message of 160 septets (SF-05). The link stands alone on the last line (LK-07, LK-08).

const BASIC = new Set('@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà');
const EXTENDED = new Set('^{}\\[~]|€');
const PLAIN: Readonly<Record<string, string>> = { '…': '...', '“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '‘': "'", '’': "'", '–': '-', '—': '-', '·': '-', '•': '*' };

const SMS_SEPTETS = 160;

/** The text with letters that the alphabet lacks written plainly: `á` as `a`; what has no plain form becomes `?`. */
export const gsm = (text: string): string => [...text.normalize('NFC')].map(gsmCharacter).join('');

function gsmCharacter(character: string): string {
  if (BASIC.has(character) || EXTENDED.has(character)) return character;
  const plain = PLAIN[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
  return plain !== '' && [...plain].every((one) => BASIC.has(one)) ? plain : '?';
}

/** Septets that a text in the alphabet takes; some characters take two. */
export const septets = (text: string): number => [...text].reduce((sum, character) => sum + (EXTENDED.has(character) ? 2 : 1), 0);

/**
 * One message: the first of `wordings`, longest first, that fits beside the link; the last one is cut when none does.
 * Throws when the link alone is too long, which only a wrong PUBLIC_URL can cause.
 */
export function smsText(wordings: readonly [string, ...string[]], link?: string): string {
  const tail = link === undefined ? '' : `\n${link}`;
  const room = SMS_SEPTETS - septets(tail);
  if (room < 0) throw new Error('the link leaves no room in a text message: PUBLIC_URL is too long');
  const plain = wordings.map((wording) => gsm(wording).trim());
  const fitting = plain.find((wording) => septets(wording) <= room);
  return `${fitting ?? shortened(plain.at(-1) ?? '', room)}${tail}`.trim();
}

/** How many such links one text message can hold, with a few words before them. */
export const linksInSms = (link: string): number => Math.max(1, Math.floor((SMS_SEPTETS - 4) / (septets(link) + 1)));

function shortened(text: string, room: number): string {
  let kept = '';
  for (const character of text) {
    if (septets(kept) + septets(character) > room - 3) break;
    kept += character;
  }
  return room <= 3 ? '' : `${kept.trimEnd()}...`;
}
