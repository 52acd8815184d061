// A person with a phone: from the webhook over the mailbox and the page to a receipt that verifies offline.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbTable } from '../../shared/adapters/dynamodb-table.ts';
import { handoffId } from '../../shared/domain/ids.ts';
import { openBrowser } from '../support/chromium.ts';
import { linkIn, type Message, readMailbox } from '../support/mailbox.ts';
import { type RunningBaton, startBaton } from '../support/running-baton.ts';

let baton: RunningBaton;
let phone: Awaited<ReturnType<typeof openBrowser>>;
const work = mkdtempSync(join(tmpdir(), 'baton-e2e-'));

beforeAll(async () => {
  baton = await startBaton();
  phone = await openBrowser({ width: 390, height: 844, script: false });
});
afterAll(async () => {
  await phone?.close();
  await baton?.stop();
  rmSync(work, { recursive: true, force: true });
});

/** Runs the command line as a person does. */
function cli(...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/baton.mjs', ...args], { encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

/** Sends a sample lead and answers with its handoff and the first offer's e-mail. */
async function aLead(sample = 'roof-inspection'): Promise<{ handoff: string; message: Message }> {
  const before = (await readMailbox(baton.urls.mailbox)).length;
  const { status, text } = cli('send', sample, '--data', baton.dataDir);
  expect(status, text).toBe(0);
  await baton.settled();
  const handoff = /h-[0-9a-f]{32}/.exec(text)?.[0] ?? '';
  const message = (await readMailbox(baton.urls.mailbox)).slice(before).find((one) => one.channel === 'email' && one.links.length > 0); // the customer may be told something too
  if (message === undefined) throw new Error('nobody was asked');
  return { handoff, message };
}

async function stateOf(handoff: string): Promise<{ state: string | undefined; receipts: string[] }> {
  const store = dynamodbHandoffStore(dynamodbTable(baton.outputs.TableName ?? ''));
  const [loaded, receipts] = await Promise.all([store.load(handoffId(handoff)), store.receipts(handoffId(handoff))]);
  return { state: loaded?.handoff.state, receipts: receipts.map((one) => one.kind) };
}

/** What a screen reader user would stumble over, by the rules of WCAG 2.2 AA. */
async function barriers(url: string): Promise<string[]> {
  const desk = await openBrowser({ width: 1280, height: 900 });
  try {
    const page = await desk.browser.newPage();
    await page.goto(url);
    await page.evaluate(axe.source);
    const found = (await page.evaluate('axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })')) as axe.AxeResults;
    return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`);
  } finally {
    await desk.close();
  }
}

const sideways = (page: Page) => page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);

it('O-01 O-05: on a 390 px screen without scripts, a person says yes, and the receipt verifies offline', async () => {
  const { handoff, message } = await aLead();
  const page = await phone.browser.newPage();
  await page.goto(linkIn(message));
  expect(await page.content()).not.toContain('@example.com');
  expect(await page.locator('input[type=radio]:checked').count()).toBe(0);

  await page.locator('input[name=nextAction][value=call]').first().check();
  await page.locator('input[name=dueChoice]:not([value=other])').first().check();
  await page.locator('button[name=action][value=accept]').click();
  await page.waitForLoadState();

  expect(await stateOf(handoff)).toMatchObject({ state: 'accepted' });
  const keys = await fetch(new URL('/.well-known/baton-keys.json', baton.urls.console));
  const receipt = await fetch(`${linkIn(message)}/receipt`);
  writeFileSync(join(work, 'keys.json'), await keys.text());
  const jws = await receipt.text();
  writeFileSync(join(work, 'receipt.jws'), jws);
  const genuine = cli('verify', join(work, 'receipt.jws'), '--keys', join(work, 'keys.json'));
  expect(genuine.text).toContain('Genuine');
  expect(genuine.status).toBe(0);

  const [head = '', body = '', signature = ''] = jws.trim().split('.');
  const forged = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), acceptedOwner: 'mallory' })).toString('base64url');
  writeFileSync(join(work, 'forged.jws'), `${head}.${forged}.${signature}`);
  expect(cli('verify', join(work, 'forged.jws'), '--keys', join(work, 'keys.json')).status).toBe(1);
});

it('O-03 LK-01 LK-02 LK-03: a scanner that opens, runs and presses what it finds changes nothing', async () => {
  const { handoff, message } = await aLead();
  const before = await stateOf(handoff);
  const link = linkIn(message);
  const agents = ['Slackbot-LinkExpanding 1.0', 'facebookexternalhit/1.1', 'WhatsApp/2', 'Mozilla/5.0 (scanner)'];
  for (const agent of agents) {
    await fetch(link, { headers: { 'user-agent': agent } });
    await fetch(link, { method: 'HEAD', headers: { 'user-agent': agent } });
  }
  for (const method of ['PUT', 'DELETE', 'PATCH']) expect((await fetch(link, { method })).status).toBe(405);

  const scanner = await openBrowser({ width: 1280, height: 900 });
  const page = await scanner.browser.newPage();
  const buttons = await page.goto(link).then(() => page.locator('button').count());
  for (let number = 0; number < buttons; number++) {
    await page.goto(link);
    await page.evaluate('for (const folded of document.querySelectorAll("details")) folded.open = true');
    await page.locator('button').nth(number).click();
    await page.waitForLoadState();
  }
  await scanner.close();

  await baton.settled();
  expect(buttons).toBeGreaterThan(0);
  expect(await stateOf(handoff)).toEqual(before);
});

it('the pages hold on a phone and for a screen reader, in English and in Spanish', async () => {
  const { message } = await aLead('tejado');
  const page = await phone.browser.newPage();
  await page.goto(linkIn(message));
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  expect(await sideways(page)).toBe(0);
  expect(await barriers(linkIn(message))).toEqual([]);

  await page.locator('button[name=action][value=accept]').click();
  await page.waitForLoadState();
  expect(await page.locator('[role=alert]').count()).toBeGreaterThan(0);
  expect(await sideways(page)).toBe(0);
});

it('R-04: nobody serves the postal code; the exception owner reads why and can take it on the phone', async () => {
  const { handoff, message } = await aLead('nobody-serves-this');
  const page = await phone.browser.newPage();
  await page.goto(linkIn(message));
  await page.locator('input[name=confirm]').check();
  await page.locator('button[name=action][value=accept-exception]').click();
  await page.waitForLoadState();
  expect(await sideways(page)).toBe(0);
  expect(await barriers(linkIn(message))).toEqual([]);
  expect((await stateOf(handoff)).receipts).toEqual(['handoff.opened', 'candidates.resolved', 'exception.raised', 'exception.accepted']);
});
