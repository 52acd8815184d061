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

story('O-06 P-03: a question goes to whoever owes the answer; the answer makes a new packet for the same offer, whose time begins again', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const asked = await baton.thenMessageTo(primary, { about: handoff });
  await baton.whenAnswered(asked, { action: 'ask-clarification', question: 'Is it a flat roof?' });

  expect((await baton.handoff(handoff)).offers[0]).toMatchObject({ status: 'clarifying', clarification: { owedBy: 'ina' } });
  await baton.fastForward({ minutes: 10 });
  await baton.thenState(handoff, 'acceptance-requested');
  const toIna = await baton.thenMessageTo('ina', { about: handoff, saying: 'flat roof' });
  await baton.whenAnswered(toIna, { action: 'answer-question', answer: 'Yes, flat, with a hatch.' });

  await baton.thenMessageTo(primary, { about: handoff, saying: 'with a hatch' });
  expect((await baton.whenOpened(asked)).text).toContain('with a hatch');
  await baton.fastForward({ minutes: 3 });
  await baton.whenAccepted(asked);
  await baton.thenOwner(handoff, primary);
  await baton.thenReceipts(handoff, [
    'handoff.opened',
    'candidates.resolved',
    'acceptance.requested',
    'clarification.asked',
    'clarification.answered',
    'offer.reminded',
    'offer.accepted',
  ]);
  expect((await baton.handoff(handoff)).packetVersion).toBe(2);
});

story('O-06 E-01: a question that nobody answers goes to a named person after its own time, and the customer was never forgotten', async (baton) => {
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const asked = await baton.thenMessageTo(primary, { about: handoff });
  await baton.whenAnswered(asked, { action: 'ask-clarification', question: 'Which side?' });
  await baton.fastForward({ minutes: 30 });

  await baton.thenState(handoff, 'exception');
  expect((await baton.handoff(handoff)).exceptions.map((one) => one.class)).toEqual(['clarification-expired']);
});
