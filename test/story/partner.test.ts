import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { story } from '../support/story.ts';

const run = promisify(execFile);

story('D: a partner puts a request on the bus with the example as it stands, twice, and one seller is asked once', async (baton) => {
  const put = () => run(process.execPath, ['examples/partner/put-signal.ts', 'partner-4711'], { env: { ...process.env, BATON_BUS: baton.installation.outputs.BusName } });
  await put();
  await put();
  await baton.runtime.idle();
  const id = signalDigest.handoffId({ source: 'website', eventId: 'partner-4711' });
  await baton.thenState(id, 'acceptance-requested');
  expect((await baton.totals()).received).toBe(1);
});
