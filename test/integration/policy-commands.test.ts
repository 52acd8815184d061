// `baton policy` at the keyboard, against a real database: publish, evidence, rollback, history, diff, replay.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { policy } from '../../cli/commands/policy.ts';
import { dynamodbHandoffStore } from '../../shared/adapters/dynamodb-handoff-store.ts';
import type { Table } from '../../shared/adapters/dynamodb-table.ts';
import { loadPolicy } from '../../shared/contracts/policy-files.ts';
import { apply } from '../../shared/domain/evolve.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId, personId } from '../../shared/domain/ids.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Fact } from '../../shared/domain/receipt.ts';
import { transition } from '../../shared/domain/workflow-transition.ts';
import { aPacket } from '../support/builders.ts';
import { createTable, startDynamodb, type TestDynamodb } from '../support/dynamodb.ts';
import { at, idOf, opening } from '../support/store-fixtures.ts';

const CONTRACT = 'contracts/roof-inspection.yaml';
let database: TestDynamodb;
let table: Table;
let folder: string;
let tables = 0;

beforeAll(async () => {
  database = await startDynamodb();
  vi.stubEnv('AWS_ENDPOINT_URL', database.endpoint);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.stop();
});
beforeEach(async () => {
  tables += 1;
  table = await createTable(database.endpoint, `policy-commands-${tables}`);
  folder = mkdtempSync(join(tmpdir(), 'baton-policy-'));
  cpSync('policy', join(folder, 'policy'), { recursive: true });
  const names = ['BusName', 'MachineArn', 'ReportBucketName', 'RawBucketName', 'WebhookUrl', 'WebsiteSecretArn', 'TypeformSecretArn', 'TwilioSecretArn', 'BatonSecretArn'];
  const outputs = { TableName: table.name, ...Object.fromEntries(names.map((name) => [name, 'unused'])) };
  writeFileSync(join(folder, 'outputs.json'), JSON.stringify({ Baton: outputs }));
  return () => rmSync(folder, { recursive: true });
});

