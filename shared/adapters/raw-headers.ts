// Headers of a delivery beside its bytes: S3 keeps metadata as ASCII in headers of its own, so they go there as one text.

/** The name of the metadata, without the prefix that S3 puts before it. */
export const RAW_HEADERS = 'baton-headers';

export const packedHeaders = (headers: Readonly<Record<string, string>>): string => Buffer.from(JSON.stringify(headers), 'utf8').toString('base64url');

/** What was packed; nothing of a delivery that was kept without headers, or whose metadata somebody changed. */
export function unpackedHeaders(packed: string | undefined): Record<string, string> {
  try {
    const found: unknown = JSON.parse(Buffer.from(packed ?? '', 'base64url').toString('utf8'));
    return typeof found === 'object' && found !== null ? Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)])) : {};
  } catch {
    return {};
  }
}
