// Slack: buttons on our own messages. A click is announced, never decided here: two people clicking at once is normal, and only the row can tell who was first.

import { ContractError } from '../contracts/contract-error.ts';
import type { Delivery, Reading } from '../ports/signal-source.ts';
import type { Provider } from './provider.ts';
import { type JsonObject, readJson } from './read-json.ts';
import { statedEventId } from './stated-event-id.ts';
import { isObject, textOf } from './stated-facts.ts';
import { statedInstant } from './stated-instant.ts';
import { ignored, instantIn, objectIn, objectsIn } from './stated-signal.ts';
import { timedHmac, twoHeaders } from './verify/raw-hmac.ts';

/** Signed are the bytes of the form, before anything is decoded. */
const signature = timedHmac({
  encoding: 'hex',
  unit: 'seconds',
  front: (time) => `v0:${time}:`,
  layout: twoHeaders('x-slack-signature', 'x-slack-request-timestamp', 'v0='),
});

/** `<team id>=<signing secret>`: a workspace that is not listed is refused, although the app that signs is the same for all. */
const SECRET = /^(T[A-Z0-9]{2,30})=(\S{10,200})$/;

export const slackActions: Provider = {
  name: 'slack',
  title: 'Slack',
  secret: { from: 'provider', what: 'your workspace id and the signing secret of the app, as T0123ABCD=<signing secret>' },
  setup: [
    'api.slack.com > your app > Interactivity & Shortcuts: on, Request URL <url>.',
    'Basic Information: copy the signing secret.',
    'OAuth & Permissions: give the bot chat:write, install it, and store its token: baton source add slack --fetch-token -.',
  ],
  contentTypes: ['application/x-www-form-urlencoded'],
  verification: {
    verify: (delivery, secrets, now) =>
      secrets.some((secret) => {
        const [, team, key] = SECRET.exec(secret) ?? [];
        return key !== undefined && signature.verify(delivery, [key], now) && textOf(objectIn(payloadIn(delivery)?.team).id) === team;
      }),
    sign: (delivery, secret, now) => signature.sign(delivery, SECRET.exec(secret)?.[2] ?? '', now),
  },
  read: (delivery, receivedAt) => readPayload(payloadIn(delivery), receivedAt),
  /** Anything in the body would replace the message. */
  answer: () => ({ status: 200, contentType: 'text/plain; charset=utf-8', body: '' }),
};

function payloadIn({ body }: Delivery): JsonObject | undefined {
  const [text, ...others] = new URLSearchParams(new TextDecoder().decode(body)).getAll('payload');
  const payload = text === undefined || others.length > 0 ? undefined : readJson(text);
  return isObject(payload) ? payload : undefined;
}

/** The deprecated `token` of a payload proves nothing and is not looked at. */
function readPayload(payload: JsonObject | undefined, receivedAt: string): Reading {
  if (payload === undefined) return { kind: 'unreadable' };
  if (payload.type !== 'block_actions') return ignored('no button');
  const buttons = objectsIn(payload.actions).filter(({ type }) => type === 'button');
  if (buttons.length === 0) return ignored('a selection, not a button');
  const [team, user, channel] = [payload.team, payload.user, payload.channel].map((part) => textOf(objectIn(part).id));
  const messageTs = textOf(objectIn(payload.container).message_ts) ?? textOf(objectIn(payload.message).ts);
  const { action_id: actionId, value, action_ts: actionTs } = buttons[0] ?? {};
  const [action, link, clickedAt] = [textOf(actionId), textOf(value), textOf(actionTs)];
  if (!isShort(team) || !isShort(user) || !isShort(channel) || !isShort(messageTs) || !isShort(action) || !isShort(link) || !isShort(clickedAt))
    throw new ContractError('the click', ['team', 'user', 'channel', 'message', 'actions']);
  return {
    kind: 'signals',
    signals: [],
    announcements: [
      {
        kind: 'slack.answered',
        eventId: statedEventId([team, channel, messageTs, action, clickedAt].join(':')),
        occurredAt: statedInstant(instantIn('seconds', clickedAt) ?? '', receivedAt) ?? receivedAt,
        team,
        user,
        channel,
        messageTs,
        action,
        value: link,
        chosen: chosenIn(payload),
      },
    ],
  };
}

const isShort = (text: string | undefined): text is string => text !== undefined && text.length <= 200;

/** Selections on the message by action id: an option's value, a picked date or time, or typed text. */
function chosenIn({ state }: JsonObject): Record<string, string> {
  const inputs = Object.values(objectIn(objectIn(state).values)).flatMap((block) => Object.entries(objectIn(block)));
  const chosen = inputs.flatMap(([id, input]): [string, string][] => {
    const { selected_option: option, selected_date_time: instant, selected_date: date, value } = objectIn(input);
    const text = textOf(objectIn(option).value) ?? textOf(instant) ?? textOf(date) ?? textOf(value);
    return text === undefined || id === '__proto__' || id.length > 200 ? [] : [[id, text.slice(0, 3000)]];
  });
  return Object.fromEntries(chosen.slice(0, 50));
}
