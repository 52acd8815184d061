/** A mistake of the person at the keyboard: told in one sentence, without a stack, exit status 2. */
export class UsageError extends Error {}

/** What a command prints to, so that tests can read it. */
export type Output = { line(text: string): void; error(text: string): void };

/** One `baton <name>`; answers with the exit status. */
export type Command = { name: string; summary: string; help: string; run(args: string[], output: Output): Promise<number> };
