// What is known of the request, without contact details (PI-08).

import type { Child } from 'hono/jsx';
import { defused, shortName, wordsBeforeAcceptance } from '../../../shared/domain/free-text.ts';
import { said, zoneName } from '../../../shared/domain/wording/wording.ts';
import { capital } from './controls.tsx';
import { type View, when } from './view.ts';

const LONGEST_WORDS = 600;

/** What is needed to decide: the need, the place, the time, what nobody stated, and why this person. */
export const Facts = ({ view, why }: { view: View; why?: string }) => {
  const { packet, handoff } = view.opened;
  const { facts, categories, languages, fields } = view.wording;
  const { request, location, contact, alsoStated = [] } = packet;
  const hides = (path: string) => path.startsWith('contact.') && path !== 'contact.language';
  const words = request.words === undefined ? '' : wordsBeforeAcceptance(request.words, contact, LONGEST_WORDS);
  const work = [request.category, request.product].filter((one) => one !== undefined).map((one) => capital(said(categories, defused(one))));
  const place = [location.postalCode, location.city, location.region].filter((one) => one !== undefined).map((one) => defused(one));
  const ways = [contact.phone !== undefined && facts.phone, contact.email !== undefined && facts.email].filter((way) => way !== false).join(facts.and);
  return (
    <>
      {words !== '' && <p class="words">{words}</p>}
      <dl>
        <Fact name={facts.work} value={work.join(', ')} />
        <Fact name={facts.place} value={place.join(' ')} />
        <Fact name={facts.timing} value={defused(request.timing ?? '', 120)} />
        <Fact name={facts.language} value={contact.language === undefined ? '' : said(languages, defused(contact.language))} />
        <Fact name={facts.since} value={when(view, handoff.occurredAt)} />
        <Fact name={facts.reached} value={ways === '' ? '' : `${ways} (${facts.hidden})`} />
        <Fact name={facts.unknown} value={packet.unknown.map((path) => said(fields, path)).join(', ')} />
        {alsoStated.map(({ path, value, system }) => (
          <Fact
            name={`${facts.also}: ${said(fields, path.replace(/^more\./, ''))}`}
            value={`${hides(path) ? facts.hidden : wordsBeforeAcceptance(value, contact, LONGEST_WORDS)} (${defused(system)})`}
          />
        ))}
        {packet.sources.length > 1 && <Fact name={facts.came} value={packet.sources.map(({ system }) => defused(system)).join(', ')} />}
        {(packet.answers ?? []).map(({ question, answer }) => (
          <Fact name={capital(wordsBeforeAcceptance(question, contact, 300))} value={wordsBeforeAcceptance(answer, contact, LONGEST_WORDS)} />
        ))}
        <Fact name={facts.why} value={why ?? ''} />
      </dl>
    </>
  );
};

/** What a machine proposed, apart from the facts and under its name (P-02, A-01). Before a yes it names no address of the customer either. */
export const Proposed = ({ view }: { view: View }) => {
  const { packet, handoff } = view.opened;
  const { generated, contact, version } = packet;
  if (generated === undefined) return null;
  const { packetVersion = version } = handoff.generated ?? {};
  const { facts } = view.wording;
  const said = (text: string | undefined) => (text === undefined ? '' : wordsBeforeAcceptance(text, contact, LONGEST_WORDS));
  return (
    <section class="card">
      <h2>{facts.proposedTitle}</h2>
      <p class="hint">{facts.proposed(generated.generator, generated.generatorVersion)}</p>
      {packetVersion < version && <p class="note">{facts.proposedBefore}</p>}
      <dl>
        <Fact name={facts.summary} value={said(generated.summary)} />
        <Fact name={facts.draft} value={said(generated.draft)} />
        <Fact name={facts.priority} value={said(generated.priority)} />
      </dl>
    </section>
  );
};

/** One line of facts; left out when there is nothing to say. */
export const Fact = ({ name, value }: { name: string; value: string }): Child =>
  value === '' ? null : (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );

/** Whom the page is for (masked, LK-16), on which version of the facts, and in which zone its times are. */
export const Foot = ({ view }: { view: View }) => {
  const { facts, state } = view.wording;
  const { person, packet, handoff, now } = view.opened;
  return (
    <footer>
      <p>
        {facts.asked} {shortName(person.name)} · {facts.version(packet.version)}
      </p>
      <p>{state.zone(zoneName(now, person.zone, view.wording))}</p>
      <p>
        {facts.handoff} <span class="id">{handoff.id}</span>
      </p>
    </footer>
  );
};
