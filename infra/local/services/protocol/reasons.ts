// Why a property that AWS acts on has no effect here. Shown to whoever asks what a template property does locally.

export const TAGS = 'no effect: tags change nothing at run time';
export const DESCRIPTION = 'no effect: text for people';
export const ENCRYPTION = 'no effect: data stays on this machine and is not encrypted at rest';
export const ONE_ACCOUNT = 'no effect: there is one account here, so nobody outside it can be let in or kept out';

/** Marks every listed property as used. */
export const used = <Name extends string>(...names: Name[]): Record<Name, string> => Object.fromEntries(names.map((name) => [name, 'used'])) as Record<Name, string>;

/** Gives every listed property the same reason. */
export const without = (reason: string, ...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, reason]));
