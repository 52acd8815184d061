import { describe, expect, test } from 'vitest';
import { type NotifyDeps, notify, REPORTS } from '../../functions/notify/notify.ts';
import { septets } from '../../functions/notify/sms-text.ts';
import { CLAIM_LEASE_SECONDS } from '../../shared/contracts/message-lease.ts';
import type { Receipt } from '../../shared/domain/receipt.ts';
import type { Email, Sent, Sms } from '../../shared/ports/message-sender.ts';
import { anOfferedWorld, post, staff, type World } from '../support/answering.ts';
import { aPolicy, DANA, INA, NOW, OMAR, ROSA, SAM } from '../support/builders.ts';
import { memoryClaimBook, memoryMessageLedger, memoryPauseBook, memoryReportShelf, memorySuppressionBook } from '../support/memory-books.ts';
import { memoryEmailSender, memoryEventBus, memorySlackSender, memorySmsSender } from '../support/memory-outside.ts';

const packet = {
  contact: { name: 'Ana <b>Pérez</b>', email: 'ana.perez@example.com', phone: '+15035550142', language: 'es' },
  request: { words: 'Ana Pérez here, it leaks. Call (503) 555-0142, see http://evil.example/x', category: 'roof-inspection', timing: 'this week' },
  location: { postalCode: '97205', city: 'Portland' },
};
const english = () => aPolicy({ people: staff().map((person) => ({ ...person, speaks: 'en' as const })) });
const YES = { action: 'accept', nextAction: 'call', due: '2026-03-02T15:00' };

type Answers = { email?: (email: Email) => Sent; sms?: (sms: Sms) => Sent; publicUrl?: string };

async function aNotifier(world: World, answers: Answers = {}) {
  const [email, sms, slack] = [memoryEmailSender(answers.email), memorySmsSender(answers.sms), memorySlackSender()];
  const claims = memoryClaimBook(world.table);
  const pauses = memoryPauseBook();
  const settled: string[] = [];
  const bus = memoryEventBus();
  const deps: NotifyDeps = {
    store: world.store,
    links: world.links,
    policies: world.policies,
    claims,
    pauses,
    email,
    sms,
    slack,
    reports: memoryReportShelf(world.table),
    ledger: memoryMessageLedger(world.table),
    bus,
    suppressions: memorySuppressionBook(world.table),
    time: world.time,
    publicUrl: answers.publicUrl ?? 'https://baton.example',
    opsEmail: 'ops@roof.example',
    settled: (outcome, effect) => void settled.push(`${outcome} ${effect}`),
  };
  const tell = (receipt: Receipt) => notify(deps, { schemaVersion: '1', handoffId: world.id, receipt });
  const last = async (kind: Receipt['kind']) => {
    const receipt = (await world.store.receipts(world.id)).findLast((one) => one.kind === kind);
    if (receipt === undefined) throw new Error(`nothing is ${kind}`);
    return receipt;
  };
  return {
    deps,
    email,
    sms,
    claims,
    pauses,
    settled,
    bus,
    tell,
    about: async (kind: Receipt['kind']) => tell(await last(kind)),
    unsettled: (effect: string) => notify(deps, { schemaVersion: '1', handoffId: world.id, effect }),
  };
}

const offered = (more: Parameters<typeof anOfferedWorld>[0] = {}) => anOfferedWorld({ packet, policy: english(), ...more });
const WARNED = { ask: [{ role: 'seller', order: 'fixed' as const, window: { seconds: 300 }, warnAt: { seconds: 180 } }] };
const backup = async () => {
  const world = await offered();
  world.time.forward(301);
  await world.wish('time-out');
  await world.wish('request-acceptance');
  return world;
};
const excepted = async () => {
  const world = await backup();
  world.time.forward(301);
  await world.wish('time-out');
  await world.wish('raise-exception');
  return world;
};

