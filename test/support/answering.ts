// A small world in memory for the answering side: handoffs with links, and requests to the pages without HTTP.

import { type PageReply, type PageRequest, type RespondDeps, respond } from '../../functions/answer-offer/respond.ts';
import { sealUnder } from '../../shared/adapters/secretsmanager-baton-seal.ts';
import type { Command } from '../../shared/domain/command.ts';
import { decide } from '../../shared/domain/decide.ts';
import { apply } from '../../shared/domain/evolve.ts';
import type { Handoff } from '../../shared/domain/handoff.ts';
import { commandId, type PersonId } from '../../shared/domain/ids.ts';
import { type LinkChannel, linksToIssue, type PlannedLink } from '../../shared/domain/link.ts';
import type { Packet } from '../../shared/domain/packet.ts';
import type { Person, Policy } from '../../shared/domain/policy.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import type { CaseBook } from '../../shared/ports/case-book.ts';
import type { HandoffStore, LinkBook, LinkTarget } from '../../shared/ports/handoff-store.ts';
import type { PolicyPress } from '../../shared/ports/policy-press.ts';
import { anOpening, aPacket, aPerson, aPolicy, NOW } from './builders.ts';
import { memoryLinkBook } from './memory-books.ts';
import { memoryHandoffStore } from './memory-handoff-store.ts';
import { memoryTime } from './memory-outside.ts';
import { caseBookOf, memoryPolicyBook, memoryPolicyPress } from './memory-policy-book.ts';
import { type MemoryTable, memoryTable } from './memory-table.ts';

export const seal = sealUnder(async () => 'a-generated-string-for-tests-0123456789abcdef');

/** Rosa sells and speaks Spanish; Sam sells in English; Omar, Dana and Ina answer for exceptions. */
export const staff = (): Person[] => [
  aPerson('rosa', { name: 'Rosa Martínez', speaks: 'es', languages: ['en', 'es'], sms: '+15035550101' }),
  aPerson('sam', { name: 'Sam Whitfield', languages: ['en', 'es'], sms: '+15035550102' }),
  aPerson('ina', { name: 'Ina Kowalski', roles: ['intake'], sms: '+15035550103' }),
  aPerson('omar', { name: 'Omar Haddad', roles: ['operations'], sms: '+15035550104' }),
  aPerson('dana', { name: 'Dana Lee', roles: ['owner'] }),
];

/** What the answering side reads and writes. */
export type WorldStores = { store: HandoffStore; links: LinkBook; press: PolicyPress; cases: CaseBook };

function inMemory(table: MemoryTable): WorldStores {
  const store = memoryHandoffStore(table);
  return { store, links: memoryLinkBook(table), press: memoryPolicyPress(table), cases: caseBookOf(store, memoryPolicyBook(table)) };
}

export type World = Awaited<ReturnType<typeof aWorld>>;

