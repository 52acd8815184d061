const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;', '\r': '&#13;' };

export type Xml = string | number | boolean | Xml[] | { [name: string]: Xml | undefined };

const escaped = (text: string): string => text.replace(/[&<>"'\r]/g, (char) => ESCAPES[char] ?? char);

const element = (name: string, value: Xml): string => {
  if (Array.isArray(value)) return value.map((one) => element(name, one)).join('');
  return `<${name}>${content(value)}</${name}>`;
};

const content = (value: Exclude<Xml, Xml[]>): string =>
  typeof value === 'object'
    ? Object.entries(value)
        .map(([name, inner]) => (inner === undefined ? '' : element(name, inner)))
        .join('')
    : escaped(String(value));

/** A document of S3. */
export const xmlDocument = (name: string, value: { [name: string]: Xml | undefined }): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content(value)}</${name}>`;
