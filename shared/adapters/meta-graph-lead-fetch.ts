// Answers of Meta leads, from the Graph API.

import { sourceNamed } from '../domain/source-name.ts';
import type { FetchedLead, LeadFetch } from '../ports/lead-fetch.ts';
import type { SourceSecrets } from '../ports/source-secrets.ts';

const GRAPH = 'https://graph.facebook.com/v24.0';
const FIELDS = 'created_time,field_data,custom_disclaimer_responses';
/** The opening of the handoff waits for it, a customer waits for that. */
const TIMEOUT_MS = 3000;
const MOST_CHARACTERS = 200_000;

/** Where the token is, and how requests are made. */
export type GraphAccess = { tokens: SourceSecrets; request?: typeof fetch };

/** Two attempts with each token in use: those of the site, else those of the provider's own address. The token travels in a header, so that no address in a log holds it. */
export function metaGraphLeadFetch({ tokens, request = fetch }: GraphAccess): LeadFetch {
  return {
    async fetch({ system, id }, site) {
      if (system !== 'meta' || !/^\d{5,30}$/.test(id)) return { kind: 'unavailable', because: 'answers of this system are not fetched' };
      const known = await tokensOf(tokens, site).catch(() => undefined);
      if (known === undefined) return { kind: 'unavailable', because: 'the token cannot be read' };
      let last: FetchedLead = { kind: 'unavailable', because: 'no token is set up' };
      for (const token of known.slice(0, 2).flatMap((one) => [one, one])) {
        last = await attempt(request, id, token);
        if (last.kind === 'fetched') return last;
      }
      return last;
    },
  };
}

async function tokensOf(tokens: SourceSecrets, site: string | undefined): Promise<readonly string[]> {
  const own = site === undefined ? [] : await tokens.active(sourceNamed('meta', site));
  return own.length > 0 ? own : tokens.active('meta');
}

async function attempt(request: typeof fetch, id: string, token: string): Promise<FetchedLead> {
  try {
    const response = await request(`${GRAPH}/${id}?fields=${FIELDS}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return { kind: 'unavailable', because: `the system answered ${response.status}` };
    const text = await response.text();
    return text.length > MOST_CHARACTERS ? { kind: 'unavailable', because: 'the answer is too large' } : leadIn(JSON.parse(text));
  } catch {
    return { kind: 'unavailable', because: 'the system did not answer' };
  }
}

/** What is not there as expected is left out: a lead with half its answers is still a lead. */
function leadIn(body: unknown): FetchedLead {
  const { created_time: createdAt, field_data: fields, custom_disclaimer_responses: boxes } = objectOf(body);
  if (!Array.isArray(fields)) return { kind: 'unavailable', because: 'the answer holds no lead' };
  const answers = fields.map(objectOf).flatMap(({ name, values }) => (typeof name === 'string' && Array.isArray(values) ? [{ name, value: values.map(String).join(', ') }] : []));
  const consents = (Array.isArray(boxes) ? boxes : [])
    .map(objectOf)
    .flatMap(({ checkbox_key: key, is_checked: checked }) => (typeof key === 'string' ? [{ key, checked: checked === true || checked === '1' || checked === 1 }] : []));
  return { kind: 'fetched', answers, consents, ...(typeof createdAt === 'string' && { createdAt }) };
}

const objectOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});
