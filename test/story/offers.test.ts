import { expect } from 'vitest';
import { aRoofInspection } from '../support/leads.ts';
import { story } from '../support/story.ts';

story('O-07: two minutes before the end the primary is reminded once, and the first link still answers', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const asked = await baton.thenMessageTo(primary, { about: handoff });
  await baton.fastForward({ minutes: 3 });

  const reminder = await baton.thenMessageTo(primary, { about: handoff });
  expect(reminder.links).toEqual(asked.links);
  await baton.whenAccepted(asked);
  await baton.thenOwner(handoff, primary);
  await baton.thenReceipts(handoff, ['handoff.opened', 'candidates.resolved', 'acceptance.requested', 'offer.reminded', 'offer.accepted']);
});
