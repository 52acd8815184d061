// Form controls with their labels, hints and problems, and what was typed before.

import type { Child, PropsWithChildren } from 'hono/jsx';
import { dueChoices } from '../../../shared/domain/due-choices.ts';
import { asSaid } from '../../../shared/domain/wording/wording.ts';
import type { View } from './view.ts';

/** A form for one kind of answer. `action` is the button's value: without pressing a button nothing is chosen (LK-04). */
export const AnswerForm = ({ view, action, button, main = false, children }: PropsWithChildren<{ view: View; action: string; button: string; main?: boolean }>) => (
  <form method="post" action={view.path} novalidate autocomplete="off">
    <input type="hidden" name="page" value={view.nonce} />
    <input type="hidden" name="seen" value={String(view.opened.packet.version)} />
    {children}
    <button type="submit" name="action" value={action} class={main ? 'main' : undefined}>
      {button}
    </button>
  </form>
);

/** A folded answer; open when there is something to mend in it. */
export const Folded = ({ view, action, title, children }: PropsWithChildren<{ view: View; action: string; title: string }>) => (
  <details open={view.typed?.action === action}>
    <summary>{title}</summary>
    {children}
  </details>
);

type Control = { view: View; action: string; name: string };
type Option = { value: string; text: string };

/** One of several, none chosen. */
export const OneOf = ({ view, action, name, legend, options, down = false }: Control & { legend: string; options: readonly Option[]; down?: boolean }) => {
  const problem = problemOf(view, action, name);
  return (
    <fieldset class={problem === undefined ? undefined : 'wrong'} aria-describedby={problem === undefined ? undefined : `${action}-${name}-problem`}>
      <legend>{legend}</legend>
      <ProblemText id={`${action}-${name}-problem`} text={problem} />
      <div class={down ? 'choices down' : 'choices'}>
        {options.map((option, at) => (
          <Choice id={at === 0 ? `${action}-${name}` : `${action}-${name}-${at}`} name={name} option={option} checked={typedIn(view, action, name) === option.value} />
        ))}
      </div>
    </fieldset>
  );
};

const Choice = ({ id, name, option, checked, marked }: { id: string; name: string; option: Option; checked: boolean; marked?: string }) => (
  <label class="choice" for={id}>
    <input type="radio" id={id} name={name} value={option.value} checked={checked} class={marked} />
    <span>{option.text}</span>
  </label>
);

/** By when: a few likely times, or any other. Nothing is chosen beforehand. */
export const DueTime = ({ view, action }: { view: View; action: string }) => {
  const { wording, opened } = view;
  const problem = problemOf(view, action, 'dueChoice') ?? problemOf(view, action, 'due');
  const said = (instant: string) => asSaid(instant, opened.now, opened.person.zone, wording);
  const chosen = typedIn(view, action, 'dueChoice');
  const choices = dueChoices(opened.now, opened.person.zone, opened.policy);
  return (
    <fieldset class={problem === undefined ? undefined : 'wrong'} aria-describedby={problem === undefined ? undefined : `${action}-due-problem`}>
      <legend>{wording.offer.due}</legend>
      <ProblemText id={`${action}-due-problem`} text={problem} />
      <div class="choices times">
        {choices.map((instant, at) => (
          <Choice
            id={at === 0 ? `${action}-dueChoice` : `${action}-dueChoice-${at}`}
            name="dueChoice"
            option={{ value: instant, text: capital(said(instant).replace(':00', '')) }}
            checked={chosen === instant}
          />
        ))}
        <Choice
          id={choices.length === 0 ? `${action}-dueChoice` : `${action}-dueChoice-other`}
          name="dueChoice"
          option={{ value: 'other', text: wording.offer.dueOther }}
          checked={chosen === 'other'}
          marked="other"
        />
      </div>
      <div class="typed">
        <label class="hint" for={`${action}-due`}>
          {wording.offer.dueAt}
        </label>
        <input type="datetime-local" id={`${action}-due`} name="due" value={typedIn(view, action, 'due')} />
      </div>
    </fieldset>
  );
};

