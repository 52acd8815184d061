/** A string or number that only one kind of thing may use. */
type Brand<T, Name extends string> = T & { readonly __brand: Name };

/** Names one handoff; `h-` and 32 hexadecimal digits, derived from the signal's source and event id so that a repeated delivery names the same handoff. Never personal data. */
export type HandoffId = Brand<string, 'HandoffId'>;

/** Names one person of the roster, as written in `policy/roster.yaml`. */
export type PersonId = Brand<string, 'PersonId'>;

/** Names one command. The same id means the same wish, however often it arrives. */
export type CommandId = Brand<string, 'CommandId'>;

export const handoffId = (text: string) => text as HandoffId;
export const personId = (text: string) => text as PersonId;
export const commandId = (text: string) => text as CommandId;
