// A small kernel for testing one service of the local runtime: time stands still until a test moves it.

import { DatabaseSync } from 'node:sqlite';
import type { Caller, Kernel, Resource, Services } from '../../infra/local/kernel/types.ts';

export type LocalKernel = Kernel & {
  /** Moves time, running in order whatever becomes due, and waits for all work it causes. */
  advance(seconds: number): Promise<void>;
  /** Waits for work under way. */
  settle(): Promise<void>;
  /** A new kernel on the same journal: the process died and started again. */
  restarted(overrides?: Partial<Services>): LocalKernel;
  logs: { service: string; message: string }[];
};

const refuse = (name: string) => (): never => {
  throw new Error(`${name} is not part of this test`);
};

const noServices: Services = {
  lambda: { invoke: refuse('lambda.invoke'), invokeAsync: refuse('lambda.invokeAsync') },
  events: { putServiceEvent: refuse('events.putServiceEvent') },
  queues: { send: refuse('queues.send') },
  workflows: { start: refuse('workflows.start') },
};

type Settings = { now?: string; db?: DatabaseSync; services?: Partial<Services>; authorize?: Kernel['iam']['authorize'] };

/** A kernel with a journal in memory. Services a test needs are passed in; calling any other fails it. */
export function aKernel(settings: Settings = {}): LocalKernel {
  let now = Date.parse(settings.now ?? '2026-03-02T10:00:00.000Z');
  const due = new Map<string, { dueAt: number; run: () => Promise<void> }>();
  const running = new Set<Promise<unknown>>();
  const logs: LocalKernel['logs'] = [];
  const db = settings.db ?? new DatabaseSync(':memory:');

  const track = async <T>(_label: string, run: () => Promise<T>): Promise<T> => {
    const work = run();
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };
  const settle = async () => {
    while (running.size > 0) await Promise.allSettled(running);
  };
  const nextDue = (until: number) => [...due.entries()].filter(([, entry]) => entry.dueAt <= until).sort(([, a], [, b]) => a.dueAt - b.dueAt)[0];

  return {
    time: { now: () => now },
    agenda: {
      at: (dueAt, id, run) => void due.set(id, { dueAt, run }),
      cancel: (id) => void due.delete(id),
    },
    work: { track, idle: settle },
    db,
    iam: { authorize: settings.authorize ?? (() => {}) },
    services: { ...noServices, ...settings.services },
    log: (line) => void logs.push(line),
    logs,
    settle,
    async advance(seconds) {
      const until = now + seconds * 1000;
      await settle();
      for (let next = nextDue(until); next; next = nextDue(until)) {
        const [id, { dueAt, run }] = next;
        due.delete(id);
        now = Math.max(now, dueAt);
        await track(id, run);
        await settle();
      }
      now = until;
    },
    restarted: (overrides) => aKernel({ ...settings, now: new Date(now).toISOString(), db, services: { ...settings.services, ...overrides } }),
  };
}

/** A resource as the template would hold it after its intrinsics were resolved. */
export const aResource = (type: string, logicalId: string, properties: Record<string, unknown> = {}): Resource => ({ type, logicalId, path: `Baton/${logicalId}`, properties });

export const operator: Caller = { kind: 'operator' };
