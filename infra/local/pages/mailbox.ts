import type { DatabaseSync } from 'node:sqlite';
import { type MailboxMessage, mailbox } from '../services/mailbox.ts';

export type Page = { status: number; headers: Record<string, string>; body: string };

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

const STYLE = `
:root { color-scheme: light dark; --line: #d7dbe0; --soft: #5b6470; --card: #fff; --page: #f3f5f7; --ink: #14181d; --link: #0b57c4; --warn: #9a3412; }
@media (prefers-color-scheme: dark) { :root { --line: #363d46; --soft: #a2acb8; --card: #1b2027; --page: #12161b; --ink: #edf0f3; --link: #8ab8ff; --warn: #fdba74; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { margin: 0; font-size: 1.4rem; }
header p, .facts, .empty { margin: .25rem 0 0; color: var(--soft); }
article { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin-bottom: 1rem; overflow-wrap: anywhere; }
h2 { margin: .25rem 0 0; font-size: 1.05rem; }
.facts { font-size: .875rem; }
.channel { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .5rem; font-weight: 600; color: var(--ink); }
.warn { color: var(--warn); font-weight: 600; }
pre { margin: .75rem 0 0; white-space: pre-wrap; font: inherit; }
a { color: var(--link); }
ul { margin: .75rem 0 0; padding-left: 1.25rem; }
details { margin-top: .75rem; }
summary { cursor: pointer; color: var(--soft); }
iframe { width: 100%; height: 30rem; margin-top: .5rem; border: 1px solid var(--line); border-radius: .4rem; background: #fff; }
`;

const WEB_ADDRESS = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/g;
const anchor = (link: string): string => `<a href="${escaped(link)}" rel="noreferrer" target="_blank">${escaped(link)}</a>`;

/** Escapes a text and makes its web addresses clickable. */
const linked = (text: string): string => {
  let at = 0;
  let out = '';
  for (const found of text.matchAll(WEB_ADDRESS)) {
    out += escaped(text.slice(at, found.index)) + anchor(found[0]);
    at = found.index + found[0].length;
  }
  return out + escaped(text.slice(at));
};

/** The HTML body as its reader would see it, kept in a frame that may run nothing and only open links elsewhere. */
const htmlBody = (html: string): string =>
  html === ''
    ? ''
    : `<details><summary>As HTML</summary><iframe title="HTML version" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escaped(`<base target="_blank">${html}`)}"></iframe></details>`;

const linkList = (message: MailboxMessage): string => {
  const hidden = message.links.filter((link) => !message.text.includes(link));
  return hidden.length === 0 ? '' : `<ul>${hidden.map((link) => `<li>${anchor(link)}</li>`).join('')}</ul>`;
};

const CHANNELS = { email: 'Email', sms: 'Text message' };

const article = (message: MailboxMessage): string => `
<article id="message-${escaped(message.id)}">
<p class="facts"><span class="channel">${CHANNELS[message.channel]}</span> to <strong>${escaped(message.to)}</strong> · <time datetime="${escaped(message.sentAt)}">${escaped(message.sentAt.replace('T', ' ').slice(0, 19))} UTC</time></p>
${message.undelivered === '' ? '' : `<p class="warn">Not delivered (${escaped(message.undelivered)})</p>`}
${message.subject === '' ? '' : `<h2>${escaped(message.subject)}</h2>`}
${message.text === '' ? '' : `<pre>${linked(message.text)}</pre>`}${linkList(message)}${htmlBody(message.html)}
</article>`;

/** All messages as a page, newest first. */
export const renderMailbox = (messages: readonly MailboxMessage[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Mailbox (${messages.length})</title><style>${STYLE}</style></head>
<body><header><h1>Mailbox</h1><p>What Baton sent, to anybody, newest first. Nothing here left this machine. Reload to see more.</p></header>
<main>${messages.length === 0 ? '<p class="empty">Nothing was sent yet.</p>' : messages.map(article).join('')}</main></body></html>
`;

const shown = ({ id, channel, to, subject, text, html, links, sentAt }: MailboxMessage) => ({ id, channel, to, subject, text, html, links, sentAt });

/**
 * Answers `GET /_baton/mailbox`: a page for people, an array for programs that accept JSON. Mail that bounced reached
 * nobody: the page shows it as not delivered, the array leaves it out.
 */
export const mailboxPage = (db: DatabaseSync, accept: string): Page => {
  const messages = mailbox(db).all();
  if (accept.includes('application/json'))
    return {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      body: JSON.stringify(messages.filter((one) => one.undelivered === '').map(shown)),
    };
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
    body: renderMailbox(messages),
  };
};
