import type { ContactChoice, SuppressedChannel } from '../domain/announcement.ts';

/** Why an address takes no messages on a channel, and since when. */
export type Suppression = Pick<ContactChoice, 'because' | 'source' | 'eventId'> & { since: string };

/** Which addresses take no more messages. Kept for ever, under keyed hashes: erasing a person must not open their address again (PI-05). */
export interface SuppressionBook {
  /** Notes a choice. The later one stands, whatever order they come in; of two at the same instant, the one that shuts. Repeating it changes nothing. */
  note(choice: ContactChoice): Promise<void>;
  /** What stands against messages to this address on this channel, or undefined (consistent read). */
  standing(channel: SuppressedChannel, address: string): Promise<Suppression | undefined>;
}
