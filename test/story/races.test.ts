import { expect } from 'vitest';
import { dynamodbWaitBook } from '../../shared/adapters/dynamodb-wait-book.ts';
import type { HandoffId } from '../../shared/domain/ids.ts';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

const ROUNDS = 200;
const TOGETHER = 20;

story(
  'SF-03 CC-01: a yes and the end of its window in the same instant: one acceptance each time, and the machine waits for what the row says',
  async (baton) => {
    for (let done = 0; done < ROUNDS; done += TOGETHER) {
      const handoffs = await Promise.all(Array.from({ length: TOGETHER }, () => baton.givenSignal(aRoofInspection())));
      const messages = await Promise.all(
        handoffs.map(async (handoff) => {
          const [primary] = await baton.candidates(handoff);
          return baton.offerTo(primary, handoff);
        }),
      );
      const answers = messages.map((message) => baton.whenAccepted(message, { dueIn: { hours: 30 } }));
      await Promise.all([...answers, baton.fastForward({ minutes: 5 })]);
      await baton.runtime.idle();
      for (const handoff of handoffs) await thenOneOwner(handoff);
    }

    async function thenOneOwner(handoff: HandoffId) {
      const { state, offers, ownership, custodian } = await baton.handoff(handoff);
      expect(offers.filter((offer) => offer.status === 'accepted')).toHaveLength(1);
      expect(offers.filter((offer) => offer.status === 'pending')).toEqual([]);
      expect({ state, custodian }).toEqual({ state: 'accepted', custodian: ownership?.owner });
      expect((await dynamodbWaitBook(baton.table).find(handoff))?.wait).toBe(`next-step:${ownership?.dueAt}`);
      expect(await baton.workflow(handoff)).toBe('RUNNING');
    }
  },
  600,
);

story('CC-01: two people say yes at once: one owns it, and the other is told who', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary, backup] = await baton.candidates(handoff);
  const toPrimary = await baton.thenMessageTo(primary, { about: handoff });
  await baton.fastForward({ minutes: 5 });
  const toBackup = await baton.thenMessageTo(backup, { about: handoff });

  await Promise.all([baton.whenAccepted(toPrimary), baton.whenAccepted(toBackup)]);

  const { offers, custodian } = await baton.handoff(handoff);
  expect(offers.filter((offer) => offer.status === 'accepted').map((offer) => offer.to)).toEqual([custodian]);
});

story('LK-24: yes and no from the same link at once: the first decides, and one receipt says so', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const message = await baton.thenMessageTo(primary, { about: handoff });

  await Promise.all([baton.whenAccepted(message), baton.whenAnswered(message, { action: 'reject', reason: 'no-capacity' })]);

  const { offers } = await baton.handoff(handoff);
  expect(['accepted', 'rejected']).toContain(offers[0]?.status);
});
