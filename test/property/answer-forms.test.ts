// Whatever a form says, the page answers; what is refused is not written, and nothing a stranger wrote becomes markup.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readForm } from '../../shared/contracts/answer-form.ts';
import { defused, wordsBeforeAcceptance } from '../../shared/domain/free-text.ts';
import { anOfferedWorld, get, post } from '../support/answering.ts';
import { ROSA } from '../support/builders.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', 'other', 'call', 'yes', '2026-03-02T15:00', '2026-03-08T02:30', 'rosa', '<script>', '__proto__'),
);
const fields = fc.record(
  {
    action: fc.constantFrom('accept', 'reject', 'ask-clarification', 'answer-question', 'mark-duplicate', 'accept-exception', 'assign', 'take', 'confirm-next-step', 'close', 'x'),
    nextAction: text,
    due: text,
    dueChoice: text,
    reason: fc.oneof(text, fc.constantFrom('no-capacity', 'missing-required-field')),
    field: text,
    explanation: text,
    question: text,
    duplicateOf: text,
    evidence: fc.oneof(text, fc.constant('call')),
    outcome: fc.oneof(text, fc.constant('withdrawn')),
    result: text,
    assignTo: text,
    confirm: text,
  },
  { requiredKeys: [] },
);

describe('answers', () => {
  test('every form gets a page or a redirect, and only a redirect may have written', async () => {
    await fc.assert(
      fc.asyncProperty(fields, async (form) => {
        const world = await anOfferedWorld();
        const reply = await post(world, await world.linkOf(ROSA), { ...form } as Record<string, string>);
        expect([303, 422]).toContain(reply.status);
        const written = (await world.store.receipts(world.id)).length - 3;
        expect(written).toBeLessThanOrEqual(reply.status === 303 ? 1 : 0);
        expect(reply.body).not.toContain('<script');
      }),
      { numRuns: 150 },
    );
  });

  test('any body is read or called broken, never a fault', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
        expect(['form', 'broken']).toContain(readForm(body).kind);
      }),
    );
  });

  test('a form comes back as it was typed', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), fc.string({ unit: 'grapheme' }), { maxKeys: 10 }), (given) => {
        expect(readForm(new TextEncoder().encode(new URLSearchParams(given).toString()))).toEqual({ kind: 'form', fields: given });
      }),
    );
  });
});

describe('PI-08, WH-15: text of strangers', () => {
  test('no packet turns into markup or shows the contact on the page', async () => {
    const word = fc.string({ unit: fc.constantFrom(...'abz<>&"\'/:.@ é'), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(word, word, word, async (words, city, category) => {
        const world = await anOfferedWorld({
          packet: { request: { words, category }, location: { city }, contact: { name: 'Zenobia Quux', email: 'zenobia@quux.example', phone: '+15035550142' } },
        });
        const { body } = await get(world, await world.linkOf(ROSA));
        for (const secret of ['Zenobia', 'Quux', 'quux.example', '5550142']) expect(body).not.toContain(secret);
        const shown = body.slice(body.indexOf('class="words"'), body.indexOf('<h2>')).replace(/<\/?(p|dl|dt|dd|section)[^>]*>/g, '');
        expect(shown).not.toMatch(/<[a-z]/i);
      }),
      { numRuns: 60 },
    );
  });

  test('a defused text stays as it is when it is defused again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abz<>/:.@ wht?ps') }), (name) => {
        const once = defused(name);
        expect(defused(once)).toBe(once);
        expect(once).not.toMatch(/[<>]|https?:|www\.|[a-z]\.[a-z]{2}/i);
      }),
      { numRuns: 500 },
    );
  });

  test('an address in the words is hidden wherever it stands', () => {
    fc.assert(
      fc.property(fc.lorem(), fc.emailAddress(), fc.lorem(), (before, address, after) => {
        expect(wordsBeforeAcceptance(`${before} ${address} ${after}`, {}, 5000)).not.toContain(address);
      }),
    );
  });
});
