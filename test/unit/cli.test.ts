import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { main } from '../../cli/baton.ts';
import { signedHeaders } from '../../cli/commands/send.ts';
import { sealUnder } from '../../shared/adapters/secretsmanager-baton-seal.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one command line and answers with what a person sees. */
async function baton(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const status = await main(args, { line: (text) => out.push(text), error: (text) => err.push(text) });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe('the command line', () => {
  it('lists its commands when asked for nothing, and says so when there is no such command', async () => {
    expect(await baton()).toMatchObject({ status: 0, out: expect.stringContaining('baton verify') });
    expect(await baton('shwo')).toMatchObject({ status: 2, err: 'baton: there is no command "shwo".' });
  });

  it.each(['start', 'send', 'show', 'report', 'measures', 'verify', 'policy', 'quarantine'])('explains %s without doing it', async (name) => {
    const { status, out } = await baton(name, '--help');
    expect(status).toBe(0);
    expect(out.split('\n').length).toBeGreaterThan(4);
  });

  it('takes npm start --json, which npm keeps for itself, as --json', async () => {
    vi.stubEnv('npm_config_json', 'true');
    expect(await baton('start', '--verbose')).toMatchObject({ status: 2, err: expect.stringContaining('choose one') });
    vi.unstubAllEnvs();
  });

  it('tells every mistake of the keyboard in one sentence', async () => {
    const nowhere = join(folder, 'nowhere');
    const mistakes = [
      baton('show'),
      baton('quarantine'),
      baton('quarantine', 'show'),
      baton('quarantine', 'list', 'x'),
      baton('show', 'h-1', '--data', nowhere),
      baton('report', '--zone', 'Mars/Olympus', '--data', nowhere),
      baton('report', 'today', '--data', nowhere),
      baton('measures', '--days', '0', '--data', nowhere),
      baton('send', 'no-such-sample'),
      baton('send', 'roof-inspection', '--to', 'http://127.0.0.1:9/in/website'),
      baton('send', file('list.json', '[1]')),
      baton('send', file('broken.json', '{')),
      baton('verify'),
      baton('verify', join(folder, 'missing.jws')),
      baton('policy', 'polish'),
      baton('start', '--port', 'http'),
      baton('start', '--json', '--verbose'),
      baton('show', 'h-1', '--colour'),
      baton('show', 'h-1', '--outputs', file('outputs.json', '{"Baton": {"TableName": "t"}}')),
    ];
    for (const { status, err } of await Promise.all(mistakes)) {
      expect({ status, lines: err.split('\n').length, stack: /^ +at /m.test(err) }, err).toEqual({ status: 2, lines: 1, stack: false });
    }
  });

  it('says that nothing answers when nothing does', async () => {
    const { status, err } = await baton('send', 'roof-inspection', '--to', 'http://127.0.0.1:9/in/website', '--secret', 'whsec_c2VjcmV0');
    expect(status).toBe(3);
    expect(err.split('\n')).toHaveLength(1);
  });
});

describe('baton verify', () => {
  const seal = sealUnder(async () => 'a secret of this test that is long enough');
  const receipt = {
    schemaVersion: '1',
    handoffId: `h-${'a'.repeat(32)}`,
    seq: 4,
    source: { system: 'website', eventId: 'evt-1', occurredAt: '2026-06-03T20:55:00.000Z' },
    contactRef: `c-${'0'.repeat(32)}`,
    proposedOwner: 'rosa',
    acceptedOwner: 'rosa',
    acceptedAt: '2026-06-03T21:02:00.000Z',
    nextAction: 'call',
    dueAt: '2026-06-04T17:00:00.000Z',
    late: false,
    channel: 'sms',
    packetVersion: 1,
    contract: 'roof-inspection',
    contractVersion: 'abc',
  };

  it('O-05: says who promised what, and by when, for a genuine receipt; and no to any other text', async () => {
    const keys = file('keys.json', JSON.stringify(await seal.publicKeys()));
    const jws = await seal.sign(receipt);
    const genuine = await baton('verify', file('a.jws', `${jws}\n`), '--keys', keys);
    expect(genuine).toMatchObject({ status: 0, err: '' });
    expect(genuine.out).toContain('rosa accepted');
    expect(genuine.out).toContain('call by 2026-06-04T17:00:00.000Z');

    const [head, , signature] = jws.split('.');
    const other = Buffer.from(JSON.stringify({ ...receipt, acceptedOwner: 'mallory' })).toString('base64url');
    expect(await baton('verify', file('b.jws', `${head}.${other}.${signature}`), '--keys', keys)).toMatchObject({ status: 1, out: '' });
    expect(await baton('verify', file('c.jws', 'hello'), '--keys', keys)).toMatchObject({ status: 1 });
    const strangers = await sealUnder(async () => 'another secret of this test, long enough too').publicKeys();
    expect(await baton('verify', file('a.jws', jws), '--keys', file('others.json', JSON.stringify(strangers)))).toMatchObject({ status: 1 });
    expect(await baton('verify', file('a.jws', jws), '--keys', file('nokeys.json', '{}'))).toMatchObject({ status: 2 });
  });

  it('prints the content as JSON when a program asks', async () => {
    const keys = file('keys.json', JSON.stringify(await seal.publicKeys()));
    const { out } = await baton('verify', file('a.jws', await seal.sign(receipt)), '--keys', keys, '--json');
    expect(JSON.parse(out)).toEqual(receipt);
  });
});

describe('baton policy check', () => {
  it('C-03: finds the sample business in order, and names file, line and expectation of each mistake', async () => {
    expect(await baton('policy', 'check')).toMatchObject({ status: 0 });
    const copy = join(folder, 'policy');
    cpSync('policy', copy, { recursive: true });
    writeFileSync(join(copy, 'roster.yaml'), 'people:\n  - id: ina\n    nmae: Ina\n');
    const { status, err } = await baton('policy', 'check', copy);
    expect(status).toBe(1);
    expect(err).toMatch(/roster\.yaml:\d+ /);
    expect(err).toContain('nmae');
  });
});

it('WH-06: a delivery is signed over id, time and the body as sent', () => {
  const headers = signedHeaders('{"a":1}', 'id-1', 'whsec_c2VjcmV0', new Date('2026-03-02T08:00:00Z'));
  expect(headers).toEqual({ 'webhook-id': 'id-1', 'webhook-timestamp': '1772438400', 'webhook-signature': 'v1,vNRZFas8Yop0yos7zUH6B4STprJa124wqH0UELL9Y2M=' });
});
