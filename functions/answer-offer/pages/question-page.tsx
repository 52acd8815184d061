// A seller asked something before a yes or no, and the holder of this link owes the answer (O-06).

import { defused } from '../../../shared/domain/free-text.ts';
import { AnswerForm, Text } from './controls.tsx';
import { Facts } from './facts.tsx';
import { nameOf, type ViewOf, when } from './view.ts';

export const QuestionPage = ({ view }: { view: ViewOf<'question-open'> }) => {
  const { question: words } = view.wording;
  const { offer, expiresAt } = view.standing;
  return (
    <>
      <section class="card">
        <span class="pill warn">{words.until(when(view, expiresAt))}</span>
        <h1>{words.title}</h1>
        <p>{words.asks(nameOf(view, offer.to))}</p>
        <p class="words">{defused(view.opened.question ?? '', 1000)}</p>
        <Facts view={view} />
      </section>
      <section class="card">
        <AnswerForm view={view} action="answer-question" button={words.send} main>
          <Text view={view} action="answer-question" name="answer" label={words.answer} hint={words.hint} lines={3} />
        </AnswerForm>
      </section>
    </>
  );
};
