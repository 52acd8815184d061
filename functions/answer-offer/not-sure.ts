// What a person hears who pressed a button while the table did not answer. Nobody can say then which language they read.

const SENTENCE = [
  'Do not count on it: your answer was probably not recorded. Please open your link again in a moment; the page shows what stands.',
  'No cuente con ello: es probable que su respuesta no se haya guardado. Abra su enlace otra vez en un momento; la página muestra lo que vale.',
].join('\n\n');

/** Never that anything was noted: a yes that is believed to stand and does not is a customer whom nobody calls (OP-05). */
export const NOT_SURE = { 500: SENTENCE, 503: SENTENCE } as const;
