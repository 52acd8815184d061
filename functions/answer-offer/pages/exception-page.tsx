// A request that cannot go on, and the named person who answers for it (E-02, E-03).

import { attemptsBefore, isUnkeptPromise } from '../../../shared/domain/attempts.ts';
import { CORRECTABLE, mayCorrect, statedAt } from '../../../shared/domain/corrected-packet.ts';
import { defused, wordsBeforeAcceptance } from '../../../shared/domain/free-text.ts';
import type { ExceptionClass } from '../../../shared/domain/policy.ts';
import { stopText } from '../../../shared/domain/wording/stop-text.ts';
import { said, saidOf } from '../../../shared/domain/wording/wording.ts';
import { AnswerForm, capital, Folded, Pick, Text, Tick } from './controls.tsx';
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
      {view.opened.handoff.possibleDuplicate !== undefined && <OneOrTwo view={view} />}
      {mayCorrect(exception) && view.opened.handoff.possibleDuplicate === undefined && <Correct view={view} />}
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

/** The facts that decide who is asked, as they stand: whoever answers for the request may put them right (E-03). */
const Correct = ({ view }: { view: View }) => {
  const { exception: words, fields } = view.wording;
  const { packet } = view.opened;
  return (
    <Folded view={view} action="correct" title={words.correctTitle}>
      <AnswerForm view={view} action="correct" button={words.correct}>
        <p class="hint">{words.correctHint}</p>
        {CORRECTABLE.map((path) => (
          <Text view={view} action="correct" name={path.split('.')[1] ?? path} label={capital(said(fields, path))} stands={defused(statedAt(packet, path))} />
        ))}
      </AnswerForm>
    </Folded>
  );
};

/** What only a person can say: one request, or two (D-01). */
const OneOrTwo = ({ view }: { view: View }) => {
  const { exception: words } = view.wording;
  return (
    <section class="card">
      <h2>{words.mergeTitle}</h2>
      <p>{words.mergeHint}</p>
      <AnswerForm view={view} action="merge-duplicate" button={words.merge} main />
      <h2>{words.separateTitle}</h2>
      <p>{words.separateHint}</p>
      <AnswerForm view={view} action="separate-duplicate" button={words.separate} />
    </section>
  );
};

/** The other request, as far as it helps to compare: who holds it, when it came, what was said, and which identifiers are the same, without their values. */
const OtherRequest = ({ view }: { view: View }) => {
  const { handoff, other } = view.opened;
  const { exception: words, facts, matches } = view.wording;
  if (handoff.possibleDuplicate === undefined) return null;
  const { of, evidence } = handoff.possibleDuplicate;
  return (
    <>
      <Fact name={words.other} value={other === undefined ? of : `${of} (${nameOf(view, other.handoff.custodian)})`} />
      <Fact name={words.same} value={evidence.map((one) => matches[one]).join(', ')} />
      {other !== undefined && (
        <>
          <Fact name={`${words.other}: ${facts.since}`} value={when(view, other.handoff.occurredAt)} />
          <Fact name={`${words.other}: ${facts.words}`} value={wordsBeforeAcceptance(other.packet.request.words ?? '', other.packet.contact, 300)} />
        </>
      )}
    </>
  );
};

/** Classes whose name says everything that their reason says. */
const SELF_EVIDENT: readonly ExceptionClass[] = ['no-eligible-owner', 'all-declined', 'nobody-answered'];

/** Why it stopped, and who was asked before: the history goes along with the responsibility (E-02). */
const Stopped = ({ view }: { view: View<ViewOf<'exception-open' | 'exception-owner'>['standing']> }) => {
  const { exception } = view.standing;
  const { exception: words, exceptions } = view.wording;
  const { handoff } = view.opened;
  const unkept = isUnkeptPromise(handoff, exception);
  const history = attemptsBefore(handoff, exception).map((attempt) => `${nameOf(view, attempt.person)}: ${saidOf(attempt, view.wording)}`);
  return (
    <>
      <p class="note">
        <strong>{unkept ? view.wording.unkeptPromise : exceptions[exception.class]}.</strong>
        {!SELF_EVIDENT.includes(exception.class) && handoff.possibleDuplicate === undefined && ` ${capital(stopText(exception.because, view.wording))}.`}
      </p>
      <dl>
        <OtherRequest view={view} />
        <Fact name={words.earlier} value={history.join('; ')} />
      </dl>
    </>
  );
};
