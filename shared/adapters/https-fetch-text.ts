import type { FetchText } from '../ports/signal-source.ts';

const TIMEOUT_MS = 3000;
/** A certificate chain has a few kilobytes. */
const MOST_CHARACTERS = 64_000;

/** Text from https addresses: no redirect is followed, nothing is sent along, and whatever goes wrong is no text (WH-08). */
export const fetchText: FetchText = (url) => fetchTextWith(fetch, url);

/** As `fetchText`, by a request function from anywhere. */
export async function fetchTextWith(request: typeof fetch, url: string): Promise<string | undefined> {
  if (!url.startsWith('https://')) return undefined;
  try {
    const response = await request(url, { redirect: 'error', credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) return undefined;
    const text = await response.text();
    return text.length <= MOST_CHARACTERS ? text : undefined;
  } catch {
    return undefined;
  }
}
