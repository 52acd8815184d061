import { expect } from 'vitest';
import type { Activity } from '../../shared/domain/activity.ts';
import type { Measures } from '../../shared/domain/measures.ts';
import { typed } from '../support/command-line.ts';
import { aRoofInspection } from '../support/leads.ts';
import { type Baton, story } from '../support/story.ts';

const measured = async (baton: Baton) => JSON.parse((await typed(baton, 'measures', '--json')).text) as Measures;

story('M-06 M-07 M-08: ten signals, two accepted after a minute and eight never: the median is no minute, and the report names the eight', async (baton) => {
  const handoffs = await Promise.all(Array.from({ length: 10 }, () => baton.givenSignal(aRoofInspection())));
  await baton.fastForward({ minutes: 1 });
  for (const handoff of handoffs.slice(0, 2)) {
    const [primary] = await baton.candidates(handoff);
    await baton.whenAccepted(await baton.offerTo(primary, handoff), { dueIn: { hours: 30 } });
  }
  await baton.fastForward({ hours: 1 });

  const { times, funnel, rates } = await measured(baton);
  expect(funnel).toMatchObject({ opened: 10, asked: 10, accepted: 2, acceptedByBackup: 0 });
  expect(times.eventToAcceptance).toMatchObject({ count: 10, still: 8, median: { atLeast: true }, max: { atLeast: true } });
  expect(times.eventToAcceptance?.median.seconds).toBeGreaterThan(3600);
  expect(rates.inException).toBe(0.8);
  const { text } = await typed(baton, 'measures');
  expect(text).toMatch(/source event to acceptance: median at least 1 h/);
  expect(text).not.toContain('median 1 min');

  const report = await typed(baton, 'report', '--zone', 'UTC');
  expect(report.status).toBe(1);
  expect(report.text).not.toContain('no workflow waits');
  for (const handoff of handoffs.slice(2)) expect(report.text).toContain(`${handoff}, waiting 1 h`);
  for (const handoff of handoffs.slice(0, 2)) expect(report.text).not.toContain(handoff);
});

story(
  'L-04 L-05 A-02 M-07: drafted two minutes after the request, unowned four and a half hours later: the clock runs, a named person answers, and the draft counts for nothing',
  async (baton) => {
    const handoff = await baton.givenSignal(aRoofInspection());
    const before = await measured(baton);
    const [suggested] = await baton.candidates(handoff);
    await baton.fastForward({ minutes: 2 });
    await baton.whenSaid('baton.ai', 'packet.prepared', {
      ...{ handoffId: handoff, generatorId: 'draft-bot', eventId: 'overnight', generatorVersion: '3' },
      draft: 'We can be with you on Tuesday.',
    });
    expect((await baton.handoff(handoff)).custodian).toBe('ina');
    await baton.fastForward({ hours: 4, minutes: 33 }); // the suggested seller is not there, and nobody else answers either

    const { ownership, state, custodian, exceptions } = await baton.handoff(handoff);
    expect(ownership).toBeUndefined();
    expect({ state, custodian }).toEqual({ state: 'exception', custodian: 'ina' });
    expect(exceptions).toMatchObject([{ class: 'nobody-answered', owner: 'ina', earlierOwners: ['omar', 'dana'] }]);
    const { times, funnel } = await measured(baton);
    expect(funnel.accepted).toBe(before.funnel.accepted);
    expect(times.eventToAcceptance?.still).toBe(before.times.eventToAcceptance?.still);
    expect(times.eventToDraft).toMatchObject({ count: 1, still: 0 });
    expect(times.eventToDraft?.max.seconds).toBeLessThan(180);
    const report = await typed(baton, 'report', '--zone', 'UTC');
    expect(report.text).not.toContain('no workflow waits');
    expect(report.text).toContain(`${handoff}, waiting 4 h 35 min`);
    expect(report.text).toMatch(new RegExp(`${handoff}[^\\n]*custodian ina\\n[^\\n]*after omar and dana did not`));

    const toIna = await baton.thenMessageTo('ina', { about: handoff });
    await baton.whenAnswered(toIna, { action: 'accept-exception', confirm: 'yes' });
    await baton.whenAnswered(toIna, { action: 'assign', assignTo: suggested });
    const page = await baton.whenOpened(await baton.offerTo(suggested, handoff, 3));
    expect(page.text).toContain('We can be with you on Tuesday.');
    await baton.whenAccepted(await baton.offerTo(suggested, handoff, 3));
    await baton.thenOwner(handoff, suggested);
  },
);

story('M-06 M-08 X-05: signals of a stranger, a request that staff move, an outcome that matches and one that does not: report and measures name each', async (baton) => {
  const counts = async () => (JSON.parse((await typed(baton, 'report', '--json')).text) as { activity: Activity }).activity.counts;
  const before = await counts();
  const at = new Date(baton.runtime.now()).toISOString();
  const stranger = {
    source: 'stranger',
    eventId: 'stranger-1',
    kind: 'form.submitted',
    occurredAt: at,
    receivedAt: at,
    contact: {},
    request: {},
    location: {},
    consent: {},
    more: {},
  };
  await baton.whenSaid('baton.intake', 'signal.received', { signal: stranger });
  const handoff = await baton.givenSignal(aRoofInspection());
  const [primary] = await baton.candidates(handoff);
  const other = primary === 'rosa' ? 'sam' : 'rosa';
  await baton.whenOrdered({ kind: 'handoff.reassign', handoffId: handoff, by: 'ina', to: other });
  await baton.whenAccepted(await baton.offerTo(other, handoff, 2));
  const won = { kind: 'outcome.recorded', system: 'crm', result: 'won', revenue: { minorUnits: 120_050, currency: 'USD' } };
  await baton.whenOrdered({ ...won, handoffId: handoff });
  const lost = { orderId: 'crm-lost-1', order: { ...won, handoffId: `h-${'9'.repeat(32)}` } };
  await baton.whenSaid('baton.ops', 'outcome.recorded', lost);
  await baton.whenSaid('baton.ops', 'outcome.recorded', lost);

  const now = await counts();
  const grown = Object.fromEntries(Object.entries(now).map(([name, count]) => [name, count - (before[name as keyof typeof before] ?? 0)]));
  expect(grown).toMatchObject({ received: 2, unknownSource: 1, opened: 1, asked: 1, askedBackup: 1, yes: 1, 'moved:reassigned': 1, recorded: 1, unmatched: 1 });
  for (const command of ['report', 'measures']) {
    const { text } = await typed(baton, command);
    expect(text).toMatch(/from a source that no contract names +1/);
    expect(text).toMatch(/moved to another person +\d+.*\n +staff named somebody +1/);
    expect(text).toMatch(/outcomes that match no request +1/);
  }
  expect((await typed(baton, 'measures')).text).toMatch(/crm won +1\n {2}revenue 1200\.50 USD/);
  expect((await typed(baton, 'show', handoff)).text).toContain('crm says won, 1200.50 USD');
});
