import { randomInt } from 'node:crypto';
import { boundedOr, flagOr, type Input, optionalText } from '../protocol/input.ts';

const CLASSES: readonly { name: string; exclude: string; characters: string }[] = [
  { name: 'lowercase', exclude: 'ExcludeLowercase', characters: 'abcdefghijklmnopqrstuvwxyz' },
  { name: 'uppercase', exclude: 'ExcludeUppercase', characters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' },
  { name: 'numbers', exclude: 'ExcludeNumbers', characters: '0123456789' },
  { name: 'punctuation', exclude: 'ExcludePunctuation', characters: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' },
];

const pick = (characters: string): string => characters.charAt(randomInt(characters.length));

const shuffle = (characters: string[]): string[] => {
  const shuffled = [...characters];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other] ?? '', shuffled[at] ?? ''];
  }
  return shuffled;
};

/** A random text as `GetRandomPassword` makes it: from the classes that are not excluded, each at least once unless told otherwise. */
export const generatePassword = (options: Input): string => {
  const length = boundedOr(options, 'PasswordLength', 32, [1, 4096]);
  const excluded = new Set(optionalText(options, 'ExcludeCharacters') ?? '');
  const classes = CLASSES.filter((one) => !flagOr(options, one.exclude, false))
    .map((one) => [...one.characters].filter((character) => !excluded.has(character)).join(''))
    .concat(flagOr(options, 'IncludeSpace', false) && !excluded.has(' ') ? [' '] : [])
    .filter((characters) => characters !== '');
  const all = classes.join('');
  if (all === '') throw new Error('no characters are left to generate a secret from');
  const required = flagOr(options, 'RequireEachIncludedType', true) ? classes.map(pick) : [];
  if (required.length > length) throw new Error(`a secret of ${length} characters cannot hold each of ${required.length} kinds`);
  return shuffle([...required, ...Array.from({ length: length - required.length }, () => pick(all))]).join('');
};

/** The value `GenerateSecretString` asks for: a password, or a JSON template with the password under its key. */
export const generateSecretString = (options: Input): string => {
  const password = generatePassword(options);
  const key = optionalText(options, 'GenerateStringKey');
  const template = optionalText(options, 'SecretStringTemplate');
  if ((key === undefined) !== (template === undefined)) throw new Error('GenerateStringKey and SecretStringTemplate belong together');
  return key === undefined ? password : JSON.stringify({ ...JSON.parse(template ?? '{}'), [key]: password });
};
