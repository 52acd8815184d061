// Events onto the bus, each one confirmed.

import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { BusEvent, EventBus } from '../ports/event-bus.ts';
import { SDK_CLIENT_SETTINGS } from './sdk-client-settings.ts';

/** Some events are not on the bus. The caller still has them and must not forget them. */
export class EventsNotPublished extends Error {
  override readonly name = 'EventsNotPublished';
  readonly events: readonly BusEvent[];
  constructor(events: readonly BusEvent[], codes: readonly string[]) {
    super(`${events.length} events were not published: ${[...new Set(codes)].join(', ')}`);
    this.events = events;
  }
}

/** What one PutEvents takes. */
const ENTRIES_A_CALL = 10;
const ROUNDS = 3;
const FIRST_PAUSE_MS = 50;

type Waiting = { pause?: (milliseconds: number) => Promise<void>; chance?: () => number };

/** The bus with this name. Entries that a call refuses are sent again, they alone (EB-04), twice, with a pause that doubles and jitters. */
export function eventbridgeEventBus(busName: string, client = new EventBridgeClient(SDK_CLIENT_SETTINGS), { pause = sleep, chance = Math.random }: Waiting = {}): EventBus {
  return {
    async publish(events) {
      let open = [...events];
      let codes: string[] = [];
      for (let round = 0; round < ROUNDS && open.length > 0; round++) {
        if (round > 0) await pause(FIRST_PAUSE_MS * 2 ** (round - 1) * (1 + chance()));
        const refused: { event: BusEvent; code: string }[] = [];
        for (let from = 0; from < open.length; from += ENTRIES_A_CALL) refused.push(...(await put(client, busName, open.slice(from, from + ENTRIES_A_CALL))));
        open = refused.map(({ event }) => event);
        codes = refused.map(({ code }) => code);
      }
      if (open.length > 0) throw new EventsNotPublished(open, codes);
    },
  };
}

/** The events that this call did not take. Answers are matched by position, and there must be one for each (EB-17). */
async function put(client: EventBridgeClient, busName: string, events: readonly BusEvent[]): Promise<{ event: BusEvent; code: string }[]> {
  const { Entries: answers = [] } = await client.send(new PutEventsCommand({ Entries: events.map((event) => entryOf(event, busName)) }));
  if (answers.length !== events.length) throw new Error(`the bus answered ${answers.length} of ${events.length} events`);
  return events.flatMap((event, at) => {
    const answer = answers[at];
    return answer?.EventId !== undefined && answer.ErrorCode === undefined ? [] : [{ event, code: answer?.ErrorCode ?? 'Unconfirmed' }];
  });
}

const entryOf = ({ source, detailType, detail, at }: BusEvent, busName: string): PutEventsRequestEntry => ({
  EventBusName: busName,
  Source: source,
  DetailType: detailType,
  Detail: JSON.stringify(detail),
  ...(at !== undefined && { Time: new Date(at) }),
});

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
