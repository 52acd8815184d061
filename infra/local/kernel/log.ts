import { type LogLine, spoken, spokenValue } from './spoken-line.ts';

const KEPT_LINES = 20_000;

/** The runtime's log: printed as it happens, and the last lines kept for the console. */
export class RuntimeLog {
  readonly #lines: LogLine[] = [];
  readonly #now: () => number;
  readonly #print: ((line: string) => void) | undefined;

  constructor(now: () => number, print?: (line: string) => void) {
    this.#now = now;
    this.#print = print;
  }

  readonly write = (line: { service: string; message: string; [field: string]: unknown }): void => {
    const kept = { at: new Date(this.#now()).toISOString(), ...line };
    this.#lines.push(kept);
    if (this.#lines.length > KEPT_LINES * 1.1) this.#lines.splice(0, this.#lines.length - KEPT_LINES);
    this.#print?.(readable(kept));
  };

  /** Kept lines that mention `text`, and all other lines of the invocations that did, oldest first. */
  lines(text = ''): LogLine[] {
    if (text === '') return [...this.#lines];
    const mentions = new Set(this.#lines.filter((line) => JSON.stringify(line).includes(text)));
    const requests = new Set([...mentions].map((line) => line.requestId).filter((id) => typeof id === 'string' && id !== ''));
    return this.#lines.filter((line) => mentions.has(line) || requests.has(line.requestId as string));
  }
}

/** One line a person can read: time, who says it, message, then the fields that are left. */
export function readable(line: LogLine): string {
  const { at, speaker, message, fields, requestId } = spoken(line);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${spokenValue(value)}`);
  return [at.slice(11, 23), speaker.padEnd(10), message, ...rest, requestId === '' ? '' : `requestId=${requestId}`].filter((part) => part !== '').join(' ');
}
