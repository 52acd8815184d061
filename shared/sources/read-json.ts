// JSON from strangers: bounded in depth and keys, no duplicate keys, no lost digits (WH-10). Parsed by hand because
// JSON.parse keeps the last of two equal keys, rounds long numbers and has no limit of depth.

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
/** Without a prototype, so no key has a meaning of its own. */
export type JsonObject = { [key: string]: JsonValue };

const MAX_DEPTH = 20;
const MAX_KEYS = 500;

const BLANK = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside text, so they must be named
const TEXT = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null };

class NotJson extends Error {
  override readonly name = 'NotJson';
}

/** The value, or undefined when the text is not JSON within the limits. A number that JavaScript cannot hold exactly stays the text it was. */
export function readJson(text: string): JsonValue | undefined {
  try {
    const reader: Reader = { text, at: 0, keys: 0 };
    const value = readValue(reader, 1);
    take(reader, BLANK);
    return reader.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

type Reader = { readonly text: string; at: number; keys: number };

function readValue(reader: Reader, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new NotJson('too deep');
  take(reader, BLANK);
  switch (reader.text[reader.at]) {
    case '{':
      return readObject(reader, depth);
    case '[':
      return readArray(reader, depth);
    case '"':
      return readText(reader);
    default:
      return readScalar(reader);
  }
}

function readScalar(reader: Reader): JsonValue {
  const word = take(reader, WORD);
  if (word !== '') return WORDS[word] ?? null;
  const digits = take(reader, NUMBER);
  if (digits === '') throw new NotJson('no value');
  const number = Number(digits);
  return String(number) === digits ? number : digits;
}

function readText(reader: Reader): string {
  const quoted = take(reader, TEXT);
  if (quoted === '') throw new NotJson('no text');
  return (JSON.parse(quoted) as string).toWellFormed();
}

function readArray(reader: Reader, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  readItems(reader, ']', () => items.push(readValue(reader, depth + 1)));
  return items;
}

function readObject(reader: Reader, depth: number): JsonObject {
  const object: JsonObject = Object.create(null);
  readItems(reader, '}', () => {
    const key = readText(reader);
    reader.keys += 1;
    if (reader.keys > MAX_KEYS || key === '__proto__' || key in object) throw new NotJson('refused key');
    take(reader, BLANK);
    expect(reader, ':');
    object[key] = readValue(reader, depth + 1);
  });
  return object;
}

/** Everything between an opening bracket, where the reader stands, and its end. */
function readItems(reader: Reader, end: ']' | '}', readItem: () => void): void {
  reader.at += 1;
  take(reader, BLANK);
  if (reader.text[reader.at] === end) {
    reader.at += 1;
    return;
  }
  for (;;) {
    take(reader, BLANK);
    readItem();
    take(reader, BLANK);
    if (reader.text[reader.at] !== ',') break;
    reader.at += 1;
  }
  expect(reader, end);
}

function take(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? '';
  reader.at += found.length;
  return found;
}

function expect(reader: Reader, character: string): void {
  if (reader.text[reader.at] !== character) throw new NotJson('unexpected character');
  reader.at += 1;
}
