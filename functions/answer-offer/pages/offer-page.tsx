// An offer that can still be answered: what is needed to decide, a yes that takes two choices, and the other answers folded below.

import { clarificationRule } from '../../../shared/domain/decide-clarification.ts';
import { REJECT_REASONS } from '../../../shared/domain/policy.ts';
import { ruleText } from '../../../shared/domain/wording/rule-text.ts';
import { said } from '../../../shared/domain/wording/wording.ts';
import { AnswerForm, DueTime, Folded, OneOf, Pick, Text } from './controls.tsx';
import { Facts, Proposed } from './facts.tsx';
import { type View, type ViewOf, when } from './view.ts';

export const OfferPage = ({ view }: { view: ViewOf<'offer-open'> }) => {
  const { wording, standing, opened } = view;
  const { offer, late } = standing;
  const { offer: words } = wording;
  return (
    <>
      <section class="card">
        <span class={late ? 'pill warn' : 'pill'}>
          {late
            ? words.late(when(view, offer.deadlineAt))
            : offer.clarification === undefined
              ? words.until(when(view, offer.deadlineAt))
              : words.untilAnswered(when(view, offer.clarification.expiresAt))}
        </span>
        <h1>{words.title}</h1>
        {opened.packet.version > offer.packetVersion && view.notice === undefined && <p class="note">{words.newer}</p>}
        {offer.clarification !== undefined && <p class="note">{words.question(when(view, offer.clarification.askedAt))}</p>}
        <Facts view={view} why={ruleText(offer.rule, wording)} />
      </section>
      <section class="card">
        <h2>{words.acceptTitle}</h2>
        <AnswerForm view={view} action="accept" button={words.accept} main>
          <PromiseFields view={view} action="accept" />
        </AnswerForm>
      </section>
      <Proposed view={view} />
      {!late && <OtherAnswers view={view} mayAsk={offer.clarification === undefined && (offer.questions ?? 0) < clarificationRule(opened.policy).limit} />}
    </>
  );
};

/** The two things that a yes promises. */
export const PromiseFields = ({ view, action }: { view: View; action: string }) => {
  const { wording, opened } = view;
  const options = opened.policy.contract.accept.nextActions.map((value) => ({ value, text: said(wording.nextActions, value) }));
  return (
    <>
      <OneOf view={view} action={action} name="nextAction" legend={wording.offer.nextAction} options={options} />
      <DueTime view={view} action={action} />
    </>
  );
};

const OtherAnswers = ({ view, mayAsk }: { view: View; mayAsk: boolean }) => {
  const { wording, opened } = view;
  const { offer: words } = wording;
  const reasons = REJECT_REASONS.map((value) => ({ value, text: wording.reasons[value] }));
  const missing = [...new Set([...opened.packet.unknown, 'request.words', 'request.timing', 'contact.phone', 'contact.email'])].map((value) => ({
    value,
    text: said(wording.fields, value),
  }));
  return (
    <>
      <p class="or">{words.others}</p>
      <Folded view={view} action="reject" title={words.rejectTitle}>
        <AnswerForm view={view} action="reject" button={words.reject}>
          <OneOf view={view} action="reject" name="reason" legend={words.reason} options={reasons} down />
          <Pick view={view} action="reject" name="field" label={words.field} hint={words.fieldHint} empty="–" options={missing} />
          <Text view={view} action="reject" name="explanation" label={words.explanation} hint={words.explanationHint} lines={2} />
        </AnswerForm>
      </Folded>
      {mayAsk && (
        <Folded view={view} action="ask-clarification" title={words.askTitle}>
          <AnswerForm view={view} action="ask-clarification" button={words.ask}>
            <Text view={view} action="ask-clarification" name="question" label={words.askQuestion} hint={words.askHint} lines={3} />
          </AnswerForm>
        </Folded>
      )}
      <Folded view={view} action="mark-duplicate" title={words.duplicateTitle}>
        <AnswerForm view={view} action="mark-duplicate" button={words.duplicate}>
          <Text view={view} action="mark-duplicate" name="duplicateOf" label={words.duplicateOf} hint={words.duplicateHint} />
        </AnswerForm>
      </Folded>
    </>
  );
};
