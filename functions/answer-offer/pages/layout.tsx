import { raw } from 'hono/html';
import type { PropsWithChildren } from 'hono/jsx';
import { STYLES } from './styles.ts';

type Frame = { language: 'en' | 'es'; title: string; styleNonce: string; aside?: string };

/** The frame of every page: no script, nothing from elsewhere, a title that gives nothing away to a chat preview (LK-05, LK-17). */
export const Layout = ({ language, title, styleNonce, aside, children }: PropsWithChildren<Frame>) => (
  <html lang={language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <meta name="color-scheme" content="light dark" />
      <title>{title} · Baton</title>
      <style nonce={styleNonce}>{raw(STYLES)}</style>
    </head>
    <body>
      <header class="brand">
        <b>Baton</b>
        {aside !== undefined && <span>{aside}</span>}
      </header>
      {children}
    </body>
  </html>
);
