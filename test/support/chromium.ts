// A real browser, headless, with nothing of its own going on.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Opens a browser of one window; says what to install when there is none. */
export async function openBrowser(options: { width: number; height: number; script?: boolean; locale?: string }): Promise<{ browser: BrowserContext; close(): Promise<void> }> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error('no Chromium found: apt-get install chromium, or name one in CHROMIUM');
  const profile = mkdtempSync(join(tmpdir(), 'baton-browser-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: QUIET,
    viewport: { width: options.width, height: options.height },
    javaScriptEnabled: options.script ?? true,
    locale: options.locale ?? 'en-US',
  });
  const close = async () => {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { browser, close };
}
