// A deployment on top of one that has sent links.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pointAt } from '../../../cli/installation.ts';
import { bootRuntime, type Runtime } from '../../../infra/local/runtime.ts';
import { dynamodbHandoffStore } from '../../../shared/adapters/dynamodb-handoff-store.ts';
import { dynamodbTable } from '../../../shared/adapters/dynamodb-table.ts';
import { aRoofInspection } from '../../support/leads.ts';
import { bootOwnBaton, type OwnBaton } from '../../support/story.ts';

let own: OwnBaton;
let second: Runtime | undefined;
const cdkOut = mkdtempSync(join(tmpdir(), 'baton-second-'));

beforeAll(async () => {
  own = await bootOwnBaton();
});
afterAll(async () => {
  await second?.stop();
  rmSync(own.dataDir, { recursive: true, force: true });
  rmSync(cdkOut, { recursive: true, force: true });
});

type Template = { Resources: Record<string, { Type: string; Properties: Record<string, unknown> }> };

/** The same stack as a later version has it: every function is another, and every secret is described otherwise. */
function laterVersion(): void {
  cpSync('cdk.out', cdkOut, { recursive: true });
  const file = join(cdkOut, 'Baton.template.json');
  const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
  for (const { Type, Properties } of Object.values(template.Resources)) {
    if (Type === 'AWS::Lambda::Function') Properties.MemorySize = 1024;
    if (Type === 'AWS::SecretsManager::Secret') Properties.Description = 'described by a later version';
  }
  writeFileSync(file, JSON.stringify(template));
}

test('CD-08: a link that was sent before a deployment opens and answers after it', async () => {
  const { baton, runtime, dataDir } = own;
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const { links } = await baton.thenMessageTo(primary, { about: handoff });
  const { pathname } = new URL(links[0] ?? '');
  await runtime.stop();

  laterVersion();
  second = await bootRuntime({ cdkOut, dataDir, port: 0, quiet: true });
  pointAt(second.urls.aws);
  expect((await fetch(new URL(`${pathname.slice(0, -1)}${pathname.endsWith('0') ? '1' : '0'}`, second.urls.console))).status).toBe(404);
  const page = await fetch(new URL(pathname, second.urls.console));
  expect(page.status).toBe(200);
  const fields = Object.fromEntries([...(await page.text()).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  const answered = await fetch(new URL(pathname, second.urls.console), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, action: 'reject', reason: 'no-capacity' }),
    redirect: 'manual',
  });
  expect(answered.status).toBe(303);
  const receipts = await dynamodbHandoffStore(dynamodbTable(second.outputs.TableName ?? '')).receipts(handoff);
  expect(receipts.map(({ kind }) => kind)).toContain('offer.rejected');
}, 120_000);
