// From a standing, or a refusal, to the text of a page.

import { type Language, wordingFor } from '../../../shared/domain/wording/wording.ts';
import { ProblemSummary } from './controls.tsx';
import { ExceptionOwnerPage, ExceptionPage } from './exception-page.tsx';
import { Foot } from './facts.tsx';
import { Layout } from './layout.tsx';
import { OfferPage } from './offer-page.tsx';
import { OwnerPage } from './owner-page.tsx';
import { QuestionPage } from './question-page.tsx';
import { ClosedPage, ExceptionMovedPage, ExceptionResolvedPage, OfferEndedPage, OwnedByAnotherPage, QuestionOverPage } from './state-page.tsx';
import type { View, ViewOf } from './view.ts';

/** What the holder of a genuine link sees. */
export function standingPage(view: View, styleNonce: string): string {
  const { wording, opened, typed } = view;
  const title = `${typed === undefined ? '' : `${wording.problems.error}: `}${titleOf(view)}`;
  const page = (
    <Layout language={opened.person.speaks} title={title} styleNonce={styleNonce}>
      <main>
        <ProblemSummary view={view} />
        {view.notice !== undefined && (
          <p class="note" role="alert">
            {view.notice}
          </p>
        )}
        <Body view={view} />
      </main>
      <Foot view={view} />
    </Layout>
  );
  return `<!doctype html>${page}`;
}

/** What everyone else sees: nothing of any request. */
export function refusalPage(language: Language, kind: 'notFound' | 'method' | 'crossSite' | 'broken', styleNonce: string): string {
  const { refusal } = wordingFor(language);
  const page = (
    <Layout language={language} title={refusal[`${kind}Title`]} styleNonce={styleNonce}>
      <main>
        <section class="card">
          <h1>{refusal[`${kind}Title`]}</h1>
          <p>{refusal[kind]}</p>
        </section>
      </main>
    </Layout>
  );
  return `<!doctype html>${page}`;
}

const Body = ({ view }: { view: View }) => {
  switch (view.standing.kind) {
    case 'offer-open':
      return <OfferPage view={view as ViewOf<'offer-open'>} />;
    case 'owner':
      return <OwnerPage view={view as ViewOf<'owner'>} />;
    case 'owned-by-another':
      return <OwnedByAnotherPage view={view as ViewOf<'owned-by-another'>} />;
    case 'offer-ended':
      return <OfferEndedPage view={view as ViewOf<'offer-ended'>} />;
    case 'question-open':
      return <QuestionPage view={view as ViewOf<'question-open'>} />;
    case 'question-over':
      return <QuestionOverPage view={view as ViewOf<'question-over'>} />;
    case 'exception-open':
      return <ExceptionPage view={view as ViewOf<'exception-open'>} />;
    case 'exception-owner':
      return <ExceptionOwnerPage view={view as ViewOf<'exception-owner'>} />;
    case 'exception-moved':
      return <ExceptionMovedPage view={view as ViewOf<'exception-moved'>} />;
    case 'exception-resolved':
      return <ExceptionResolvedPage view={view as ViewOf<'exception-resolved'>} />;
    case 'closed':
      return <ClosedPage view={view as ViewOf<'closed'>} />;
  }
};

/** Says what the page is about without saying whose request it is: previews show it to whole chats (LK-05). */
function titleOf({ standing, wording }: View): string {
  switch (standing.kind) {
    case 'offer-open':
      return wording.offer.title;
    case 'owner':
      return wording.owner.title;
    case 'question-open':
      return wording.question.title;
    case 'exception-open':
      return wording.exception.title;
    case 'exception-owner':
      return wording.exception.yours;
    case 'closed':
      return wording.state.closedTitle;
    default:
      return wording.state.pageTitle;
  }
}
