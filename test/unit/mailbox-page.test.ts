import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { mailboxPage } from '../../infra/local/pages/mailbox.ts';
import { linksIn, mailbox } from '../../infra/local/services/mailbox.ts';

const aMailbox = (over: object = {}) => {
  const db = new DatabaseSync(':memory:');
  mailbox(db).add({
    channel: 'email',
    to: 'ana@roof.example',
    from: 'b@roof.example',
    subject: 'Hello',
    text: 'Hi',
    html: '',
    sentAt: '2026-03-02T10:00:00.000Z',
    undelivered: '',
    ...over,
  });
  return mailboxPage(db, 'text/html,*/*');
};

describe('the mailbox page', () => {
  it('escapes everything a sender controls', () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const { body } = aMailbox({ to: evil, subject: evil, text: evil, html: `"></iframe><script>${evil}</script>` });
    expect(body).not.toMatch(/<img|<script/);
    expect(body.match(/<iframe/g)).toHaveLength(1);
    expect(body).toContain('srcdoc="&lt;base target=&quot;_blank&quot;&gt;&quot;&gt;&lt;/iframe&gt;');
  });

  it('lets the HTML run nothing', () => {
    const page = aMailbox({ html: '<p>hi</p>' });
    expect(page.body).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('makes web addresses clickable and nothing else', () => {
    const { body } = aMailbox({ text: 'See https://b.example/a/X?a=1&b=2. Not javascript:alert(1)' });
    expect(body).toContain('<a href="https://b.example/a/X?a=1&amp;b=2" rel="noreferrer" target="_blank">https://b.example/a/X?a=1&amp;b=2</a>. Not javascript:alert(1)');
  });

  it('says so when nothing was sent', () => expect(mailboxPage(new DatabaseSync(':memory:'), '').body).toContain('Nothing was sent yet'));
});

it.each([
  ['Go to https://a.example/x, or (https://a.example/y).', '', ['https://a.example/x', 'https://a.example/y']],
  ['https://a.example/x', '<a href="https://a.example/x">x</a><a href=\'https://a.example/z\'>z</a>', ['https://a.example/x', 'https://a.example/z']],
  ['none', '<a href="javascript:alert(1)">x</a>', []],
])('finds the links of "%s"', (text, html, links) => expect(linksIn(text, html)).toEqual(links));
