// The automatic messages to customers. Each says that it is automatic, promises no time but the opening, and claims no owner.

import type { CustomerMessage } from '../customer-messages.ts';

/** A message in one language. The text message is read without any other; `when` is the opening, where one is known. */
type Said = { subject: string; lines: (when: string) => readonly string[]; sms: (when: string) => string };

const STOP = 'STOP ends texts';

const en: Record<CustomerMessage, Said> = {
  'we-answer-when-we-open': {
    subject: 'We have your request',
    lines: (when) => [`your request has reached us. We are closed right now and open again on ${when}.`, 'Nobody has read it yet. A person looks at it once we are open.'],
    sms: (when) => `Automatic reply: we have your request. We are closed and open again ${when}. ${STOP}`,
  },
  'we-look-for-the-right-person': {
    subject: 'We are looking for the right person for your request',
    lines: () => ['your request has reached us. Nobody has taken it on yet: somebody here is finding the right person for it.', 'You need to do nothing.'],
    sms: () => `Automatic reply: we have your request and are finding the right person for it. Nobody has taken it on yet. ${STOP}`,
  },
  'we-need-a-little-longer': {
    subject: 'Your request needs a little longer',
    lines: () => ['your request has reached us. Nobody has taken it on yet; somebody here looks after it meanwhile.', 'You need to do nothing.'],
    sms: () => `Automatic reply: your request needs a little longer. Nobody has taken it on yet; somebody here looks after it. ${STOP}`,
  },
};

const es: Record<CustomerMessage, Said> = {
  'we-answer-when-we-open': {
    subject: 'Hemos recibido su solicitud',
    lines: (when) => [`su solicitud nos ha llegado. Ahora está cerrado; abrimos de nuevo el ${when}.`, 'Todavía nadie la ha leído. Una persona la mira cuando abramos.'],
    sms: (when) => `Respuesta automatica: tenemos su solicitud. Esta cerrado; abrimos ${when}. ${STOP}`,
  },
  'we-look-for-the-right-person': {
    subject: 'Buscamos a la persona adecuada para su solicitud',
    lines: () => ['su solicitud nos ha llegado. Todavía nadie se ha hecho cargo: alguien de aquí busca a la persona adecuada.', 'No tiene que hacer nada.'],
    sms: () => `Respuesta automatica: tenemos su solicitud y buscamos a la persona adecuada. Nadie se ha hecho cargo aun. ${STOP}`,
  },
  'we-need-a-little-longer': {
    subject: 'Su solicitud necesita un poco más de tiempo',
    lines: () => ['su solicitud nos ha llegado. Todavía nadie se ha hecho cargo; alguien de aquí la cuida mientras tanto.', 'No tiene que hacer nada.'],
    sms: () => `Respuesta automatica: su solicitud necesita algo mas de tiempo. Nadie se ha hecho cargo aun. ${STOP}`,
  },
};

/** What is around every message. */
const FRAME = {
  en: { greeting: 'Hello,', foot: 'This is an automatic reply. It starts and stops nothing.' },
  es: { greeting: 'Hola,', foot: 'Esta es una respuesta automática. No inicia ni detiene nada.' },
} as const;

/** The words of a message, and those around it; undefined for a name that there is no text for. */
export function customerWords(message: string, language: 'en' | 'es'): (Said & { greeting: string; foot: string }) | undefined {
  const texts: Readonly<Record<string, Said>> = language === 'es' ? es : en;
  const said = Object.hasOwn(texts, message) ? texts[message] : undefined;
  return said && { ...said, ...FRAME[language] };
}
