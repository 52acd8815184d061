// Direct messages in Slack, through its Web API.

import type { Sent, SlackSender } from '../ports/message-sender.ts';
import type { SourceSecrets } from '../ports/source-secrets.ts';

const POST_MESSAGE = 'https://slack.com/api/chat.postMessage';
const TIMEOUT_MS = 5000;
/** Errors of Slack that pass, or that leave open what became of the message. All others say that it was not sent. */
const UNCLEAR: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org']);

/** Where the bot's token is, and how requests are made. */
export type SlackAccess = { tokens: SourceSecrets; request?: typeof fetch };

/** One attempt a call, as with e-mail (MS-05). The token travels in a header and is in no error. */
export function slackChat({ tokens, request = fetch }: SlackAccess): SlackSender {
  return {
    async send({ to, text, blocks }) {
      const [token] = await tokens.active('slack');
      if (token === undefined) return { kind: 'refused', because: 'no Slack token is set up' };
      const response = await request(POST_MESSAGE, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ channel: to, text, ...(blocks !== undefined && { blocks }), unfurl_links: false, unfurl_media: false }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`Slack answered ${response.status}`);
      return sentOr((await response.json()) as Answer);
    },
  };
}

type Answer = { ok?: unknown; error?: unknown; channel?: unknown; ts?: unknown };

function sentOr({ ok, error, channel, ts }: Answer): Sent {
  if (ok === true) return { kind: 'sent', providerId: `${String(channel)}:${String(ts)}` };
  const because = typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : 'an unknown error';
  if (UNCLEAR.has(because)) throw new Error(`Slack answered ${because}`);
  return { kind: 'refused', because };
}