/** One opened handoff whose candidates are Rosa and then Sam; nobody was asked yet. */
export async function aWorld(more: { policy?: Policy; packet?: Partial<Packet>; start?: string; on?: WorldStores } = {}) {
  const policy = more.policy ?? aPolicy({ people: staff() });
  const table = memoryTable();
  const packet = aPacket(more.packet);
  const time = memoryTime(more.start ?? NOW);
  const { store, links, press, cases } = more.on ?? inMemory(table);
  await press.publish({ contracts: [policy.contract], roster: policy.roster, calendars: policy.calendars }, 'dana', NOW);

  const stamp = (id: string) => ({
    at: time.now(),
    commandId: commandId(id),
    actor: { kind: 'system' as const, component: 'test' },
    packetVersion: packet.version,
    contractVersion: policy.contract.version,
  });
  const opened = apply(undefined, [anOpening()], stamp('open'));
  await store.append(undefined, opened.handoff, opened.receipts, { packet });

  const row = async (): Promise<Handoff> => {
    const loaded = await store.load(opened.handoff.id);
    if (loaded === undefined) throw new Error('the row is gone');
    return loaded.handoff;
  };

  /** Carries out what the workflow would wish for, and issues the links that go with it. */
  async function workflow(command: Command): Promise<Receipt[]> {
    const before = await row();
    const decision = decide(before, command, policy, time.now());
    if (decision.kind !== 'decided') throw new Error(`${command.kind} is ${JSON.stringify(decision)}`);
    const { handoff: after, receipts } = apply(before, decision.facts, stamp(command.commandId));
    const links = await Promise.all(receipts.flatMap((receipt) => planned(receipt, after, policy)).map(async (link) => ({ id: await seal.mint(link), ...link })));
    await store.append(before, after, receipts, { links });
    return receipts;
  }

  const wish = async (
    kind: 'resolve-candidates' | 'request-acceptance' | 'remind' | 'expire-clarification' | 'time-out' | 'raise-exception' | 'escalate-exception' | 'note-overdue',
  ) =>
    workflow({
      kind,
      commandId: commandId(`${kind}-${(await row()).version}`),
      ...(kind === 'resolve-candidates' && { openCounts: {}, packet }),
    } as Command);

  const openings: string[] = [];
  const deps: RespondDeps = { links, store, cases, seal, time, opened: (by) => void openings.push(by) };

  /** The link a person got for the offer or exception with this number. */
  async function linkOf(person: PersonId, asked: { purpose?: LinkTarget['purpose']; number?: number; channel?: LinkChannel } = {}): Promise<string> {
    const issued = await links.issuedFor(opened.handoff.id, asked.purpose ?? 'offer', asked.number ?? 1, person);
    const link = issued.find((one) => one.channel === (asked.channel ?? 'email'));
    if (link === undefined) throw new Error(`${person} has no such link`);
    return link.id;
  }

  return {
    table,
    store,
    time,
    policy,
    links,
    deps,
    policies: memoryPolicyBook(table),
    openings,
    id: opened.handoff.id,
    row,
    wish,
    linkOf,
    request: (request: Partial<PageRequest>) => respond(deps, asRequest(request)),
  };
}

/** A world in which Rosa was asked a moment ago. */
export async function anOfferedWorld(more: Parameters<typeof aWorld>[0] = {}): Promise<World> {
  const world = await aWorld(more);
  await world.wish('resolve-candidates');
  await world.wish('request-acceptance');
  return world;
}

function planned(receipt: Receipt, after: Handoff, policy: Policy): PlannedLink[] {
  const find = (id: PersonId) => policy.roster.people.find((person) => person.id === id) ?? aPerson(id);
  switch (receipt.kind) {
    case 'acceptance.requested':
    case 'backup.requested':
      return linksToIssue({ purpose: 'offer', handoffId: after.id, number: receipt.offer, person: find(receipt.to), deadlineAt: receipt.deadlineAt });
    case 'clarification.asked':
      return linksToIssue({ purpose: 'clarification', handoffId: after.id, number: receipt.offer, person: find(receipt.owedBy), deadlineAt: receipt.expiresAt });
    case 'exception.raised':
      return linksToIssue({ purpose: 'exception', handoffId: after.id, number: receipt.exception, person: find(receipt.owner), deadlineAt: receipt.respondBy });
    case 'exception.escalated':
      return linksToIssue({ purpose: 'exception', handoffId: after.id, number: receipt.exception, person: find(receipt.to), deadlineAt: receipt.respondBy });
    default:
      return [];
  }
}

const asRequest = (request: Partial<PageRequest>): PageRequest => ({
  method: 'GET',
  rawPath: '/',
  rawBody: new Uint8Array(),
  ...request,
  headers: { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', ...request.headers },
});

export const get = (world: World, link: string, more: Partial<PageRequest> = {}): Promise<PageReply> => world.request({ rawPath: `/a/${link}`, ...more });

/** Fills in the form of a page that was just opened, and sends it once. */
export async function post(world: World, link: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PageReply> {
  const page = await get(world, link);
  return send(world, link, { page: hidden(page.body, 'page'), seen: hidden(page.body, 'seen'), ...fields }, headers);
}

/** Sends a form as it is. */
export const send = (world: World, link: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PageReply> =>
  world.request({
    method: 'POST',
    rawPath: `/a/${link}`,
    rawBody: new TextEncoder().encode(new URLSearchParams(fields).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
  });

export const hidden = (html: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** What a person reads on a page. */
export const textOf = (html: string): string =>
  html
    .replace(/<(style|title)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
