// Forms from strangers: URL-encoded, and the text parts of multipart. Bounded, and no name has a meaning of its own.

import type { Delivery } from '../ports/signal-source.ts';
import type { Field } from './stated-signal.ts';

const MAX_FIELDS = 500;

/** The media type of a delivery, without its parameters. */
export const mediaTypeOf = ({ headers }: Pick<Delivery, 'headers'>): string => (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The fields of a URL-encoded body in order, or undefined beyond the limits. A name that comes several times is a list. */
export function readForm({ body }: Pick<Delivery, 'body'>): Field[] | undefined {
  const form = new URLSearchParams(new TextDecoder().decode(body));
  return form.size > MAX_FIELDS ? undefined : grouped([...form]);
}

/** The text parts of a multipart body, or undefined when it is not one. Files are left out. */
export function readMultipart({ headers, body }: Delivery): Field[] | undefined {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))/i.exec(headers['content-type'] ?? '');
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return undefined;
  const sections = `\r\n${new TextDecoder().decode(body)}`.split(`\r\n--${mark}`);
  const end = sections.at(-1);
  if (sections.length < 2 || sections.length > MAX_FIELDS + 2 || end === undefined || !end.startsWith('--')) return undefined;
  return grouped(sections.slice(1, -1).flatMap(partIn));
}

function partIn(section: string): [string, string][] {
  const split = section.indexOf('\r\n\r\n');
  if (split === -1) return [];
  const head = section.slice(0, split);
  const name = /^content-disposition:\s*form-data;.*?\bname="([^"\r\n]*)"/im.exec(head)?.[1];
  return name === undefined || /\bfilename\*?=/i.test(head) ? [] : [[name, section.slice(split + 4)]];
}

function grouped(pairs: readonly [string, string][]): Field[] {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value.toWellFormed()]);
  return [...values].map(([name, all]) => [name.toWellFormed(), all.length === 1 ? (all[0] ?? '') : all]);
}

/** The value of a field that came once as text. */
export function textIn(fields: readonly Field[], name: string): string | undefined {
  const value = fields.find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}
