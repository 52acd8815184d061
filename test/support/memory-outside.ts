// The world outside in memory: the bus, the mail and text senders, the waiting machine, seals and time.

import { rawReference } from '../../shared/adapters/raw-reference.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import type { BusEvent, EventBus } from '../../shared/ports/event-bus.ts';
import type { Email, EmailSender, Sent, SlackMessage, SlackSender, Sms, SmsSender } from '../../shared/ports/message-sender.ts';
import type { RawDelivery, RawShelf } from '../../shared/ports/raw-shelf.ts';
import type { ContactSeal, LinkSeal } from '../../shared/ports/seal.ts';
import type { TimeSource } from '../../shared/ports/time-source.ts';
import type { Workflow } from '../../shared/ports/workflow.ts';

/** Time that moves only when a test says so. */
export function memoryTime(start: string): TimeSource & { forward: (seconds: number) => string } {
  let now = Date.parse(start);
  const read = () => new Date(now).toISOString();
  return {
    now: read,
    forward: (seconds) => {
      now += seconds * 1000;
      return read();
    },
  };
}

export function memoryEventBus(): EventBus & { published: BusEvent[] } {
  const published: BusEvent[] = [];
  return {
    published,
    publish: async (events) => {
      published.push(...structuredClone([...events]));
    },
  };
}

/** Deliveries as they came, by their references. */
export function memoryRawShelf(): RawShelf & { kept: Map<string, RawDelivery> } {
  const kept = new Map<string, RawDelivery>();
  return {
    kept,
    async keep(delivery) {
      const reference = rawReference(delivery.source, delivery.body);
      kept.set(reference, delivery);
      return reference;
    },
  };
}

/** Takes every message; `answer` may refuse one, or throw as an unclear outcome does. */
export function memoryEmailSender(answer: (email: Email) => Sent = () => ({ kind: 'sent', providerId: 'memory' })): EmailSender & { sent: Email[] } {
  const sent: Email[] = [];
  return {
    sent,
    async send(email) {
      const result = answer(email);
      if (result.kind === 'sent') sent.push({ ...email });
      return result;
    },
  };
}

export function memorySmsSender(answer: (sms: Sms) => Sent = () => ({ kind: 'sent', providerId: 'memory' })): SmsSender & { sent: Sms[] } {
  const sent: Sms[] = [];
  return {
    sent,
    async send(sms) {
      const result = answer(sms);
      if (result.kind === 'sent') sent.push({ ...sms });
      return result;
    },
  };
}

export function memorySlackSender(answer: (message: SlackMessage) => Sent = () => ({ kind: 'sent', providerId: 'memory' })): SlackSender & { sent: SlackMessage[] } {
  const sent: SlackMessage[] = [];
  return {
    sent,
    async send(message) {
      const result = answer(message);
      if (result.kind === 'sent') sent.push(structuredClone(message));
      return result;
    },
  };
}

export type MemoryWorkflow = Workflow & {
  started: string[];
  /** Every wake-up that was asked for, and how it was answered. */
  woken: { token: string; id: HandoffId; answer: 'woken' | 'nobody-waits' }[];
  /** From now on somebody waits with this token. */
  wait: (token: string) => void;
  /** The machine is over, whatever the reason. */
  end: (id: HandoffId, attempt?: number) => void;
};

/** Machines that wait, without steps of their own. A token wakes once (SF-01, SF-02). */
export function memoryWorkflow(): MemoryWorkflow {
  const machines = new Map<string, 'running' | 'ended'>();
  const tokens = new Set<string>();
  const woken: MemoryWorkflow['woken'] = [];
  const started: string[] = [];
  const name = (id: HandoffId, attempt = 0) => (attempt === 0 ? id : `${id}-r${attempt}`);
  return {
    started,
    woken,
    wait: (token) => void tokens.add(token),
    end: (id, attempt) => void machines.set(name(id, attempt), 'ended'),
    async start(id, attempt) {
      if (machines.has(name(id, attempt))) return 'already-started';
      machines.set(name(id, attempt), 'running');
      started.push(name(id, attempt));
      return 'started';
    },
    async latest(id) {
      let attempt = 0;
      while (machines.has(name(id, attempt + 1))) attempt += 1;
      const standing = machines.get(name(id, attempt));
      return standing === undefined ? undefined : { attempt, standing };
    },
    async redrive(id, attempt) {
      if (machines.get(name(id, attempt)) !== 'ended') return 'not-possible';
      machines.set(name(id, attempt), 'running');
      return 'redriven';
    },
    async wake(token, id) {
      const answer = tokens.delete(token) ? 'woken' : 'nobody-waits';
      woken.push({ token, id, answer });
      return answer;
    },
  };
}

/** Link ids that only this fake can verify: the claim is looked up, not computed. */
export function memoryLinkSeal(): LinkSeal {
  const minted = new Map<string, string>();
  const written = (claim: object) => JSON.stringify(Object.entries(claim).sort());
  return {
    async mint({ purpose, handoffId, number, person }) {
      const id = String(minted.size + 1).padStart(32, '0');
      minted.set(id, written({ purpose, handoffId, number, person }));
      return id;
    },
    canonical(text) {
      const id = text.toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
      return /^[0-9A-HJKMNP-TV-Z]{32}$/.test(id) ? id : undefined;
    },
    verify: async (linkId, { purpose, handoffId, number, person }) => minted.get(linkId) === written({ purpose, handoffId, number, person }),
  };
}

let links = 0;

export const memoryContactSeal: ContactSeal & Pick<LinkSeal, 'mint'> = {
  reference: async ({ email, phone, fallback }) => `c-${Buffer.from(email ?? phone ?? fallback).toString('hex')}`,
  mint: async () => `link-${++links}`,
};