describe('offers', () => {
  test('O-01: the person who is asked gets an e-mail and a text message, each with its own link', async () => {
    const world = await offered();
    const { about, email, sms } = await aNotifier(world);
    await about('acceptance.requested');
    const [mail, text] = [email.sent[0], sms.sent[0]];
    expect(mail).toMatchObject({ to: 'rosa@roof.example', subject: 'Will you take it? Roof inspection, 97205 Portland' });
    expect(mail?.text).toContain('Please answer by Mon, Mar 2, 8:05 AM PST.');
    expect(mail?.text).toContain(`\nhttps://baton.example/a/${await world.linkOf(ROSA)}\n`);
    expect(text).toMatchObject({
      to: '+15035550101',
      text: `New request: roof inspection, 97205 Portland. Answer by 8:05 AM\nhttps://baton.example/a/${await world.linkOf(ROSA, { channel: 'sms' })}`,
    });
  });

  test('PI-08: before a yes, no message says who the customer is or how to reach them', async () => {
    const world = await excepted();
    const { tell, email, sms } = await aNotifier(world);
    const [row] = world.table.handoffs.values();
    for (const receipt of await world.store.receipts(world.id)) await tell(receipt);
    if (row !== undefined)
      row.head = { ...row.head, state: 'acceptance-requested', offers: row.head.offers.map((offer) => ({ ...offer, status: 'pending', deadlineAt: '2027-01-01T00:00:00.000Z' })) };
    const said = JSON.stringify([email.sent, sms.sent]);
    expect(sms.sent.length).toBeGreaterThan(0);
    for (const secret of ['Pérez', 'Perez', 'ana.perez', '555-0142', '5550142', 'evil.example']) expect(said).not.toContain(secret);
  });

  test('LK-07, LK-08, LK-26: every link is on our own host, at most 60 characters when that is short, alone on its line, and survives quoted-printable', async () => {
    const world = await offered();
    const { about, email, sms } = await aNotifier(world);
    await about('acceptance.requested');
    for (const { text } of [...email.sent, ...sms.sent]) {
      const links = text.split('\n').filter((line) => line.includes('https://'));
      for (const line of links) expect(line).toMatch(/^https:\/\/baton\.example\/a\/[0-9A-HJKMNP-TV-Z]{32}$/);
      expect(links[0]?.length).toBeLessThanOrEqual(60);
      const damaged = text
        .replace(/.{76}/g, '$&=\n')
        .split('\n')
        .map((line) => line.replace(/=$/, ''));
      expect(damaged).toContain(links[0]);
    }
    const addresses = [...(email.sent[0]?.html.matchAll(/(?:href|src)="([^"]+)"/g) ?? [])].map(([, url]) => url);
    expect(addresses.every((url) => url?.startsWith('https://baton.example/a/'))).toBe(true);
  });

  test('people read their own language', async () => {
    const world = await offered({ policy: aPolicy({ people: staff() }) });
    const { about, email, sms } = await aNotifier(world);
    await about('acceptance.requested');
    expect(email.sent[0]?.subject).toBe('¿La acepta? Inspección de techo, 97205 Portland');
    expect(email.sent[0]?.text).toMatch(/^Hola, Rosa:\n\nHay una solicitud nueva: inspección de techo en 97205 Portland\. ¿La acepta\?/);
    expect(sms.sent[0]?.text).toMatch(/^Solicitud nueva: inspeccion de techo, 97205 Portland\. Responda antes de 8:05 a/);
  });

  test('a backup is asked like a primary, and an offer that ended meanwhile is not sent (CC-09)', async () => {
    const world = await backup();
    const { tell, about, email, claims } = await aNotifier(world);
    await about('backup.requested');
    expect(email.sent.map(({ to }) => to)).toEqual(['sam@roof.example']);
    const [first] = (await world.store.receipts(world.id)).filter(({ kind }) => kind === 'acceptance.requested');
    if (first !== undefined) await tell(first);
    expect(email.sent).toHaveLength(1);
    expect(await claims.find(world.id, `acceptance.requested:${first?.seq}:email`)).toMatchObject({ result: 'skipped', detail: 'the offer is over' });
  });
});

describe('acceptance', () => {
  test('PI-08, LK-16: the owner gets the contact details on every channel, with the promise and the receipt', async () => {
    const world = await offered();
    await post(world, await world.linkOf(ROSA, { channel: 'sms' }), YES);
    const { about, email, sms } = await aNotifier(world);
    await about('offer.accepted');
    const [mail] = email.sent;
    expect(mail).toMatchObject({ to: 'rosa@roof.example', subject: 'Yours: Ana Pérez' });
    for (const part of ['Phone number: +15035550142', 'E-mail address: ana.perez@example.com', 'Next: Call, by Mon, Mar 2, 3:00 PM PST.']) expect(mail?.text).toContain(part);
    const link = `https://baton.example/a/${await world.linkOf(ROSA)}`;
    expect(mail?.text.indexOf(`\n${link}\n`)).toBeLessThan(mail?.text.indexOf(`\n${link}/receipt\n`) ?? 0);
    expect(sms.sent[0]?.text).toMatch(/^Yours: Ana Pérez \+15035550142 ana\.perez@example\.com\nCall by 3:00 PM\nhttps:/);
  });

  test('WH-15: markup and links in what the customer wrote are harmless', async () => {
    const world = await offered();
    await post(world, await world.linkOf(ROSA), YES);
    const { about, email } = await aNotifier(world);
    await about('offer.accepted');
    for (const body of [email.sent[0]?.text, email.sent[0]?.html]) {
      expect(body).not.toContain('evil.example');
      expect(body).not.toContain('<b>');
    }
  });

  test('L-09: whoever held another offer is told who has taken it', async () => {
    const world = await backup();
    await post(world, await world.linkOf(ROSA), YES);
    const { about, email, sms } = await aNotifier(world);
    await about('offer.superseded');
    expect(email.sent[0]).toMatchObject({ to: 'sam@roof.example', subject: 'Rosa Martínez has taken it' });
    expect(sms.sent[0]?.text).toContain(await world.linkOf(SAM, { number: 2, channel: 'sms' }));
  });

  test('O-06: a question goes to whoever owes the answer, with a link of their own that answers only that', async () => {
    const world = await offered();
    await post(world, await world.linkOf(ROSA), { action: 'ask-clarification', question: 'Is it a flat roof? {really}' });
    const { about, email, sms } = await aNotifier(world);
    await about('clarification.asked');
    expect(email.sent[0]).toMatchObject({ to: 'ina@roof.example', subject: 'Question from Rosa Martínez' });
    expect(email.sent[0]?.text).toContain('Is it a flat roof? {really}');
    expect(email.sent[0]?.text).toContain(`/a/${await world.linkOf(INA, { purpose: 'clarification' })}`);
    expect(email.sent[0]?.text).not.toContain(await world.linkOf(ROSA));
    expect(sms.sent[0]?.to).toBe('+15035550103');
    expect(sms.sent[0]?.text).toContain('Rosa Martinez asks: Is it a flat roof? {really}');
  });

  test('L-07: an overdue promise reminds its owner, unless the step was confirmed meanwhile', async () => {
    const world = await offered();
    await post(world, await world.linkOf(ROSA), YES);
    world.time.forward(7 * 3600 + 1);
    await world.wish('note-overdue');
    const first = await aNotifier(world);
    await first.about('next-step.overdue');
    expect(first.email.sent[0]).toMatchObject({ to: 'rosa@roof.example', subject: 'Overdue: your next step' });
    const confirmed = await offered();
    await post(confirmed, await confirmed.linkOf(ROSA), YES);
    confirmed.time.forward(7 * 3600 + 1);
    await confirmed.wish('note-overdue');
    await post(confirmed, await confirmed.linkOf(ROSA), { action: 'confirm-next-step', evidence: 'call' });
    const second = await aNotifier(confirmed);
    await second.about('next-step.overdue');
    expect(second.email.sent).toEqual([]);
  });
});

describe('what fails after a decision', () => {
  test('CC-03: the message of a yes that cannot be sent takes nothing back: the receipt stands, the message waits, and whoever says yes meanwhile resets nothing', async () => {
    const world = await backup();
    let broken = true;
    const notifier = await aNotifier(world, { email: () => (broken ? { kind: 'not-taken', because: 'SendingPausedException' } : { kind: 'sent', providerId: 'p' }) });
    await post(world, await world.linkOf(ROSA), YES);
    const stands = await world.row();
    const receipts = await world.store.receipts(world.id);
    expect(stands.ownership?.owner).toBe(ROSA);

    await Promise.allSettled([notifier.about('offer.accepted'), post(world, await world.linkOf(SAM, { number: 2 }), YES), notifier.about('offer.accepted')]);
    expect(await world.row()).toEqual(stands);
    expect(await world.store.receipts(world.id)).toEqual(receipts);
    const accepted = receipts.find(({ kind }) => kind === 'offer.accepted');
    const effect = `offer.accepted:${accepted?.seq}:email`;
    expect((await notifier.claims.find(world.id, effect))?.result).toBeUndefined();

    broken = false;
    world.time.forward(CLAIM_LEASE_SECONDS + 1);
    await notifier.unsettled(effect);
    expect(notifier.email.sent.map(({ to, subject }) => [to, subject])).toEqual([['rosa@roof.example', 'Yours: Ana Pérez']]);
    expect(await world.row()).toEqual(stands);
  });

  test('OP-06: while text messages fail for half an hour, the e-mail asks at once and the time to answer runs from it; the text is tried until nobody needs it', async () => {
    const policy = english();
    const world = await offered({ policy: { ...policy, contract: { ...policy.contract, ask: [{ role: 'seller', order: 'fixed', window: { seconds: 1800 } }] } } });
    const tries: Sms[] = [];
    const notifier = await aNotifier(world, {
      sms: (sms) => {
        tries.push(sms);
        return { kind: 'not-taken', because: 'ECONNREFUSED' };
      },
    });
    await expect(notifier.about('acceptance.requested')).rejects.toThrow('not taken');
    const [offer] = (await world.row()).offers;
    expect(notifier.email.sent).toHaveLength(1);
    expect(Date.parse(offer?.deadlineAt ?? '') - Date.parse(world.time.now())).toBe(1_800_000);

    for (const effect of Array(5).fill('acceptance.requested:3:sms')) {
      world.time.forward(300);
      await expect(notifier.unsettled(effect)).rejects.toThrow('not taken');
    }
    expect(tries).toHaveLength(6);
    expect((await world.row()).offers[0]).toEqual(offer);
    world.time.forward(301);
    await world.wish('time-out');
    await notifier.unsettled('acceptance.requested:3:sms');
    expect(tries).toHaveLength(6);
    expect(await notifier.claims.find(world.id, 'acceptance.requested:3:sms')).toMatchObject({ result: 'skipped', detail: 'the offer is over' });
    expect(notifier.email.sent).toHaveLength(1);
  });

  test('MS-11: a number that may not send texts to the United States yet is a refusal of that channel with its reason; the e-mail asks, and nobody is passed over', async () => {
    const world = await offered();
    const notifier = await aNotifier(world, { sms: () => ({ kind: 'refused', because: 'ConflictException: the number is not registered' }) });
    await notifier.about('acceptance.requested');
    expect(notifier.email.sent.map(({ to }) => to)).toEqual(['rosa@roof.example']);
    expect(await notifier.claims.find(world.id, 'acceptance.requested:3:sms')).toMatchObject({ result: 'refused', detail: 'ConflictException: the number is not registered' });
    expect(notifier.bus.published.map(({ detail }) => detail)).toMatchObject([{ channel: 'sms', state: 'refused' }]);
    expect((await world.row()).offers[0]?.status).toBe('pending');
  });

  test('EB-03: receipts that come in any order, and twice, lead to the same messages as in order', async () => {
    const told = async (order: <T>(all: T[]) => T[]) => {
      const world = await backup();
      await post(world, await world.linkOf(SAM, { number: 2 }), YES);
      const { tell, email, sms, claims } = await aNotifier(world);
      const receipts = (await world.store.receipts(world.id)) as Receipt[];
      for (const receipt of order(receipts)) await tell(receipt);
      const said = [...email.sent, ...sms.sent].map(({ to, text }) => `${to} ${text.replaceAll(/[0-9A-Z]{32}/g, 'LINK')}`).sort();
      const asked = await claims.find(world.id, `acceptance.requested:${receipts.find(({ kind }) => kind === 'acceptance.requested')?.seq}:email`);
      return { said, asked: asked?.detail };
    };
    const inOrder = await told((all) => all);
    expect(inOrder.said.join()).toContain('Yours: Ana Pérez');
    expect(inOrder.asked).toBe('the offer is over');
    expect(await told((all) => [...all].reverse())).toEqual(inOrder);
    expect(await told((all) => [...all.slice(2), ...all.slice(0, 2), ...all])).toEqual(inOrder);
  });

  test('DB-20: a message that nobody ever began is told once on every channel, and an effect that no receipt has is nothing', async () => {
    const world = await excepted();
    const notifier = await aNotifier(world);
    const raised = (await world.store.receipts(world.id)).find(({ kind }) => kind === 'exception.raised');
    for (const effect of [
      `exception.raised:${raised?.seq}:email`,
      `exception.raised:${raised?.seq}:email`,
      'exception.raised:99:email',
      `offer.accepted:${raised?.seq}:email`,
      'odd',
    ])
      await notifier.unsettled(effect);
    expect([...notifier.email.sent, ...notifier.sms.sent].map(({ to }) => to)).toEqual(['omar@roof.example', '+15035550104']);
  });

  test('MS-13: no message offers an address that unsubscribes by being opened: its only links are pages on which a person presses a button', async () => {
    const world = await excepted();
    const { tell, email, sms } = await aNotifier(world);
    for (const receipt of await world.store.receipts(world.id)) await tell(receipt);
    expect(email.sent.length).toBeGreaterThan(0);
    for (const { text } of [...email.sent, ...sms.sent]) {
      expect(text).not.toMatch(/unsubscribe|opt.?out/i);
      for (const [link] of text.matchAll(/https?:\/\/\S+/g)) expect(link).toMatch(/^https:\/\/baton\.example\/a\/[0-9A-Z]{32}$/);
    }
  });
});

describe('exceptions', () => {
  test('E-02: the named owner is asked, and after an escalation the next one, with the reason', async () => {
    const world = await excepted();
    const first = await aNotifier(world);
    await first.about('exception.raised');
    expect(first.email.sent[0]).toMatchObject({ to: 'omar@roof.example', subject: 'Needs you: Nobody answered in time' });
    expect(first.sms.sent[0]?.text).toContain(await world.linkOf(OMAR, { purpose: 'exception', channel: 'sms' }));
    world.time.forward(1801);
    await world.wish('escalate-exception');
    await first.about('exception.escalated');
    expect(first.email.sent[1]).toMatchObject({ to: 'dana@roof.example', text: expect.stringContaining('Omar Haddad did not settle it in time') });
    expect(first.email.sent[1]?.text).toContain(await world.linkOf(DANA, { purpose: 'exception' }));
    for (const { text } of first.email.sent) {
      expect(text).toContain('It is about roof inspection in 97205 Portland');
      expect(text).toMatch(/Before you: Rosa [^;]+ did not answer in time; Sam [^;]+ did not answer in time\./);
      expect(text).not.toContain('ada@example.com');
    }
    expect(first.settled.filter((one) => one.includes('escalated'))).toEqual(['sent exception.escalated:8:email']);
  });

  test('E-03: whoever takes it gets the details, with the link of the exception', async () => {
    const world = await excepted();
    const link = await world.linkOf(OMAR, { purpose: 'exception' });
    await post(world, link, { action: 'accept-exception', confirm: 'yes' });
    await post(world, link, { ...YES, action: 'take' });
    const { about, email } = await aNotifier(world);
    await about('offer.accepted');
    expect(email.sent[0]?.text).toContain(`\nhttps://baton.example/a/${link}\n`);
  });
});

describe('O-09: messages to one person are limited', () => {
  const limited = (email: number, sms: number) => {
    const policy = english();
    return { ...policy, roster: { ...policy.roster, messagesPerHour: { email, sms } } };
  };
  const other = (place: number) => `h-${String(place).padStart(32, '9')}:acceptance.requested:3:email`;
  /** Others took these many places on both channels a moment ago. */
  const busy = (world: World, places: number) => {
    const sent = Array.from({ length: places }, (_, index) => ({ message: other(index), at: world.time.now() }));
    for (const channel of ['email', 'sms']) world.table.ledgers.set(`rosa#${channel}`, { sent, waiting: [] });
  };
  const claimOf = async ({ claims }: Awaited<ReturnType<typeof aNotifier>>, world: World, effect: string) => claims.find(world.id, effect);

  test('MS-14: an offer without a place in time is left out with the reason, and moves on', async () => {
    const world = await offered({ policy: limited(2, 2) });
    busy(world, 2);
    const notifier = await aNotifier(world);
    await notifier.about('acceptance.requested');
    expect([notifier.email.sent, notifier.sms.sent]).toEqual([[], []]);
    expect(
      notifier.bus.published.map(({ detailType, detail }) => [detailType, (detail as { channel: string; state: string }).channel, (detail as { state: string }).state]),
    ).toEqual([
      ['offer.undeliverable', 'email', 'limit'],
      ['offer.undeliverable', 'sms', 'limit'],
    ]);
    expect(await claimOf(notifier, world, 'acceptance.requested:3:email')).toMatchObject({ result: 'skipped', detail: 'limit of 2 an hour by email, and none was free in time' });
  });

  test('when one channel is full the other carries the offer', async () => {
    const world = await offered({ policy: limited(1, 2) });
    busy(world, 1);
    const notifier = await aNotifier(world);
    await notifier.about('acceptance.requested');
    expect([notifier.email.sent.length, notifier.sms.sent.length]).toEqual([0, 1]);
    expect(notifier.bus.published).toMatchObject([{ detail: { channel: 'email', state: 'limit' } }]);
  });

  test('an offer with time waits for the hour to free a place, says so beside the handoff, and goes then, once', async () => {
    const policy = limited(1, 1);
    const world = await offered({ policy: { ...policy, contract: { ...policy.contract, ask: [{ role: 'seller', order: 'fixed', window: { seconds: 7200 } }] } } });
    busy(world, 1);
    const notifier = await aNotifier(world);
    await notifier.about('acceptance.requested');
    const effect = 'acceptance.requested:3:email';
    expect(await claimOf(notifier, world, effect)).toMatchObject({ held: 'limit of 1 an hour by email; the next place is free 2026-03-02T17:00:00.000Z' });
    world.time.forward(3000);
    await notifier.unsettled(effect);
    expect(notifier.email.sent).toEqual([]);
    world.time.forward(600);
    await Promise.all([notifier.unsettled(effect), notifier.unsettled(effect)]);
    await notifier.unsettled(effect);
    expect(notifier.email.sent).toHaveLength(1);
    expect(await claimOf(notifier, world, effect)).toMatchObject({ result: 'sent', attempts: 1 });
  });

  test('MS-05: dying between its place and its message takes no second place', async () => {
    const world = await offered({ policy: limited(1, 1) });
    let lost = true;
    const notifier = await aNotifier(world, {
      email: () => {
        if (lost) throw new Error('socket hang up');
        return { kind: 'sent', providerId: 'p' };
      },
    });
    await expect(notifier.about('acceptance.requested')).rejects.toThrow('unknown outcome');
    lost = false;
    world.time.forward(121);
    await notifier.unsettled('acceptance.requested:3:email');
    expect(notifier.email.sent).toHaveLength(1);
    expect(world.table.ledgers.get('rosa#email')?.sent).toHaveLength(1);
  });

  test('a reminder is left out first: it never takes the last place', async () => {
    const policy = english();
    const world = await offered({ policy: { ...policy, contract: { ...policy.contract, ...WARNED }, roster: { ...policy.roster, messagesPerHour: { email: 2, sms: 3 } } } });
    const notifier = await aNotifier(world);
    await notifier.about('acceptance.requested');
    world.time.forward(180);
    await world.wish('remind');
    await notifier.about('offer.reminded');
    expect([notifier.email.sent.length, notifier.sms.sent.length]).toEqual([1, 2]);
    expect(notifier.bus.published).toEqual([]);
  });

  test('E-02: an exception and an escalation always go, and take no place', async () => {
    const policy = limited(1, 1);
    const world = await anOfferedWorld({ packet, policy });
    for (const kind of ['time-out', 'request-acceptance', 'time-out', 'raise-exception'] as const) {
      if (kind === 'time-out') world.time.forward(301);
      await world.wish(kind);
    }
    for (const channel of ['email', 'sms']) world.table.ledgers.set(`omar#${channel}`, { sent: [{ message: other(1), at: world.time.now() }], waiting: [] });
    const notifier = await aNotifier(world);
    await notifier.about('exception.raised');
    expect([notifier.email.sent[0]?.to, notifier.sms.sent[0]?.to]).toEqual(['omar@roof.example', '+15035550104']);
    expect(world.table.ledgers.get('omar#email')?.sent).toHaveLength(1);
  });

  test('what waits of an offer that is over is left out, and nothing of it goes along in another', async () => {
    const policy = limited(1, 1);
    const world = await offered({ policy: { ...policy, contract: { ...policy.contract, ask: [{ role: 'seller', order: 'fixed', window: { seconds: 7200 } }] } } });
    busy(world, 1);
    const notifier = await aNotifier(world);
    await notifier.about('acceptance.requested');
    await post(world, await world.linkOf(ROSA), YES);
    world.time.forward(3601);
    await notifier.about('offer.accepted');
    await notifier.unsettled('acceptance.requested:3:email');
    expect(notifier.email.sent.map(({ subject }) => subject)).toEqual(['Yours: Ana Pérez']);
    expect(await claimOf(notifier, world, 'acceptance.requested:3:email')).toMatchObject({ result: 'skipped', detail: 'the offer is over' });
  });
});

test('E-04 D-05: an owner of a class that the contract tells even so hears of it while sending is paused', async () => {
  const policy = english();
  const rule = policy.contract.exceptions.default;
  const exceptions = { default: rule, 'nobody-answered': { ...rule, whilePaused: 'send' as const } };
  for (const [contract, sent] of [
    [{ ...policy.contract, exceptions }, 1],
    [policy.contract, 0],
  ] as const) {
    const world = await offered({ policy: { ...policy, contract } });
    for (const kind of ['time-out', 'request-acceptance', 'time-out', 'raise-exception'] as const) {
      if (kind === 'time-out') world.time.forward(301);
      await world.wish(kind);
    }
    const notifier = await aNotifier(world);
    await notifier.pauses.pause({ scope: { of: 'all' }, audience: 'everyone', by: DANA, since: NOW }, 'o-1');
    await notifier.about('exception.raised');
    expect(notifier.email.sent).toHaveLength(sent);
  }
});

describe('O-08 MS-14: nobody is reached', () => {
  const shut = (world: World, channel: 'email' | 'sms', address: string) =>
    memorySuppressionBook(world.table).note({
      ...{ kind: 'contact.opted-out', source: 'test', eventId: `${channel}-1`, occurredAt: NOW, channel, address },
      because: channel === 'sms' ? 'keyword' : 'hard-bounce',
    });
  const said = ({ bus }: Awaited<ReturnType<typeof aNotifier>>) => bus.published.map(({ detail }) => detail as { channel: string; state: string });

  test('an address that is known to be shut is said at once, before anything is sent', async () => {
    const world = await offered();
    await shut(world, 'sms', '+15035550101');
    await shut(world, 'email', 'rosa@roof.example');
    const notifier = await aNotifier(world);
    await notifier.about('acceptance.requested');
    await notifier.about('acceptance.requested');
    expect(said(notifier)).toMatchObject([
      { channel: 'email', state: 'shut' },
      { channel: 'sms', state: 'shut' },
    ]);
    expect(notifier.email.sent).toEqual([]);
  });

  test('a provider that refuses the offer for good is no different', async () => {
    const world = await offered();
    const notifier = await aNotifier(world, { email: () => ({ kind: 'refused', because: 'bad address' }) });
    await notifier.about('acceptance.requested');
    expect(said(notifier)).toMatchObject([{ channel: 'email', state: 'refused' }]);
  });

  test('other messages that are refused move no offer', async () => {
    const world = await excepted();
    const notifier = await aNotifier(world, { email: () => ({ kind: 'refused', because: 'bad address' }) });
    await notifier.about('exception.raised');
    expect(said(notifier)).toEqual([]);
  });
});

describe('MS-05: once, and honestly', () => {
  test('the same event again sends nothing again', async () => {
    const world = await offered();
    const { about, email, sms } = await aNotifier(world);
    const twice = await Promise.allSettled([about('acceptance.requested'), about('acceptance.requested')]);
    expect(twice.map(({ status }) => status)).toContain('fulfilled');
    await about('acceptance.requested');
    expect([email.sent.length, sms.sent.length]).toEqual([1, 1]);
  });

  test('a lost answer is a fault; the claim stays open, the other channel was tried, and the repeated event takes it over when nobody can be sending any more', async () => {
    const world = await offered();
    let lost = true;
    const attempts: Email[] = [];
    const notifier = await aNotifier(world, {
      email: (mail) => {
        attempts.push(mail);
        if (lost) throw new Error('socket hang up');
        return { kind: 'sent', providerId: 'p' };
      },
    });
    await expect(notifier.about('acceptance.requested')).rejects.toThrow('unknown outcome');
    world.time.forward(CLAIM_LEASE_SECONDS);
    await expect(notifier.about('acceptance.requested')).rejects.toThrow('unknown outcome');
    await expect(notifier.unsettled('acceptance.requested:3:email')).rejects.toThrow('may be under way');
    expect(notifier.sms.sent).toHaveLength(1);
    expect(attempts).toHaveLength(1);
    const effect = 'acceptance.requested:3:email';
    const open = [...world.table.claims.values()].filter((claim) => claim.result === undefined);
    expect(open.map((claim) => claim.effect)).toEqual([effect]);

    lost = false;
    world.time.forward(1);
    await notifier.about('acceptance.requested');
    await notifier.unsettled(effect);
    expect(attempts).toHaveLength(2);
    expect(attempts[1]).toEqual(attempts[0]);
    expect(await notifier.claims.find(world.id, effect)).toMatchObject({ result: 'sent', attempts: 2 });
  });

  test('MS-05: a provider that takes nothing is asked again, however long that lasts; then the message goes out once', async () => {
    const world = await offered();
    let throttled = true;
    const attempts: Email[] = [];
    const notifier = await aNotifier(world, {
      email: (mail) => {
        attempts.push(mail);
        return throttled ? { kind: 'not-taken', because: 'TooManyRequestsException' } : { kind: 'sent', providerId: 'p' };
      },
    });
    const effect = 'acceptance.requested:3:email';
    await expect(notifier.about('acceptance.requested')).rejects.toThrow();
    expect(await notifier.claims.find(world.id, effect)).toMatchObject({ attempts: 0, held: 'the provider took nothing: TooManyRequestsException' });
    world.time.forward(60);
    await expect(notifier.about('acceptance.requested')).rejects.toThrow();
    world.time.forward(60);
    await expect(notifier.unsettled(effect)).rejects.toThrow('was not taken');
    expect(attempts).toHaveLength(3);

    throttled = false;
    await notifier.unsettled(effect);
    await notifier.about('acceptance.requested');
    expect(attempts).toHaveLength(4);
    expect(await notifier.claims.find(world.id, effect)).toMatchObject({ result: 'sent', attempts: 1 });
    expect(notifier.sms.sent).toHaveLength(1);
  });

  test('after two unknown outcomes it is left and said so', async () => {
    const world = await offered();
    let attempts = 0;
    const notifier = await aNotifier(world, {
      email: () => {
        attempts += 1;
        throw new Error('socket hang up');
      },
    });
    const effect = 'acceptance.requested:3:email';
    await expect(notifier.about('acceptance.requested')).rejects.toThrow();
    world.time.forward(60);
    await expect(notifier.about('acceptance.requested')).rejects.toThrow('unknown outcome');
    world.time.forward(60);
    await notifier.about('acceptance.requested');
    expect(await notifier.claims.find(world.id, effect)).toMatchObject({ attempts: 2 });
    await notifier.unsettled(effect);
    await notifier.unsettled(effect);
    expect(attempts).toBe(2);
    expect(await notifier.claims.find(world.id, effect)).toMatchObject({ result: 'refused', detail: 'outcome unknown after 2 attempts' });
  });

  test('an unknown outcome of an offer that is over meanwhile is not sent again', async () => {
    const world = await offered();
    const notifier = await aNotifier(world, {
      email: () => {
        throw new Error('socket hang up');
      },
    });
    await expect(notifier.about('acceptance.requested')).rejects.toThrow();
    world.time.forward(301);
    await notifier.unsettled('acceptance.requested:3:email');
    expect(await notifier.claims.find(world.id, 'acceptance.requested:3:email')).toMatchObject({ result: 'skipped' });
  });

  test('MS-14, MS-15: whoever said STOP gets no text message, and still the e-mail', async () => {
    const world = await offered();
    const notifier = await aNotifier(world);
    const choice = { source: 'sns', eventId: 'sms:1', channel: 'sms', address: '+15035550101', because: 'keyword' } as const;
    await memorySuppressionBook(world.table).note({ ...choice, kind: 'contact.opted-out', occurredAt: world.time.now() });
    await notifier.about('acceptance.requested');
    expect(notifier.sms.sent).toEqual([]);
    expect(notifier.email.sent).toHaveLength(1);
    expect(notifier.settled.sort()).toEqual([expect.stringMatching(/^sent acceptance\.requested:\d+:email$/), expect.stringMatching(/^skipped acceptance\.requested:\d+:sms$/)]);
    const claims = [...world.table.claims.values()].map(({ detail }) => detail);
    expect(claims).toContain('this address takes no messages: keyword');
  });

  test('a refusal of the provider is a fact, not a fault', async () => {
    const world = await offered();
    const { about, claims, settled } = await aNotifier(world, { sms: () => ({ kind: 'refused', because: 'ConflictException' }) });
    await about('acceptance.requested');
    expect(await claims.find(world.id, 'acceptance.requested:3:sms')).toMatchObject({ result: 'refused', detail: 'ConflictException' });
    expect(settled.sort()).toEqual(['refused acceptance.requested:3:sms', 'sent acceptance.requested:3:email']);
  });

  test('an effect whose name leads nowhere sends nothing', async () => {
    const world = await offered();
    const { unsettled, claims, email } = await aNotifier(world);
    for (const effect of ['offer:1:email', 'x', 'acceptance.requested:99:email', 'handoff.opened:1:email']) {
      await claims.claim(world.id, effect, world.time.now());
      world.time.forward(60);
      await unsettled(effect);
      expect(await claims.find(world.id, effect)).toMatchObject({ result: 'skipped' });
    }
    expect(email.sent).toEqual([]);
  });

  test('a person who lost every address, or left, is skipped and said so', async () => {
    const world = await offered();
    const { active } = world.table.policy;
    if (active !== undefined) world.table.policy.active = { ...active, roster: { ...active.roster, people: active.roster.people.filter((person) => person.id !== ROSA) } };
    const { about, claims } = await aNotifier(world);
    await about('acceptance.requested');
    expect(await claims.find(world.id, 'acceptance.requested:3:email')).toMatchObject({ result: 'skipped', detail: 'the person has no address' });
  });
});

describe('reports', () => {
  const event = { schemaVersion: '1', day: '2026-03-02', scheduledAt: '2026-03-02T15:00:00.000Z', headline: 'Nothing needs you.', listed: 0, reconciled: true } as const;

  test('M-01: the report is mailed to operations once, from its summary', async () => {
    const world = await offered();
    const { deps, email, claims } = await aNotifier(world);
    await deps.reports.find('2026-03-02');
    world.table.reports.set('2026-03-02', { headline: 'Nothing needs you.', text: 'plain', html: '<p>page</p>' });
    await notify(deps, event);
    await notify(deps, event);
    expect(email.sent).toMatchObject([{ to: 'ops@roof.example', subject: 'Orphan report 2026-03-02: Nothing needs you.', text: 'plain', html: '<p>page</p>' }]);
    expect((await claims.find(REPORTS, `report:2026-03-02:${event.scheduledAt}:email`))?.result).toBe('sent');
  });

  test('a report mail of unknown outcome is tried once more', async () => {
    const world = await offered();
    world.table.reports.set('2026-03-02', { headline: 'Nothing.', text: 'plain', html: '<p>page</p>' });
    let lost = true;
    const { deps, email } = await aNotifier(world, {
      email: () => {
        if (lost) throw new Error('socket hang up');
        return { kind: 'sent', providerId: 'p' };
      },
    });
    await expect(notify(deps, event)).rejects.toThrow('socket hang up');
    lost = false;
    world.time.forward(121);
    await notify(deps, { schemaVersion: '1', handoffId: REPORTS, effect: `report:2026-03-02:${event.scheduledAt}:email` });
    expect(email.sent).toHaveLength(1);
  });
});

test('SF-05: whatever the names, every text message fits 160 septets and keeps its whole link', async () => {
  const long = 'Wolfeschlegelsteinhausenbergerdorff-Maximiliana Ñuñez {Ωmega} €';
  const people = staff().map((person) => ({ ...person, name: `${person.id} ${long}`, speaks: person.id === 'sam' ? ('en' as const) : ('es' as const) }));
  const policy = aPolicy({ people });
  for (const publicUrl of ['https://b.example', 'https://abcdefghij.execute-api.ap-southeast-2.amazonaws.com']) {
    const texts: string[] = [];
    const build = async () =>
      anOfferedWorld({
        policy,
        packet: {
          ...packet,
          contact: { ...packet.contact, name: long, email: `${'x'.repeat(60)}@${'y'.repeat(60)}.example` },
          location: { postalCode: '97205', city: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch' },
        },
      });
    const told = async (world: World, kind: Receipt['kind']) => {
      const { about, sms } = await aNotifier(world, { publicUrl });
      await about(kind);
      expect(sms.sent.length, kind).toBe(1);
      texts.push(...sms.sent.map(({ text }) => text));
    };
    const first = await build();
    await told(first, 'acceptance.requested');
    await post(first, await first.linkOf(ROSA), { action: 'ask-clarification', question: `{${'¿Qué? '.repeat(100)}` });
    await told(first, 'clarification.asked');
    await post(first, await first.linkOf(INA, { purpose: 'clarification' }), { action: 'answer-question', answer: `{${'¡Sí! '.repeat(100)}` });
    await told(first, 'clarification.answered');
    first.time.forward(301);
    await first.wish('time-out');
    await first.wish('request-acceptance');
    await told(first, 'backup.requested');
    await post(first, await first.linkOf(ROSA), YES);
    await told(first, 'offer.accepted');
    await told(first, 'offer.superseded');
    first.time.forward(7 * 3600);
    await first.wish('note-overdue');
    await told(first, 'next-step.overdue');
    first.time.forward(7201);
    await first.wish('raise-exception');
    await told(first, 'exception.raised');
    expect(texts).toHaveLength(8);
    for (const text of texts) {
      expect(septets(text), text).toBeLessThanOrEqual(160);
      expect(text).toMatch(/^[A-Za-z0-9 @£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€]*$/);
      if (!text.includes('pregunta')) expect(text).toMatch(new RegExp(`\\n${publicUrl}/a/[0-9A-Z]{32}$`));
    }
    expect(texts.find((text) => text.includes('+15035550142'))).toBeDefined();
  }
});

describe('a reminder', () => {
  const reminded = async (people = english().roster.people) => {
    const world = await offered({ policy: aPolicy({ people, contract: WARNED }) });
    world.time.forward(180);
    await world.wish('remind');
    return world;
  };

  test('O-07: says how little time is left, over the same link, on every channel', async () => {
    const world = await reminded();
    const notifier = await aNotifier(world);
    await notifier.about('offer.reminded');
    const link = `https://baton.example/a/${await world.linkOf(ROSA)}`;
    expect(notifier.email.sent.map((one) => one.subject)).toEqual(['2 minutes left: will you take it?']);
    expect(notifier.email.sent[0]?.text).toContain(link);
    expect(notifier.sms.sent[0]?.text).toContain('2 minutes left');
    await notifier.about('offer.reminded');
    expect(notifier.email.sent).toHaveLength(1);
  });

  test('O-07: speaks the language of whoever is asked', async () => {
    const notifier = await aNotifier(await reminded(staff()));
    await notifier.about('offer.reminded');
    expect(notifier.email.sent[0]?.subject).toBe('Tiempo restante: 2 minutos. ¿La toma?');
  });

  test('CC-05: comes too late after an answer, and is not sent', async () => {
    const world = await reminded();
    await post(world, await world.linkOf(ROSA), YES);
    const notifier = await aNotifier(world);
    await notifier.about('offer.reminded');
    expect(notifier.email.sent).toEqual([]);
    expect(notifier.settled).toContain('skipped offer.reminded:4:email');
  });
});

describe('a pause', () => {
  const PAUSE = { scope: { of: 'all' }, audience: 'everyone', by: DANA, since: '2026-03-02T16:00:00.000Z' } as const;

  test('D-05 OP-09: holds messages back without losing them, and after it what is still wanted goes out', async () => {
    const world = await offered();
    const notifier = await aNotifier(world);
    await notifier.pauses.pause(PAUSE, 'p-1');
    await notifier.about('acceptance.requested');
    await notifier.unsettled('acceptance.requested:3:email');
    expect([notifier.email.sent, notifier.sms.sent, notifier.settled]).toEqual([[], [], []]);
    await notifier.pauses.resume(PAUSE.scope, DANA, world.time.now(), 'r-1');
    world.time.forward(121);
    await notifier.unsettled('acceptance.requested:3:email');
    expect(notifier.email.sent).toHaveLength(1);
    expect((await notifier.pauses.notes()).map((one) => one.kind)).toEqual(['sending.paused', 'sending.resumed']);
  });

  test('D-05: accepting works meanwhile, and what the answer overtook is skipped afterwards', async () => {
    const world = await offered();
    const notifier = await aNotifier(world);
    await notifier.pauses.pause(PAUSE, 'p-1');
    await notifier.about('acceptance.requested');
    await post(world, await world.linkOf(ROSA), YES);
    expect((await world.row()).ownership?.owner).toBe(ROSA);
    await notifier.pauses.resume(PAUSE.scope, DANA, world.time.now(), 'r-1');
    world.time.forward(121);
    await notifier.unsettled('acceptance.requested:3:email');
    expect(notifier.email.sent).toEqual([]);
    expect(notifier.settled).toContain('skipped acceptance.requested:3:email');
  });

  test('D-05: of another contract, another contact or customers alone holds nothing of staff back', async () => {
    const world = await offered();
    const notifier = await aNotifier(world);
    await notifier.pauses.pause({ ...PAUSE, audience: 'customers' }, 'p-1');
    await notifier.pauses.pause({ ...PAUSE, scope: { of: 'contract', contract: 'gutters' } }, 'p-2');
    await notifier.pauses.pause({ ...PAUSE, scope: { of: 'contact', contactRef: 'somebody' } }, 'p-3');
    await notifier.about('acceptance.requested');
    expect(notifier.email.sent).toHaveLength(1);
  });
});
