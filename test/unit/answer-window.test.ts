import { describe, expect, test } from 'vitest';
import { askedBy, isAmbiguous, windowOf } from '../../shared/domain/answer-window.ts';
import { decide } from '../../shared/domain/decide.ts';
import { commandId } from '../../shared/domain/ids.ts';
import type { AnswerWindow } from '../../shared/domain/policy.ts';
import { workflowAnswer } from '../../shared/domain/workflow-answer.ts';
import { aHandoff, aPolicy, aSignal, later, NOW, ROSA } from '../support/builders.ts';

const windows: AnswerWindow[] = [
  { when: { signal: ['call.missed'] }, window: { seconds: 180 } },
  { when: { signal: ['call.missed'], channel: ['twilio'], product: ['roof-repair'] }, window: { seconds: 60 }, warnAt: { seconds: 30 } },
  { when: { signal: ['call.missed'], urgency: ['today'] }, window: { seconds: 120 } },
];

describe('C-06: windows by kind of request', () => {
  test.each([
    ['a form', aSignal(), undefined],
    ['a missed call', aSignal({ kind: 'call.missed', source: 'aircall' }), { rule: 1, because: 'signal call.missed' }],
    [
      'one that the most specific rule means, on one site of the source',
      aSignal({ kind: 'call.missed', source: 'twilio--north', request: { product: 'Roof-Repair', timing: 'today' } }),
      { rule: 2, because: 'signal call.missed, channel twilio, product roof-repair' },
    ],
    ['one that states when', aSignal({ kind: 'call.missed', source: 'twilio', request: { timing: ' Today ' } }), { rule: 3, because: 'signal call.missed, urgency today' }],
    ['one whose time only resembles it', aSignal({ kind: 'call.missed', source: 'twilio', request: { timing: 'not today' } }), { rule: 1, because: 'signal call.missed' }],
  ] as const)('%s', (_, signal, found) => {
    expect(windowOf(signal, { windows })).toEqual(found);
    expect(windowOf(signal, { windows: windows.toReversed() })?.because).toBe(found?.because);
  });

  test('the offer, its reminder, the log and the waiting machine follow the rule that the handoff opened by', () => {
    const policy = aPolicy({ contract: { windows } });
    const handoff = aHandoff({ state: 'candidates-resolved', windowRule: 2, candidates: [{ person: ROSA, step: 0, rule: 'serves everywhere' }] });
    const decision = decide(handoff, { kind: 'request-acceptance', commandId: commandId('c') }, policy, NOW);
    expect(decision).toMatchObject({
      facts: [
        {
          deadlineAt: later(NOW, 60),
          warnAt: later(NOW, 30),
          rule: 'serves everywhere · time to answer by signal call.missed, channel twilio, product roof-repair',
        },
      ],
    });
    expect(workflowAnswer(handoff, policy, NOW).waitSeconds).toBeLessThan(60);
    expect(askedBy(aHandoff(), policy)).toBe(policy);
    expect(askedBy({ windowRule: 9 }, policy)).toBe(policy);
  });

  test.each([
    [{ signal: ['call.missed'] }, { product: ['roof-repair'] }, true],
    [{ signal: ['call.missed'] }, { signal: ['form.submitted'] }, false],
    [{ signal: ['call.missed'] }, { signal: ['call.missed'], product: ['roof-repair'] }, false],
    [{ signal: ['call.missed'], product: ['a', 'b'] }, { signal: ['call.missed'], product: ['b', 'c'] }, true],
  ])('two rules of which nobody could say which counts: %j and %j', (one, other, ambiguous) => {
    expect(isAmbiguous(one, other)).toBe(ambiguous);
  });
});
