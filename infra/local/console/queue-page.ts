import type { SeenMessage } from '../services/sqs/messages.ts';
import { escaped, fromNow, instant, page } from './page.ts';

/** The messages of a queue. Bodies may hold personal data and stay folded until somebody opens one. */
export function renderQueue(name: string, messages: readonly SeenMessage[], now: string): string {
  const sections = messages.map(({ id, sentAt, receives, visibleAt, attributes, body }) => {
    const hidden = visibleAt > now ? `, hidden until ${instant(visibleAt)}` : '';
    const facts = Object.entries(attributes).map(([key, value]) => `<tr><th>${escaped(key)}</th><td>${escaped(value)}</td></tr>`);
    return `<section><h2>${instant(sentAt)} <span class="soft">${fromNow(sentAt, now)}</span></h2><p class="soft">${receives === 0 ? 'not received yet' : `received ${receives} ${receives === 1 ? 'time' : 'times'}`}${hidden} · ${escaped(id)}</p>
<table>${facts.join('')}</table><details><summary>Body (${body.length} characters; may hold personal data)</summary><pre>${escaped(indented(body))}</pre></details></section>`;
  });
  return page(`Queue ${name}`, sections.length > 0 ? sections : ['<section><p class="soft">It is empty.</p></section>']);
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
