import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A phone number in E.164, or undefined when the text is not one valid number in that country (ID-02 to ID-04). `whole` is false when the text says more, such as an extension. */
export function statedPhone(text: string, country: string): { number: string; whole: boolean } | undefined {
  const parsed = parsePhoneNumberFromString(text.trim().slice(0, 100), { defaultCountry: countryCode(country), extract: false });
  if (parsed === undefined || !parsed.isValid()) return undefined;
  return { number: parsed.number, whole: parsed.ext === undefined };
}

const countryCode = (country: string): CountryCode => (isSupportedCountry(country) ? country : 'US');
