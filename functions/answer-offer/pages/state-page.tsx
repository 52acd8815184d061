// Nothing to decide any more: what stands, in one or two sentences (O-04).

import type { Child } from 'hono/jsx';
import { Fact } from './facts.tsx';
import { ReceiptLink } from './owner-page.tsx';
import { nameOf, type View, type ViewOf, when } from './view.ts';

export const OwnedByAnotherPage = ({ view }: { view: ViewOf<'owned-by-another'> }) => {
  const { state } = view.wording;
  const { standing } = view;
  const owner = nameOf(view, standing.owner);
  const title = standing.what === 'exception' ? state.exceptionHeldTitle(owner) : state.anotherTitle(owner);
  return <Plain title={title} text={state.another(owner, when(view, standing.since))} />;
};

export const OfferEndedPage = ({ view }: { view: ViewOf<'offer-ended'> }) => {
  const { state, reasons } = view.wording;
  const { standing } = view;
  const at = when(view, standing.at);
  switch (standing.because) {
    case 'timed-out':
      return <Plain title={state.timedOutTitle} text={state.timedOut(at)} />;
    case 'duplicate':
      return <Plain title={state.duplicateTitle} text={state.duplicate(at)} />;
    case 'withdrawn':
    case 'undeliverable':
      return <Plain title={state.withdrawnTitle} text={state.withdrawn(at)} />;
    case 'superseded':
      return <Plain title={state.supersededTitle} text={state.superseded} />;
    case 'returned':
      return <Plain title={state.returnedTitle} text={state.returned} />;
    case 'rejected':
      return (
        <Plain title={state.rejectedTitle} text={state.rejected(at)}>
          <dl>
            <Fact name={state.reason} value={standing.reason === undefined ? '' : reasons[standing.reason]} />
          </dl>
        </Plain>
      );
  }
};

export const QuestionOverPage = ({ view }: { view: ViewOf<'question-over'> }) => <Plain title={view.wording.question.overTitle} text={view.wording.question.over} />;

export const ExceptionMovedPage = ({ view }: { view: ViewOf<'exception-moved'> }) => (
  <Plain title={view.wording.state.movedTitle(nameOf(view, view.standing.to))} text={view.wording.state.moved} />
);

export const ExceptionResolvedPage = ({ view }: { view: ViewOf<'exception-resolved'> }) => (
  <Plain title={view.wording.state.resolvedTitle} text={view.wording.state.resolved(when(view, view.standing.at))} />
);

export const ClosedPage = ({ view }: { view: ViewOf<'closed'> }) => {
  const { state, outcomes } = view.wording;
  const { outcome, by, at, owner } = view.standing;
  return (
    <Plain title={state.closedTitle} text={state.closed(nameOf(view, by), when(view, at))}>
      <dl>
        <Fact name={state.outcome} value={outcomes[outcome]} />
      </dl>
      {owner && <ReceiptLink view={view as View} />}
    </Plain>
  );
};

const Plain = ({ title, text, children }: { title: string; text: string; children?: Child }) => (
  <section class="card">
    <h1>{title}</h1>
    <p>{text}</p>
    {children}
  </section>
);
