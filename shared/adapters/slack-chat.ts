// Direct messages in Slack, through its Web API.

import type { Sent, SlackSender } from '../ports/message-sender.ts';
import type { SourceSecrets } from '../ports/source-secrets.ts';
import { neverLeft } from './never-left.ts';

const POST_MESSAGE = 'https://slack.com/api/chat.postMessage';
const TIMEOUT_MS = 5000;
/** Errors of Slack that leave open what became of the message. */
const UNCLEAR: ReadonlySet<string> = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org']);
/** Errors of Slack that say it took nothing now. All others say that it never will. */
const NOT_TAKEN: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited']);

/** Where the bot's token is, and how requests are made. */
export type SlackAccess = { tokens: SourceSecrets; request?: typeof fetch };

/** One attempt a call, as with e-mail (MS-05). The token travels in a header and is in no error. */
export function slackChat({ tokens, request = fetch }: SlackAccess): SlackSender {
  return {
    async send({ to, text, blocks }) {
      const [token] = await tokens.active('slack');
      if (token === undefined) return { kind: 'refused', because: 'no Slack token is set up' };
      const body = JSON.stringify({ channel: to, text, ...(blocks !== undefined && { blocks }), unfurl_links: false, unfurl_media: false });
      try {
        return await answerTo(await request(POST_MESSAGE, posting(token, body)));
      } catch (error) {
        const because = neverLeft(error);
        if (because !== undefined) return { kind: 'not-taken', because };
        throw error;
      }
    },
  };
}

const posting = (token: string, body: string): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
  body,
  redirect: 'error',
  signal: AbortSignal.timeout(TIMEOUT_MS),
});

async function answerTo(response: Response): Promise<Sent> {
  if (response.status === 429) return { kind: 'not-taken', because: 'ratelimited' };
  if (!response.ok) throw new Error(`Slack answered ${response.status}`);
  return sentOr((await response.json()) as Answer);
}

type Answer = { ok?: unknown; error?: unknown; channel?: unknown; ts?: unknown };

function sentOr({ ok, error, channel, ts }: Answer): Sent {
  if (ok === true) return { kind: 'sent', providerId: `${String(channel)}:${String(ts)}` };
  const because = typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : 'an unknown error';
  if (NOT_TAKEN.has(because)) return { kind: 'not-taken', because };
  if (UNCLEAR.has(because)) throw new Error(`Slack answered ${because}`);
  return { kind: 'refused', because };
}
