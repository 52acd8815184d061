// A request that cannot go on, and the named person who answers for it (E-02, E-03).

import type { ExceptionClass } from '../../../shared/domain/policy.ts';
import { AnswerForm, Folded, Pick, Tick } from './controls.tsx';
import { Fact, Facts } from './facts.tsx';
import { PromiseFields } from './offer-page.tsx';
import { CloseForm } from './owner-page.tsx';
import { nameOf, type View, type ViewOf, when } from './view.ts';

export const ExceptionPage = ({ view }: { view: ViewOf<'exception-open'> }) => {
  const { exception: words } = view.wording;
  const { exception } = view.standing;
  return (
    <>
      <section class="card">
        <span class="pill warn">{words.until(when(view, exception.respondBy))}</span>
        <h1>{words.title}</h1>
        <Stopped view={view} />
        <Facts view={view} />
      </section>
      <section class="card">
        <h2>{words.acceptTitle}</h2>
        <AnswerForm view={view} action="accept-exception" button={words.accept} main>
          <Tick view={view} action="accept-exception" name="confirm" label={words.confirm} />
        </AnswerForm>
      </section>
    </>
  );
};

export const ExceptionOwnerPage = ({ view }: { view: ViewOf<'exception-owner'> }) => {
  const { exception: words } = view.wording;
  const { exception } = view.standing;
  const others = view.opened.policy.roster.people.filter((person) => person.id !== exception.owner && (person.email !== undefined || person.sms !== undefined));
  return (
    <>
      <section class="card">
        {exception.acceptedAt !== undefined && <span class="pill good">{words.since(when(view, exception.acceptedAt))}</span>}
        <h1>{words.yours}</h1>
        {exception.reviewAt !== undefined && <p>{words.review(when(view, exception.reviewAt))}</p>}
        <Stopped view={view} />
        <Facts view={view} />
      </section>
      <Folded view={view} action="assign" title={words.assignTitle}>
        <AnswerForm view={view} action="assign" button={words.assign}>
          <Pick
            view={view}
            action="assign"
            name="assignTo"
            label={words.assignTo}
            hint={words.assignHint}
            empty={words.assignChoose}
            options={others.map(({ id, name }) => ({ value: id, text: name }))}
          />
        </AnswerForm>
      </Folded>
      <Folded view={view} action="take" title={words.takeTitle}>
        <AnswerForm view={view} action="take" button={words.take}>
          <PromiseFields view={view} action="take" />
        </AnswerForm>
      </Folded>
      <Folded view={view} action="close" title={words.closeTitle}>
        <CloseForm view={view} />
      </Folded>
    </>
  );
};

/** Classes whose name says everything that their reason says. */
const SELF_EVIDENT: readonly ExceptionClass[] = ['no-eligible-owner', 'all-declined', 'nobody-answered'];

/** Why it stopped, and who was asked before: the history goes along with the responsibility (E-02). */
const Stopped = ({ view }: { view: View<ViewOf<'exception-open' | 'exception-owner'>['standing']> }) => {
  const { exception } = view.standing;
  const { exception: words, exceptions } = view.wording;
  const asked = [...view.opened.handoff.offers.map((offer) => offer.to), ...exception.earlierOwners];
  return (
    <>
      <p class="note">
        <strong>{exceptions[exception.class]}.</strong>
        {!SELF_EVIDENT.includes(exception.class) && ` ${exception.because}`}
      </p>
      <dl>
        <Fact name={words.earlier} value={[...new Set(asked)].map((person) => nameOf(view, person)).join(', ')} />
      </dl>
    </>
  );
};
