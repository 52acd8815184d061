import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * A phone number in E.164, or undefined when the text is not one valid number (ID-02 to ID-04). One without a country code is
 * dialled in the first of these countries that is one; where none is, it is no number. `whole` is false when the text says
 * more, such as an extension.
 */
export function statedPhone(text: string, ...countries: readonly string[]): { number: string; whole: boolean } | undefined {
  const country = countries.find((one): one is CountryCode => isSupportedCountry(one));
  const parsed = parsePhoneNumberFromString(text.trim().slice(0, 100), { extract: false, ...(country !== undefined && { defaultCountry: country }) });
  if (parsed === undefined || !parsed.isValid()) return undefined;
  return { number: parsed.number, whole: parsed.ext === undefined };
}
