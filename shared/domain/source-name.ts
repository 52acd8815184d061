// Names of sources: a provider's, or one site of it: `typeform`, `typeform--north`.

const SEPARATOR = '--';

/** What a site may be called. */
export const SITE = /^[a-z0-9](?:-?[a-z0-9]){0,19}$/;

/** The name of one site of a provider; the provider's own without a site. */
export const sourceNamed = (provider: string, site: string | undefined): string => (site === undefined ? provider : `${provider}${SEPARATOR}${site}`);

/** The parts of a name. Undefined when what follows the separator is no name of a site. */
export function sourceParts(source: string): { provider: string; site?: string } | undefined {
  const at = source.indexOf(SEPARATOR);
  if (at < 0) return { provider: source };
  const site = source.slice(at + SEPARATOR.length);
  return SITE.test(site) ? { provider: source.slice(0, at), site } : undefined;
}

/** Whether a rule that names sources means this one: by its own name, or by that of its provider. */
export const names = (from: readonly string[], source: string): 'itself' | 'its provider' | undefined => {
  if (from.includes(source)) return 'itself';
  const provider = sourceParts(source)?.provider;
  return provider !== undefined && provider !== source && from.includes(provider) ? 'its provider' : undefined;
};
