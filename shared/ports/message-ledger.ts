import type { PersonId } from '../domain/ids.ts';
import type { LinkChannel } from '../domain/link.ts';
import type { Admission, Ledger } from '../domain/message-limit.ts';

/** What each person was sent on each channel within the hour, and what waits for a place (O-09). */
export interface MessageLedger {
  /** As it is now; empty for whoever was sent nothing (consistent read). */
  read(person: PersonId, channel: LinkChannel): Promise<Ledger>;
  /** Decides on the ledger as it is and writes what the decision demands, before anybody else decides. */
  admit(person: PersonId, channel: LinkChannel, decide: (ledger: Ledger) => Admission): Promise<Admission>;
}
