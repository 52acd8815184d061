import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect } from 'vitest';
import { readValues } from '../../cli/source-secrets.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { providerNamed } from '../../shared/sources/registry.ts';
import { typed as baton } from '../support/command-line.ts';
import { aRoofInspection } from '../support/leads.ts';
import { deliveryOf, fixtureOf } from '../support/provider-fixtures.ts';
import { type Baton, story } from '../support/story.ts';

/** A recorded delivery, signed anew with the secret that this Baton has. */
async function send(running: Baton, name: string, change: Record<string, string> = {}): Promise<Response> {
  const provider = providerNamed(name);
  const [vector] = fixtureOf(name)?.vectors ?? [];
  if (provider === undefined || vector === undefined) throw new Error(name);
  const [secret = ''] = await readValues(`baton/source/${name}`);
  const { delivery } = deliveryOf(vector);
  const url = `${running.installation.outputs.WebhookUrl}/${name}`;
  const signed = provider.verification.sign({ ...delivery, url }, secret, new Date(running.runtime.now()).toISOString());
  return fetch(signed.url, { method: 'POST', headers: { ...signed.headers, ...change }, body: signed.body });
}

story('D: a source is set up, tried, delivers, and its failures are seen, all from one command line', async (running) => {
  expect((await send(running, 'tally').catch(() => undefined))?.status).toBe(503);

  const added = await baton(running, 'source', 'add', 'tally');
  const [secret = ''] = await readValues('baton/source/tally');
  expect(added.status).toBe(0);
  expect(added.text).toContain(`endpoint URL ${running.installation.outputs.WebhookUrl}/tally`);
  expect(added.text).toContain(secret);
  expect(added.text).toContain('Starts roof-inspection on form.submitted.');
  await running.fastForward({ seconds: 20 });

  const tried = await baton(running, 'source', 'test', 'tally');
  expect(tried.text).toContain('not opened (test delivery of the provider)');
  expect(tried.text).toContain('"phone": "+12065550143"');
  expect(tried.status).toBe(0);

  expect((await send(running, 'tally')).status).toBe(200);
  expect((await send(running, 'tally', { 'tally-signature': 'forged' })).status).toBe(401);
  await running.runtime.idle();

  const listed = JSON.parse((await baton(running, 'source', 'list', '--json')).text) as { name: string; record: Record<string, unknown> }[];
  expect(listed.find(({ name }) => name === 'tally')?.record).toMatchObject({ received: 2, counts: { 'no-secret': 1, 'bad-signature': 1 }, lastRefusedBecause: 'bad-signature' });
  expect((await baton(running, 'source', 'list')).text).toMatch(/^tally +yes +2 /m);

  await baton(running, 'source', 'add', 'tally', '--rotate');
  expect(await readValues('baton/source/tally')).toEqual([expect.stringMatching(/^[A-Za-z0-9]{44}$/), secret]);
});

story('D: whoever looks why nothing arrives reads it in the list: the last failure with what to do about it, until something comes through', async (running) => {
  const base = running.installation.outputs.WebhookUrl;
  const secret = 'typed-wrong-secret';
  await baton(running, 'source', 'add', 'wpforms', '--secret', secret);
  const post = (path: string, headers: Record<string, string>, body: string) => fetch(`${base}/${path}`, { method: 'POST', headers, body });
  const json = { 'content-type': 'application/json' };
  const hints = async () => {
    await running.runtime.idle();
    const { text } = await baton(running, 'source', 'list');
    expect(text).not.toContain(secret);
    return text.split('\n\n')[1] ?? '';
  };
  await running.fastForward({ seconds: 20 });
  expect((await post('wpfroms', json, '{}')).status).toBe(401);
  expect((await post('wpforms', { 'content-type': 'text/plain' }, 'x')).status).toBe(415);
  expect(await hints()).toMatch(/wpforms: what comes is not what WPForms .*sends: choose application\/json/);
  expect(await hints()).toContain('no-such-source: somebody sends to an address that names no source');
  await running.fastForward({ seconds: 2 });
  expect((await post('wpforms', json, '')).status).toBe(401);
  expect(await hints()).toContain('wpforms: the body was empty');
  await running.fastForward({ seconds: 2 });
  expect((await post('wpforms', json, '{"a":1}')).status).toBe(401);
  expect(await hints()).toMatch(/wpforms: not signed with the secret that is active here: .*baton source add wpforms/);

  const wpforms = providerNamed('wpforms');
  const [vector] = fixtureOf('wpforms')?.vectors ?? [];
  if (wpforms === undefined || vector === undefined) throw new Error('wpforms');
  const signed = (at: number) => wpforms.verification.sign({ ...deliveryOf(vector).delivery, url: `${base}/wpforms` }, secret, new Date(at).toISOString());
  const send = ({ headers, body }: ReturnType<typeof signed>) => fetch(`${base}/wpforms`, { method: 'POST', headers, body });
  await running.fastForward({ seconds: 2 });
  const late = await send(signed(running.runtime.now() - 600_000));
  expect([late.status, await late.text()]).toEqual([401, expect.stringContaining('compare the clock of the sender')]);
  expect(await hints()).toContain('wpforms: signed with the right secret at another time than now');
  await running.fastForward({ seconds: 2 });
  expect((await send(signed(running.runtime.now()))).status).toBe(200);
  expect(await hints()).not.toContain('wpforms:');
});