/** Free text on one or several lines. `stands` is what it says until something else is typed. */
export const Text = ({ view, action, name, label, hint, lines = 1, stands = '' }: Control & { label: string; hint?: string; lines?: number; stands?: string }) => {
  const id = `${action}-${name}`;
  const problem = problemOf(view, action, name);
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean).join(' ');
  const about = { id, name, 'aria-describedby': described === '' ? undefined : described, 'aria-invalid': problem === undefined ? undefined : ('true' as const) };
  const typed = view.typed?.action === action ? typedIn(view, action, name) : stands;
  return (
    <div class={problem === undefined ? 'field' : 'field wrong'}>
      <label class="label" for={id}>
        {label}
      </label>
      <Hint id={`${id}-hint`} text={hint} />
      <ProblemText id={`${id}-problem`} text={problem} />
      {lines === 1 ? (
        <input type="text" {...about} value={typed} autocapitalize="none" spellcheck={false} />
      ) : (
        <textarea {...about} rows={lines} maxlength={1000}>
          {typed}
        </textarea>
      )}
    </div>
  );
};

/** One of many. */
export const Pick = ({ view, action, name, label, hint, empty, options }: Control & { label: string; hint?: string; empty: string; options: readonly Option[] }) => {
  const id = `${action}-${name}`;
  const problem = problemOf(view, action, name);
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean).join(' ');
  const typed = typedIn(view, action, name);
  return (
    <div class={problem === undefined ? 'field' : 'field wrong'}>
      <label class="label" for={id}>
        {label}
      </label>
      <Hint id={`${id}-hint`} text={hint} />
      <ProblemText id={`${id}-problem`} text={problem} />
      <select id={id} name={name} aria-describedby={described === '' ? undefined : described} aria-invalid={problem === undefined ? undefined : 'true'}>
        <option value="">{empty}</option>
        {options.map(({ value, text }) => (
          <option value={value} selected={typed === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
};

/** A box that a person ticks knowingly. */
export const Tick = ({ view, action, name, label }: Control & { label: string }) => {
  const problem = problemOf(view, action, name);
  return (
    <div class={problem === undefined ? 'field' : 'field wrong'}>
      <ProblemText id={`${action}-${name}-problem`} text={problem} />
      <label class="choice" for={`${action}-${name}`}>
        <input type="checkbox" id={`${action}-${name}`} name={name} value="yes" aria-describedby={problem === undefined ? undefined : `${action}-${name}-problem`} />
        <span>{label}</span>
      </label>
    </div>
  );
};

/** Everything that is wrong, first on the page, each with a way to its field. */
export const ProblemSummary = ({ view }: { view: View }): Child => {
  const { typed, wording } = view;
  if (typed === undefined || typed.problems.length === 0) return null;
  return (
    <div class="problems" role="alert" tabindex={-1} autofocus>
      <h2>{wording.problems.summary}</h2>
      <ul>
        {typed.problems.map(({ field, problem }) => (
          <li>{field === 'action' ? wording.problems[problem] : <a href={`#${typed.action}-${field}`}>{wording.problems[problem]}</a>}</li>
        ))}
      </ul>
    </div>
  );
};

const Hint = ({ id, text }: { id: string; text: string | undefined }): Child =>
  text === undefined ? null : (
    <span class="hint" id={id}>
      {text}
    </span>
  );

const ProblemText = ({ id, text }: { id: string; text: string | undefined }): Child =>
  text === undefined ? null : (
    <span class="problem" id={id}>
      {text}
    </span>
  );

const typedIn = ({ typed }: View, action: string, name: string): string => (typed?.action === action ? (typed.fields[name] ?? '') : '');

function problemOf({ typed, wording }: View, action: string, name: string): string | undefined {
  if (typed?.action !== action) return undefined;
  const found = typed.problems.find((one) => one.field === name);
  return found === undefined ? undefined : wording.problems[found.problem];
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
