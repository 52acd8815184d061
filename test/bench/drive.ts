// Drives one running Baton as sources and sellers do, whoever runs it, and looks at its table as an operator.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { signedHeaders } from '../../cli/commands/send.ts';
import type { Outputs } from '../../cli/installation.ts';
import { headKey } from '../../shared/adapters/dynamodb-keys.ts';
import { dynamodbLinkBook } from '../../shared/adapters/dynamodb-link-book.ts';
import { dynamodbTable, readItems, type Table } from '../../shared/adapters/dynamodb-table.ts';
import { signalDigest } from '../../shared/adapters/handoff-ids.ts';
import { type Handoff, pendingOffer } from '../../shared/domain/handoff.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { hiddenFields } from '../support/answer-page.ts';
import { eventually } from '../support/eventually.ts';
import { aRoofInspection } from '../support/leads.ts';

/** Where a Baton answers: the base of webhooks and pages, and the endpoint of AWS clients. */
export type Target = { base: string; endpoint: string; outputs: Outputs; now: () => Promise<number> };

const PATIENCE_MILLISECONDS = 60_000;

/** One request, from its first byte to the end of its answer. */
export type Timed = { milliseconds: number; status: number };

export class Driver {
  readonly table: Table;
  readonly #target: Target;
  readonly #secret: string;

  private constructor(target: Target, secret: string) {
    this.#target = target;
    this.#secret = secret;
    this.table = dynamodbTable(target.outputs.TableName, { client: new DynamoDBClient(clientOf(target)) });
  }

  static async of(target: Target): Promise<Driver> {
    const { SecretString = '' } = await new SecretsManagerClient(clientOf(target)).send(new GetSecretValueCommand({ SecretId: target.outputs.WebsiteSecretArn }));
    return new Driver(target, SecretString);
  }

  /**
   * Sends one signed signal until it is taken in, as every source does: a 429 is the throttle of the template, and a function
   * that a busy machine could not run in time is a 5xx. Both are counted; the time is that of the delivery that was taken in.
   */
  async send(): Promise<Timed & { id: HandoffId; throttled: number; failed: number }> {
    const eventId = `bench-${randomUUID()}`;
    const body = JSON.stringify({ request_id: eventId, ...aRoofInspection() });
    let [throttled, failed] = [0, 0];
    for (;;) {
      const at = new Date(await this.#target.now());
      const headers = { 'content-type': 'application/json', ...signedHeaders(body, eventId, this.#secret, at) };
      const { status, milliseconds } = await timed(`${this.#target.base}/in/website`, { method: 'POST', body, headers });
      if (status < 300) return { status, milliseconds, throttled, failed, id: signalDigest.handoffId({ source: 'website', eventId }) };
      if (status < 500 && status !== 429) throw new Error(`the intake answered ${status}`);
      if (status === 429) throttled += 1;
      else failed += 1;
      if (failed > 20) throw new Error(`the intake answered ${status} twenty times`);
      await pause(50);
    }
  }

  /** Waits until each of the handoffs has asked somebody. */
  async untilAsked(ids: readonly HandoffId[], boundSeconds: number): Promise<Handoff[]> {
    const asked = new Map<HandoffId, Handoff>();
    return eventually(`${ids.length} handoffs have asked somebody`, boundSeconds, async () => {
      for (const one of await this.handoffs(ids.filter((id) => !asked.has(id)))) if (one.offers.length > 0) asked.set(one.id, one);
      return asked.size === ids.length && [...asked.values()];
    });
  }

  /**
   * Waits until each of the handoffs has asked somebody, or none more has for a while: an emulator may lose one.
   * Says which have, and at what moment the last did. Looks only for those that are still missing: looking at all of them,
   * again and again, took as much of a small machine as the work that is measured.
   */
  async untilNoneMoreIsAsked(ids: readonly HandoffId[]): Promise<{ asked: Handoff[]; at: number }> {
    let seen = { asked: [] as Handoff[], at: performance.now() };
    const open = new Set(ids);
    while (open.size > 0 && performance.now() - seen.at < PATIENCE_MILLISECONDS) {
      await pause(100);
      const asked = (await this.handoffs([...open])).filter((one) => one.offers.length > 0);
      for (const { id } of asked) open.delete(id);
      if (asked.length > 0) seen = { asked: [...seen.asked, ...asked], at: performance.now() };
    }
    return seen;
  }

  async handoffs(ids: readonly HandoffId[]): Promise<Handoff[]> {
    const items = await readItems(this.table, ids.map(headKey));
    return items.flatMap((item) => (item === undefined ? [] : [item.handoff as Handoff]));
  }

  /** Opens the page of the pending offer; what a person does before they answer. */
  async open(handoff: Handoff): Promise<{ url: string; fields: Record<string, string> }> {
    const offer = pendingOffer(handoff) ?? handoff.offers.at(-1);
    if (offer === undefined) throw new Error(`${handoff.id} asks nobody`);
    const [link] = await dynamodbLinkBook(this.table).issuedFor(handoff.id, 'offer', offer.number, offer.to);
    const url = `${this.#target.base}/a/${link?.id}`;
    const page = await fetch(url);
    const html = await page.text();
    if (page.status !== 200) throw new Error(`the page of ${handoff.id} answered ${page.status}: ${html.slice(0, 200)}`);
    return { url, fields: hiddenFields(html) };
  }

  /** The POST of a yes, without following it to the page that shows it. */
  async accept({ url, fields }: { url: string; fields: Record<string, string> }): Promise<Timed> {
    const due = new Date((await this.#target.now()) + 20 * 3_600_000).toISOString().slice(0, 16);
    return this.answer(url, { ...fields, action: 'accept', nextAction: 'call', dueChoice: 'other', due });
  }

  /** The POST that confirms the promised step, which ends the handoff. */
  async confirm(handoff: Handoff): Promise<Timed> {
    const { url, fields } = await this.open(handoff);
    return this.answer(url, { ...fields, action: 'confirm-next-step', evidence: 'call', evidenceNote: 'Spoke for ten minutes.' });
  }

  async answer(url: string, fields: Record<string, string>): Promise<Timed> {
    const result = await timed(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual', headers: { 'sec-fetch-site': 'same-origin' } });
    if (result.status !== 303) throw new Error(`${fields.action} answered ${result.status}`);
    return result;
  }
}

/** Settings of an operator's client for a target. */
export const clientOf = ({ endpoint }: Pick<Target, 'endpoint'>) => ({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'operator', secretAccessKey: 'operator' } });

async function timed(url: string, request: RequestInit): Promise<Timed> {
  const from = performance.now();
  const answer = await fetch(url, request);
  await answer.arrayBuffer();
  return { status: answer.status, milliseconds: performance.now() - from };
}

/** Runs a task so many times, at most `together` at once. */
export async function manyTimes<T>(count: number, together: number, task: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await task(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(together, count) }, worker));
  return results;
}