story('D: an address is checked by GET and OPTIONS through the front door', async (running) => {
  const base = running.installation.outputs.WebhookUrl;
  expect((await baton(running, 'source', 'add', 'meta-leads')).status).toBe(2);
  const { text } = await baton(running, 'source', 'add', 'meta-leads', '--secret', 'an-app-secret');
  const token = /verify token (\w{44})/.exec(text)?.[1] ?? '';
  const asked = await fetch(`${base}/meta-leads?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`);
  expect([asked.status, await asked.text(), asked.headers.get('content-type')]).toEqual([200, '1158201444', 'text/plain; charset=utf-8']);
  expect((await fetch(`${base}/meta-leads?hub.mode=subscribe&hub.challenge=1&hub.verify_token=wrong`)).status).toBe(403);

  const options = await fetch(`${base}/cloudevents`, { method: 'OPTIONS', headers: { 'webhook-request-origin': 'sender.example.org', 'webhook-request-rate': '120' } });
  expect(options.status).toBe(200);
  expect(Object.fromEntries(options.headers)).toMatchObject({ allow: 'POST', 'webhook-allowed-origin': 'sender.example.org', 'webhook-allowed-rate': '120' });

  expect((await send(running, 'meta-leads')).status).toBe(200);
  await running.runtime.idle();
  expect((await running.totals()).received).toBeGreaterThan(0);
});

story('D-6: each site of Meta may have a page token of its own, two at once while one is replaced, beside the one that was there before sites had any', async (running) => {
  const tokens = (site?: string) => readValues('baton/fetch/meta', site);
  const add = (...more: string[]) => baton(running, 'source', 'add', 'meta-leads', '--secret', 'an-app-secret', ...more);
  expect((await add()).text).toContain('No token stands for meta yet: handoffs open with the reference of a lead');
  expect((await add('--fetch-token', 'main-token')).text).toContain('Calls meta with the token of meta-leads.');
  expect((await add('--name', 'north')).text).toContain('Calls meta with the token of meta-leads itself.');
  await add('--name', 'north', '--fetch-token', 'north-token');
  const { text } = await add('--name', 'north', '--fetch-token', 'newer-token');
  expect(text).toContain('Calls meta with the newer of two tokens, then the older one, of meta-leads--north.');
  expect(text).not.toMatch(/main-token|north-token|newer-token/);
  expect([await tokens(), await tokens('north')]).toEqual([['main-token'], ['newer-token', 'north-token']]);
  await add('--name', 'north', '--only-newest');
  expect([await tokens(), await tokens('north')]).toEqual([['main-token'], ['newer-token']]);
  expect((await baton(running, 'source', 'add', 'tally', '--fetch-token', 'x')).status).toBe(2);
});

