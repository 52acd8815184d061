import type { Handoff } from '../domain/handoff.ts';
import type { HandoffId, PersonId } from '../domain/ids.ts';
import type { LinkChannel, LinkPurpose } from '../domain/link.ts';
import type { Load } from '../domain/load.ts';
import type { Wait } from '../domain/next-step.ts';
import type { Generated, Packet } from '../domain/packet.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { MatchRow } from './match-book.ts';

/** The task token of a workflow that waits, and for what. A secret: it stays between the table and `wake-workflow`. */
export type StoredWait = { wait: Wait; token: string; storedAt: string; wokenAt?: string };

/** A link that is issued together with the offer or exception it answers. */
export type IssuedLink = { id: string; purpose: LinkPurpose; number: number; person: PersonId; channel: LinkChannel; expiresAt: string };

/** Free text that a person wrote beside a receipt: personal data, so it is kept apart from the log and can be erased. */
export type Note = { seq: number; kind: 'question' | 'explanation' | 'evidence' | 'result'; text: string };

/** What is written in the same transaction as the receipts: all of it or none of it. */
export type Alongside = {
  packet?: Packet;
  wait?: StoredWait;
  links?: readonly IssuedLink[];
  notes?: readonly Note[];
  /** A generator's text, under the receipt that brought it. */
  generated?: { seq: number; generated: Generated };
  /** The signed acceptance receipt (compact JWS) for the receipt with this number. */
  acceptance?: { seq: number; jws: string };
  /**
   * How a turn of `fair-turn` is taken: only if nobody gave the person one since candidates were weighed (the answer is
   * `stale` otherwise), which is the rule, or in any case.
   */
  turn?: 'if-unchanged' | 'anyway';
  /** Settles the signal that this handoff was opened for. */
  signal?: { source: string; eventId: string };
  /** Settles the signal that joins this handoff as another source, and counts it. */
  linkedSignal?: { source: string; eventId: string };
  /** What arrived under each key, as it is from now on. Written only while each row still has the `version` given here (ID-11). */
  matches?: readonly MatchRow[];
};

export type Appended =
  | { kind: 'written' }
  /** This very command was written before: a repeated delivery, or our own write whose answer got lost (DB-01). */
  | { kind: 'already-applied'; handoff: Handoff }
  /** Whoever would own the handoff owns as many as they may. Nothing was written, and the handoff stands as it was read. */
  | { kind: 'at-capacity' }
  /** Somebody else was first. Load again and decide again. */
  | { kind: 'stale' };

/** A handoff with what a person needs to decide about it. */
export type LoadedHandoff = { handoff: Handoff; packet: Packet };

/** Handoffs, for whoever only looks. */
export interface HandoffReader {
  /** The row as it is now (consistent read), or undefined when there is none. */
  load(id: HandoffId): Promise<LoadedHandoff | undefined>;

  /** The whole log in order (consistent read). */
  receipts(id: HandoffId): Promise<Receipt[]>;

  /** Free texts by the number of the receipt they belong to. */
  notes(id: HandoffId): Promise<Note[]>;

  /** The signed acceptance receipts, oldest first. */
  acceptances(id: HandoffId): Promise<{ seq: number; jws: string }[]>;
}

export interface HandoffStore extends HandoffReader {
  /**
   * Writes receipts and the row they lead to in one transaction: each receipt must not exist, the row must still have
   * the version `before` has (or not exist when `before` is undefined). Counters, the sparse indexes and `alongside`
   * are part of the same transaction. Idempotent by command id. A conflict or throttle is retried with jitter, at most
   * five times, and then thrown; a failed condition is read back and answered, never thrown.
   * The loads of people move in the same transaction: a yes takes up capacity while the limit on its receipt allows it,
   * and every way out of ownership frees it.
   */
  append(before: Handoff | undefined, after: Handoff, receipts: readonly Receipt[], alongside?: Alongside): Promise<Appended>;

  /** Open handoffs (offered or accepted) each of these people holds now. For ordering only: may lag. */
  openCounts(people: readonly PersonId[]): Promise<Record<string, number>>;

  /** What these people carry (consistent read); whoever carries nothing is left out. */
  loads(people: readonly PersonId[]): Promise<Record<string, Load>>;
}

/** Task tokens of waiting workflows. */
export interface WaitBook {
  /**
   * Remembers the token of a wait, unless the handoff has moved on from `handoff.version`.
   * A later attempt's token replaces an earlier one (SF-04). Answers `stale` when the row changed meanwhile (SF-21).
   */
  remember(handoff: Handoff, wait: StoredWait): Promise<'remembered' | 'stale'>;
  find(id: HandoffId): Promise<StoredWait | undefined>;
  /** Marks the token as used. False when somebody else marked it first, or a newer token stands there (SF-02). */
  markWoken(id: HandoffId, token: string, at: string): Promise<boolean>;
}

/** What a link names. */
export type LinkTarget = IssuedLink & { handoffId: HandoffId };

export interface LinkBook {
  /** What this link id names, or undefined. Consistent read. The signature is checked by the caller. */
  find(linkId: string): Promise<LinkTarget | undefined>;
  /** The links issued for one offer or exception of a handoff. */
  issuedFor(id: HandoffId, purpose: IssuedLink['purpose'], number: number, person: PersonId): Promise<LinkTarget[]>;
}