/** Runs `baton policy …` on the copy of the sample. */
async function baton(action: string, ...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const to = action === 'check' ? [] : ['--outputs', join(folder, 'outputs.json')];
  const status = await policy.run([action, ...args, ...to], { line: (text) => out.push(text), error: (text) => err.push(text) });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

const files = () => join(folder, 'policy');

function edit(file: string, piece: string, instead: string): void {
  const path = join(files(), file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(piece)) throw new Error(`${file} does not contain ${piece}`);
  writeFileSync(path, text.replace(piece, instead));
}

/** A handoff as the functions write it: opened, resolved, asked. */
async function aHandoff(name: string, packet: Packet, ...facts: Fact[]): Promise<Handoff> {
  const read = loadPolicy(files());
  if (read.kind === 'invalid') throw new Error(read.findings.join('\n'));
  const [contract] = read.policy.contracts;
  if (contract === undefined) throw new Error('no contract');
  const inForce = { contract, roster: read.policy.roster, calendars: read.policy.calendars };
  const store = dynamodbHandoffStore(table);
  const stamp = { at: at(0), commandId: commandId('open'), actor: { kind: 'system', component: 'test' } as const, packetVersion: 1, contractVersion: contract.version };
  const opened = apply(undefined, [opening(idOf(name))], stamp);
  await store.append(undefined, opened.handoff, opened.receipts, { packet });
  let handoff = opened.handoff;
  for (const kind of ['resolve-candidates', 'request-acceptance'] as const) {
    const command = { kind, commandId: commandId(kind), openCounts: {}, packet };
    const made = transition(handoff, { command, actor: { kind: 'system', component: kind } }, inForce, at(1));
    if (made.kind !== 'transition') continue;
    await store.append(handoff, made.after, made.receipts);
    handoff = made.after;
  }
  for (const fact of facts) {
    const next = apply(handoff, [fact], { ...stamp, at: at(5), commandId: commandId(fact.kind) });
    await store.append(handoff, next.handoff, next.receipts);
    handoff = next.handoff;
  }
  return handoff;
}

const rosa = personId('rosa');
const lead = (postalCode: string) =>
  aPacket({
    request: { words: 'The roof leaks.', category: 'roof-inspection' },
    location: { postalCode },
    sources: [{ system: 'website', eventId: 'form-1', kind: 'form.submitted', occurredAt: at(0) }],
  });
const rejected: Fact = { kind: 'offer.rejected', offer: 1, by: rosa, reason: 'wrong-territory', flagRule: true };
const accepted: Fact = { kind: 'offer.accepted', offer: 1, by: rosa, proposedOwner: rosa, nextAction: 'call', dueAt: at(600), late: false, channel: 'email' };

describe('baton policy, to the table', () => {
  it('C-04: the first publication needs no reason; a change needs one, and tells what changes', async () => {
    expect(await baton('publish', files())).toMatchObject({ status: 0, out: expect.stringMatching(/^In force: publication 1, roof-inspection [0-9a-f]{12}\.$/) });
    expect(await baton('publish', files())).toMatchObject({ status: 0, out: expect.stringMatching(/^Already in force: publication 1/) });
    edit(CONTRACT, 'lateAcceptance: allow-if-unclaimed', 'lateAcceptance: deny');
    await expect(baton('publish', files())).rejects.toThrow('say why');
    const { status, out } = await baton('publish', files(), '--why', 'late answers confuse customers');
    expect(status).toBe(0);
    expect(out).toContain('contract roof-inspection lateAcceptance: allow-if-unclaimed → deny');
    expect(out).toContain('In force: publication 2');
    expect((await baton('history')).out).toMatch(/^2 .* dana {2}in force\n.*\n {3}late answers confuse customers\n1 .* dana\n/);
  });

  it('C-04: a change names somebody whom the contract lets change it', async () => {
    await expect(baton('publish', files(), '--by', 'nobody')).rejects.toThrow('--by takes the id of a person of the roster');
    await expect(baton('publish', files(), '--by', 'sam')).rejects.toThrow('sam may not change roof-inspection: its change owner is dana.');
    expect((await baton('publish', files(), '--by', 'ina')).status).toBe(0);
    expect((await baton('history')).out).toContain('ina  in force');
  });

  it('C-04: rejections are cited as evidence, and must exist', async () => {
    await baton('publish', files());
    const handoff = await aHandoff('cited', lead('97201'), rejected);
    edit('roster.yaml', 'territories: [97201-97239]', 'territories: [97202-97239]');
    const publish = (evidence: string) => baton('publish', files(), '--why', 'Rosa says 97201 is not hers', '--evidence', evidence);
    await expect(publish('h-1:2')).rejects.toThrow('--evidence takes the number of a handoff');
    await expect(publish(`${handoff.id}:9`)).rejects.toThrow(`there is no receipt 9 of ${handoff.id}`);
    expect((await baton('history')).out).not.toContain('Rosa');
    const { out } = await publish(`${handoff.id}:4`);
    expect(out).toContain(`evidence ${handoff.id}:4 offer.rejected by rosa: wrong-territory`);
    expect((await baton('history')).out).toContain(`Rosa says 97201 is not hers (${handoff.id}:4)`);
  });

  it('C-04: rolling back brings an earlier publication or contract into force again, with a reason', async () => {
    await baton('publish', files());
    const [first] = JSON.parse((await baton('history', '--json')).out) as { contracts: Record<string, string> }[];
    edit(CONTRACT, 'lateAcceptance: allow-if-unclaimed', 'lateAcceptance: deny');
    await baton('publish', files(), '--why', 'stricter');
    await expect(baton('rollback', '1')).rejects.toThrow('say why');
    await expect(baton('rollback', '7', '--why', 'x')).rejects.toThrow('there is no publication 7');
    await expect(baton('rollback', 'last', '--why', 'x')).rejects.toThrow('"last" names no policy');
    expect(await baton('rollback', '1', '--why', 'too strict')).toMatchObject({ status: 0, out: expect.stringContaining('deny → allow-if-unclaimed') });
    expect((await baton('history')).out).toMatch(/^3 .* in force {2}back to 1\n/);
    edit(CONTRACT, 'changeOwner: dana ', 'changeOwner: omar ');
    await baton('publish', files(), '--why', 'Omar takes it', '--by', 'omar');
    const version = first?.contracts['roof-inspection']?.slice(0, 10) ?? '';
    expect(await baton('rollback', version, '--why', 'as it was')).toMatchObject({ status: 0, out: expect.stringContaining('omar → dana') });
  });

  it('C-04 C-03: an old contract that names somebody who left cannot come back', async () => {
    await baton('publish', files());
    const [first] = JSON.parse((await baton('history', '--json')).out) as { contracts: Record<string, string> }[];
    edit(CONTRACT, 'people: [sam, rosa]', 'people: [sam]');
    edit(CONTRACT, '{ person: rosa, backup: sam }', '{ role: seller, backup: sam }');
    const roster = readFileSync(join(files(), 'roster.yaml'), 'utf8');
    writeFileSync(join(files(), 'roster.yaml'), roster.replace(/ {2}- id: rosa\n[\s\S]*?\n\n/, ''));
    expect((await baton('publish', files(), '--why', 'Rosa left')).status).toBe(0);
    const back = await baton('rollback', first?.contracts['roof-inspection']?.slice(0, 12) ?? '', '--why', 'try');
    expect(back.status).toBe(1);
    expect(back.err).toContain('contract roof-inspection: responsible.executor.person: expected a person of the roster (ina, omar, dana, sam) (C-02)');
    expect((await baton('rollback', '1', '--why', 'with her')).status).toBe(0);
  });

  it('C-04: a difference is told between folders, publications, versions and what is in force', async () => {
    await baton('publish', files());
    edit(CONTRACT, 'lateAcceptance: allow-if-unclaimed', 'lateAcceptance: deny');
    expect((await baton('diff', 'active', files())).out).toBe('contract roof-inspection lateAcceptance: allow-if-unclaimed → deny');
    await baton('publish', files(), '--why', 'stricter');
    expect((await baton('diff', '2', '1')).out).toBe('contract roof-inspection lateAcceptance: deny → allow-if-unclaimed');
    expect((await baton('diff', 'active', '2')).out).toBe('They say the same.');
    await expect(baton('diff', 'active')).rejects.toThrow('policy diff A B');
  });

  it('C-05: recorded handoffs are tried on a proposal: whose owner would change, accepted ones first, and why', async () => {
    await baton('publish', files());
    const asked = await aHandoff('asked', lead('97205'));
    const owned = await aHandoff('owned', lead('97201'), accepted);
    await aHandoff('elsewhere', lead('97230'));
    expect((await baton('replay', files())).out).toBe('Looked at 3 handoffs: 0 would begin with somebody else, 3 would not.');
    edit('roster.yaml', 'territories: [97201-97239]', 'territories: [97206-97239]');
    const { status, out } = await baton('replay', files());
    expect(status).toBe(0);
    expect(out.split('\n')).toEqual([
      `${owned.id} (owned by rosa): rosa → sam`,
      expect.stringMatching(/^ {3}rosa: outside territory: serves 97206-97239; sam serves 97201-97299 /),
      `${asked.id}: rosa → sam`,
      expect.stringContaining('rosa: outside territory'),
      'Looked at 3 handoffs: 2 would begin with somebody else, 1 would not.',
    ]);
    expect((await baton('replay', files(), '--limit', '1')).out).toContain('Looked at 1 handoff: 1 would begin');
    expect((await baton('replay', files())).out).toBe(out);
    await expect(baton('replay', files(), '--limit', '0')).rejects.toThrow('--limit takes a number');
    expect((await baton('history')).out).toMatch(/^1 /);
  });

  it('C-03: a proposal with mistakes is neither tried nor published, and each mistake is told', async () => {
    edit(CONTRACT, 'order: least-open', 'order: random');
    for (const action of ['check', 'replay', 'publish']) {
      const { status, err } = await baton(action, files());
      expect(status).toBe(1);
      expect(err).toMatch(/roof-inspection\.yaml:\d+ ask\[0\]\.who\.order: expected one of fixed, least-open, fair-turn, got "random" \(C-01\)/);
    }
    expect((await baton('history')).out).toBe('Nothing was ever published there.');
  });

  it('C-03: the map names who answers for every decision and every wait', async () => {
    const { out } = await baton('check', files(), '--map');
    expect(out).toMatch(/^contract roof-inspection +who +backup +how long +then\n/);
    expect(out).toMatch(/\ncustodian until a yes +ina +omar\n/);
    expect(out).toMatch(/\noffer, step 1 +any seller \(least-open\) +the next eligible +5m +step 2\n/);
    expect(out).toMatch(/\nexception territory-unknown +dana +omar +1h +ina, review 4h\n/);
    expect(out).toContain('In order: 1 contract (roof-inspection), 5 people.');
  });
});
