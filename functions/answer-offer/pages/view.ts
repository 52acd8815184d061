// What a page needs to know to be drawn. Pages read this and nothing else.

import type { FieldProblem } from '../../../shared/contracts/answer-form.ts';
import { asSaid, type Wording } from '../../../shared/domain/wording/wording.ts';
import type { OpenedLink } from '../answer-offer.ts';
import type { Standing } from '../standing.ts';

/** What a person typed before something was wrong with it: shown again, so that nothing is typed twice. */
type Typed = { action: string; fields: Readonly<Record<string, string>>; problems: readonly FieldProblem[] };

export type View<S extends Standing = Standing> = {
  opened: OpenedLink;
  standing: S;
  wording: Wording;
  /** Path of this page, for its own forms and for the receipt. */
  path: string;
  /** Ties the forms to this page (LK-21). */
  nonce: string;
  typed?: Typed;
  /** Said above everything else. */
  notice?: string;
};

export type ViewOf<Kind extends Standing['kind']> = View<Extract<Standing, { kind: Kind }>>;

/** An instant as the reader of the page says it. */
export const when = ({ opened, wording }: View, instant: string): string => asSaid(instant, opened.now, opened.person.zone, wording);

/** The name of a colleague as the team knows it. */
export const nameOf = ({ opened }: View, person: string): string => opened.policy.roster.people.find((one) => one.id === person)?.name ?? person;
