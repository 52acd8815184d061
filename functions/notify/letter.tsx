// An e-mail as plain text and as HTML, from the same words. A link stands on a line of its own (LK-07), and nothing leads elsewhere (LK-17, LK-26).

import { raw } from 'hono/html';

/** What an e-mail says. */
export type Letter = {
  language: 'en' | 'es';
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Names and values, such as how to reach the customer. */
  facts?: readonly (readonly [name: string, value: string])[];
  link?: { label: string; url: string };
  /** Several messages in one, each with its own link. */
  sections?: readonly Section[];
  /** A second link, with the sentence that says what it is. */
  further?: { label: string; url: string };
  foot: readonly string[];
};

/** One of several messages in a letter. */
export type Section = { title: string } & Pick<Letter, 'paragraphs' | 'facts' | 'link'>;

export function letterText({ greeting, paragraphs, facts, link, sections = [], further, foot }: Letter): string {
  const blocks = [
    greeting,
    ...blocksOf({ paragraphs, ...(facts && { facts }), ...(link && { link }) }),
    ...sections.flatMap((section) => [`* ${section.title}`, ...blocksOf(section)]),
    ...(further !== undefined ? [`${further.label}\n${further.url}`] : []),
    foot.join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const blocksOf = ({ paragraphs, facts = [], link }: Pick<Letter, 'paragraphs' | 'facts' | 'link'>): string[] => [
  ...paragraphs,
  ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
  ...(link !== undefined ? [`${link.label}:\n${link.url}`] : []),
];

const BODY = 'margin:0;padding:24px 16px;background:#f4f2ee;color:#1c1b22;font:16px/1.5 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif';
const CARD = 'max-width:34rem;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #d9d4cc;border-radius:14px';
const BUTTON = 'display:inline-block;padding:12px 22px;background:#3d2f8f;color:#ffffff;border-radius:10px;font-weight:600;text-decoration:none';

/** Everything is escaped where it is put in (WH-15). */
export function letterHtml({ language, subject, greeting, paragraphs, facts, link, sections = [], further, foot }: Letter): string {
  const page = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{subject}</title>
      </head>
      <body style={BODY}>
        <div style={CARD}>
          <p style="margin:0 0 12px">{greeting}</p>
          {bodyOf({ paragraphs, ...(facts && { facts }), ...(link && { link }) })}
          {sections.map(({ title, ...rest }) => (
            <div style="margin:20px 0 0;padding-top:12px;border-top:1px solid #d9d4cc">
              <p style="margin:0 0 12px;font-weight:600">{title}</p>
              {bodyOf(rest)}
            </div>
          ))}
          {further !== undefined && (
            <p style="margin:0 0 12px">
              <a href={further.url} style="color:#3d2f8f">
                {further.label}
              </a>
            </p>
          )}
          <p style="margin:16px 0 0;font-size:13px;color:#57535e;white-space:pre-line">{foot.join('\n')}</p>
        </div>
      </body>
    </html>
  );
  return `<!doctype html>${page}`;
}

const bodyOf = ({ paragraphs, facts = [], link }: Pick<Letter, 'paragraphs' | 'facts' | 'link'>) => (
  <>
    {paragraphs.map((paragraph) => (
      <p style="margin:0 0 12px;white-space:pre-line">{paragraph}</p>
    ))}
    {facts.length > 0 && (
      <p style="margin:0 0 16px">
        {facts.map(([name, value]) => (
          <>
            <span style="color:#57535e">{name}:</span> <strong>{value}</strong>
            {raw('<br>')}
          </>
        ))}
      </p>
    )}
    {link !== undefined && (
      <>
        <p style="margin:20px 0 8px">
          <a href={link.url} style={BUTTON}>
            {link.label}
          </a>
        </p>
        <p style="margin:0 0 12px;font-size:13px;color:#57535e;word-break:break-all">{link.url}</p>
      </>
    )}
  </>
);
