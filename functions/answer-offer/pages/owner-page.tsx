// The request is theirs: what they promised, and how to say what came of it.

import { initials } from '../../../shared/domain/free-text.ts';
import { ownershipClock } from '../../../shared/domain/ownership-clock.ts';
import { OUTCOMES } from '../../../shared/domain/policy.ts';
import type { EvidenceKind } from '../../../shared/domain/receipt.ts';
import { ageText } from '../../../shared/domain/report-text.ts';
import { contractCalendar } from '../../../shared/domain/window.ts';
import { said } from '../../../shared/domain/wording/wording.ts';
import { AnswerForm, capital, Folded, OneOf, Text } from './controls.tsx';
import { Fact } from './facts.tsx';
import { type View, type ViewOf, when } from './view.ts';

const EVIDENCE: readonly EvidenceKind[] = ['call', 'meeting', 'message', 'visit', 'quote'];

export const OwnerPage = ({ view }: { view: ViewOf<'owner'> }) => {
  const { wording, standing, opened } = view;
  const { ownership, mayConfirm, overdue, confirmedAt } = standing;
  const { owner: words } = wording;
  const { name } = opened.packet.contact;
  return (
    <>
      <section class="card">
        <span class={overdue ? 'pill warn' : 'pill good'}>{words.since(when(view, ownership.acceptedAt))}</span>
        <h1>{words.title}</h1>
        {overdue && <p class="note">{words.overdue}</p>}
        <dl>
          <Fact name={words.promise} value={said(wording.nextActions, ownership.nextAction)} />
          <Fact name={words.due} value={capital(when(view, ownership.dueAt))} />
          <Fact name={words.customer} value={name === undefined ? '' : initials(name)} />
          <Fact name={words.waited} value={waited(view)} />
        </dl>
        <p>{words.contact}</p>
        {confirmedAt !== undefined && <p>{words.confirmed(when(view, confirmedAt))}</p>}
        <ReceiptLink view={view} />
      </section>
      {mayConfirm && (
        <section class="card">
          <h2>{words.confirmTitle}</h2>
          <AnswerForm view={view} action="confirm-next-step" button={words.confirm} main>
            <OneOf view={view} action="confirm-next-step" name="evidence" legend={words.evidence} options={EVIDENCE.map((value) => ({ value, text: wording.evidence[value] }))} />
            <Text view={view} action="confirm-next-step" name="evidenceNote" label={words.note} hint={words.noteHint} lines={2} />
          </AnswerForm>
        </section>
      )}
      <Folded view={view} action="close" title={words.closeTitle}>
        <CloseForm view={view} />
      </Folded>
    </>
  );
};

/** By both clocks, when the contract counts business time (C-06). */
function waited({ opened: { handoff, policy, now }, wording }: View): string {
  const { wallSeconds, businessSeconds } = ownershipClock(handoff, contractCalendar(policy), now);
  return businessSeconds === undefined ? ageText(wallSeconds) : wording.owner.waitedBoth(ageText(wallSeconds), ageText(businessSeconds));
}

/** A factual end; the result is needed when there was one. */
export const CloseForm = ({ view }: { view: View }) => {
  const { owner: words, outcomes } = view.wording;
  return (
    <AnswerForm view={view} action="close" button={words.close}>
      <OneOf view={view} action="close" name="outcome" legend={words.outcome} options={OUTCOMES.map((value) => ({ value, text: outcomes[value] }))} down />
      <Text view={view} action="close" name="result" label={words.result} hint={words.resultHint} lines={2} />
    </AnswerForm>
  );
};

/** The proof that the reader accepted, to keep. */
export const ReceiptLink = ({ view }: { view: View }) => (
  <p>
    <a href={`${view.path}/receipt`} download>
      {view.wording.owner.receipt}
    </a>{' '}
    <span class="hint">{view.wording.owner.receiptHint}</span>
  </p>
);
