// A Baton that is killed again and again, and people who try again, as real ones do.

import { type ChildProcess, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type RunningBaton, startBaton } from './running-baton.ts';
import type { Stage } from './story.ts';

/** Kills while it boots come within this time of its start, kills at work within this time of being ready. */
const WHILE_BOOTING_MS = 1000;
const AT_WORK_MS = 800;
const SHARE_WHILE_BOOTING = 0.3;

export class MortalBaton {
  readonly #folder = mkdtempSync(join(tmpdir(), 'baton-mortal-'));
  readonly #dataDir = join(this.#folder, 'data');
  readonly #clock = { ahead: 0 };
  #running: RunningBaton | undefined;
  #booting: Promise<void> | undefined;
  #child: ChildProcess | undefined;
  #port = 0;
  #isOver = false;
  readonly figures = { atWork: 0, whileBooting: 0, boots: [] as number[], databasesAtMost: 0 };

  /** Starts one whose windows are long enough that no real minute matters. */
  static async start(): Promise<MortalBaton> {
    const baton = new MortalBaton();
    baton.#writePolicy();
    await baton.#boot();
    return baton;
  }

  get kills(): number {
    return this.figures.atWork + this.figures.whileBooting;
  }

  /** What a story needs of a runtime; every wait for it outlasts its deaths. */
  stage(): Stage {
    const { urls, outputs } = this.#alive();
    return {
      urls,
      outputs,
      now: () => Date.now() + this.#clock.ahead,
      advance: (seconds) => this.advanceTo(Date.now() + this.#clock.ahead + seconds * 1000),
      idle: () => this.advanceTo(0),
    };
  }

  /** Moves time to an instant, in as many attempts as it takes, and waits for what becomes due. */
  async advanceTo(instant: number): Promise<void> {
    await this.persist(async () => {
      const now = await this.#readTime();
      await this.#alive().advance(Math.max(instant - now, 0) / 1000);
      await this.#readTime();
    });
  }

  /** Tries until it works: what a webhook sender does, and a person whose page did not load. */
  async persist<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#isOver) throw new Error('this Baton has ended for good');
      const running = this.#running;
      try {
        if (running !== undefined) return await attempt();
      } catch (fault) {
        if (running !== undefined && running === this.#running && !isCutOff(fault)) throw fault;
      }
      await pause(20);
    }
  }

  /** Kills it so many times at moments that `random` chooses, and leaves it running. Stops once it has ended for good: a test that failed ends it meanwhile. */
  async dieAndLive(times: number, random: () => number): Promise<void> {
    for (let n = 0; n < times && !this.#isOver; n += 1) {
      const whileBooting = random() < SHARE_WHILE_BOOTING;
      const moment = random();
      if (whileBooting) {
        await this.#kill();
        const boot = this.#boot().catch(() => undefined);
        await Promise.race([pause(moment * WHILE_BOOTING_MS), boot]);
        this.figures.whileBooting += 1;
        await this.#kill();
        await boot;
      } else {
        await pause(moment * AT_WORK_MS);
        this.figures.atWork += 1;
        await this.#kill();
      }
      await this.#boot();
    }
  }

  /** Ends it in order, then removes what it kept. Answers with the databases that are still there. */
  async end(): Promise<number> {
    this.#isOver = true;
    await this.#booting?.catch(() => undefined);
    await this.#running?.kill('SIGTERM');
    await this.#kill();
    const left = this.#databases();
    rmSync(this.#folder, { recursive: true, force: true });
    return left;
  }

  #boot(): Promise<void> {
    this.#booting = this.#isOver ? Promise.resolve() : this.#start();
    return this.#booting;
  }

  async #start(): Promise<void> {
    const from = performance.now();
    const started = await startBaton({ dataDir: this.#dataDir, port: this.#port, folder: this.#folder, onSpawn: (child) => this.#isNow(child) });
    this.figures.boots.push(performance.now() - from);
    this.#port = Number(new URL(started.urls.aws).port);
    this.#running = started;
    this.figures.databasesAtMost = Math.max(this.figures.databasesAtMost, this.#databases());
    await this.#readTime().catch(() => undefined);
  }

  #isNow(child: ChildProcess): void {
    this.#child = child;
  }

  async #kill(): Promise<void> {
    this.#running = undefined;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((ended) => {
      child.once('exit', () => ended());
      child.kill('SIGKILL');
    });
  }

  #alive(): RunningBaton {
    if (this.#running === undefined) throw new Error('it is dead at this moment', { cause: 'ECONNREFUSED' });
    return this.#running;
  }

  async #readTime(): Promise<number> {
    const answer = await fetch(new URL('/_baton/time', this.#alive().urls.console));
    const now = Date.parse(((await answer.json()) as { now: string }).now);
    this.#clock.ahead = now - Date.now();
    return now;
  }

  /** Database processes on this data folder, also of earlier lives. */
  #databases(): number {
    return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(join(this.#dataDir, 'dynamodb.sqlite'))).length;
  }

  #writePolicy(): void {
    cpSync('policy', join(this.#folder, 'policy'), { recursive: true });
    symlinkSync(resolve('cdk.out'), join(this.#folder, 'cdk.out'), 'dir');
    const contracts = join(this.#folder, 'policy', 'contracts');
    for (const name of readdirSync(contracts)) {
      const text = readFileSync(join(contracts, name), 'utf8');
      writeFileSync(join(contracts, name), text.replaceAll('window: 5m', 'window: 2h').replaceAll('respond: 30m,', 'respond: 6h,'));
    }
  }
}

/** Whether a request failed because nobody was there to answer it, or died over it. */
export function isCutOff(fault: unknown): boolean {
  for (let at: unknown = fault; at instanceof Error; at = at.cause) {
    const { code, message } = at as NodeJS.ErrnoException;
    if (/^(ECONN|EPIPE|UND_ERR|ETIMEDOUT)/.test(code ?? '') || /fetch failed|socket hang up|terminated|other side closed|ECONNREFUSED|it is dead/.test(message)) return true;
  }
  return false;
}