story('WH-07, LA-04: what was set aside is listed, and its contents can be read', async (running) => {
  expect(await baton(running, 'quarantine', 'list')).toEqual({ status: 0, text: '' });
  const lead = { message: 'Leak over the kitchen', category: 'roof-repair', postal_code: '97201', email: 'ada@example.com' };
  await running.sendWebsite(lead, 'twice');
  await running.runtime.idle();
  await running.sendWebsite({ ...lead, email: 'else@example.org' }, 'twice');
  const detail = JSON.stringify({ schemaVersion: '1', signal: { source: 'website', contact: { phone: 'call me' } } });
  const entry = { EventBusName: running.installation.outputs.BusName, Source: 'baton.intake', DetailType: 'signal.received', Detail: detail };
  const { Entries: [put] = [] } = await new EventBridgeClient({}).send(new PutEventsCommand({ Entries: [entry] }));
  await running.runtime.idle();

  const { status, text } = await baton(running, 'quarantine', 'list');
  expect(status).toBe(1);
  expect(text).toMatch(/conflict {2}website {2}website#twice {2}other content/);
  expect(text).toMatch(new RegExp(`event {5}baton\\.intake {2}${put?.EventId} {2}the event does not meet its contract`));
  expect(text).not.toMatch(/ada@|else@|call me/);
  expect((await baton(running, 'quarantine', 'show', 'website#twice')).text).toMatch(/taken:[\s\S]*ada@example\.com[\s\S]*not taken:[\s\S]*else@example\.org/);
  expect((await baton(running, 'quarantine', 'show', String(put?.EventId))).text).toContain('call me');
  expect((await baton(running, 'quarantine', 'show', 'website#once')).status).toBe(1);
});

story('D-3: a delivery can be read as it came, behind its handoff and by its event, and Baton itself cannot read it', async (running) => {
  const handoff = await running.givenSignal({ ...aRoofInspection(), colour: 'café' }, 'kept-raw');
  const behind = await baton(running, 'source', 'raw', handoff);
  expect(behind.status).toBe(0);
  expect(behind.text).toMatch(/^website kept-raw: raw\/website\/[0-9a-f]{64}, application\/json\n {2}webhook-id: \S+\n {2}webhook-signature: v1,\S+\n {2}webhook-timestamp: \d+\n/);
  expect(JSON.parse(behind.text.split('\n').at(-1) ?? '')).toMatchObject({ colour: 'café' });
  expect(await baton(running, 'source', 'raw', 'website', 'kept-raw')).toEqual(behind);
  expect((await baton(running, 'source', 'raw', 'website', 'never-came')).status).toBe(2);
});

story('D-3 PI-05: one delivery is erased on request, by name and for good; what was read from it stays, and saying it again changes nothing', async (running) => {
  const lead = { ...aRoofInspection(), message: 'Please forget that I wrote this.' };
  const handoff = await running.givenSignal(lead, 'to-be-erased');
  const other = await running.givenSignal(aRoofInspection(), 'to-be-kept');
  for (const args of [['--erase'], ['--erase', '--by', 'nobody'], ['--by', 'dana']]) expect((await baton(running, 'source', 'raw', handoff, ...args)).status).toBe(2);
  expect((await baton(running, 'source', 'raw', handoff)).text).toContain('forget that I wrote');

  const erased = await baton(running, 'source', 'raw', handoff, '--erase', '--by', 'dana');
  expect(erased.status).toBe(0);
  expect(erased.text).toMatch(/^website to-be-erased: raw\/website\/[0-9a-f]{64} was erased by dana at \d{4}-\S+Z$/);
  await running.fastForward({ seconds: 60 });
  expect(await baton(running, 'source', 'raw', handoff, '--erase', '--by', 'omar')).toEqual(erased);
  expect(await baton(running, 'source', 'raw', 'website', 'to-be-erased')).toEqual({ ...erased, status: 1 });
  expect((await baton(running, 'source', 'raw', other)).status).toBe(0);

  await running.sendWebsite(lead, 'to-be-erased');
  await running.runtime.idle();
  expect((await baton(running, 'source', 'raw', handoff)).text).toContain('forget that I wrote');
  expect((await baton(running, 'source', 'raw', handoff, '--erase', '--by', 'omar')).text).toContain('was erased by omar at');
});

for (const [number, order] of [
  ['931', ['missed', 'recording']],
  ['932', ['recording', 'missed', 'recording']],
] as const)
  story(`D-4: ${order.join(', then ')}: Twilio's call and its voicemail are one handoff, and "baton show" lists both`, async (running) => {
    const twilio = providerNamed('twilio');
    const url = `${running.installation.outputs.WebhookUrl}/twilio`;
    const [secret = ''] = await readValues(running.installation.outputs.TwilioSecretArn);
    const call = { CallSid: `CA00000000000000000000000000000${number}`, From: `+15035550${number}`, To: '+15035550100' };
    const forms = {
      missed: { ...call, DialCallStatus: 'no-answer' },
      recording: { ...call, RecordingSid: `RE00000000000000000000000000000${number}`, RecordingUrl: `https://rec.example/${number}` },
    };
    const before = (await running.totals()).linked;
    for (const what of order) {
      const body = new TextEncoder().encode(new URLSearchParams(forms[what]).toString());
      const signed = twilio?.verification.sign(
        { url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body },
        secret,
        new Date(running.runtime.now()).toISOString(),
      );
      expect((await fetch(url, { method: 'POST', headers: signed?.headers ?? {}, body })).status).toBe(200);
      await running.runtime.idle();
    }
    const first = { missed: `${call.CallSid}:dial:no-answer`, recording: `${forms.recording.RecordingSid}:action` }[order[0]];
    const { text } = await baton(running, 'show', signalDigest.handoffId({ source: 'twilio', eventId: first }));
    expect(text).toMatch(/^heard {6}(voicemail|missed call) at .+ \(twilio \S+\)$/m);
    expect(text).toMatch(/signal\.linked +twilio \(same-thread\)/);
    expect(text).not.toContain(`5550${number}`);
    expect((await running.totals()).linked - before).toBe(1);
  });

story('D-6: a second site of a provider has an address, secrets and figures of its own, and what it implies opens its handoffs', async (running) => {
  await baton(running, 'source', 'add', 'webflow', '--secret', 'main-secret');
  const added = await baton(running, 'source', 'add', 'webflow', '--name', 'north', '--secret', 'north-secret');
  expect(added.status).toBe(0);
  expect(added.text).toContain(`${running.installation.outputs.WebhookUrl}/webflow--north`);
  expect([await readValues('baton/source/webflow'), await readValues('baton/source/webflow', 'north')]).toEqual([['main-secret'], ['north-secret']]);
  await running.fastForward({ seconds: 200 });

  const tried = await baton(running, 'source', 'test', 'webflow', '--name', 'north');
  expect(tried.text).toContain('not opened (test delivery of the provider)');
  expect(tried.text).toContain('"system": "webflow--north"');

  const webflow = providerNamed('webflow');
  const [vector] = fixtureOf('webflow')?.vectors ?? [];
  if (webflow === undefined || vector === undefined) throw new Error('webflow');
  const post = (secret: string) => {
    const url = `${running.installation.outputs.WebhookUrl}/webflow--north`;
    const { headers, body } = webflow.verification.sign({ ...deliveryOf(vector).delivery, url }, secret, new Date(running.runtime.now()).toISOString());
    return fetch(url, { method: 'POST', headers, body });
  };
  expect((await post('main-secret')).status).toBe(401);
  expect((await post('north-secret')).status).toBe(200);
  await running.runtime.idle();
  const listed = JSON.parse((await baton(running, 'source', 'list', '--json')).text) as { name: string; record: Record<string, unknown> }[];
  expect(listed.find(({ name }) => name === 'webflow--north')?.record).toMatchObject({ received: 2, counts: { 'bad-signature': 1 } });
  expect(listed.find(({ name }) => name === 'webflow')?.record).toMatchObject({ received: 0 });

  await baton(running, 'source', 'add', 'webflow', '--name', 'north', '--secret', 'newer-secret', '--only-newest');
  expect([await readValues('baton/source/webflow'), await readValues('baton/source/webflow', 'north')]).toEqual([['main-secret'], ['newer-secret']]);
  expect((await baton(running, 'source', 'add', 'webflow', '--name', 'No Rth')).status).toBe(2);
});
