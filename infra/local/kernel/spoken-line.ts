/** What is kept of a line: when, which service, what it said, and its own fields. */
export type LogLine = { at: string; service: string; message: string; [field: string]: unknown };

/** A log line as a person reads it. */
export type SpokenLine = { at: string; speaker: string; message: string; fields: Record<string, unknown>; requestId: string; bad: boolean };

/** Fields of structured logging that say again what the line says, or what nobody reads. */
const REPEATED = new Set(
  'message timestamp level cold_start function_arn function_memory_size function_name function_request_id sampling_rate service xray_trace_id _aws function requestId'.split(' '),
);

/** Takes structured messages apart, and calls functions by their name without the letters the CDK appends. */
export function spoken({ at, service, message, ...fields }: LogLine): SpokenLine {
  const inner = structured(message);
  const own = Object.fromEntries(Object.entries({ ...fields, ...inner }).filter(([name]) => !REPEATED.has(name)));
  const level = String(inner?.level ?? fields.level ?? '');
  const bad = /^(ERROR|CRITICAL|FATAL)$/i.test(level) || fields.stream === 'stderr' || /^\w*(Error|Exception|Timedout)\b/.test(message);
  const speaker = service === 'lambda' && typeof fields.function === 'string' ? fields.function.replace(/(Function)?(?<=[a-z])[0-9A-F]{8}$/, '') : service;
  return { at, speaker, message: messageOf(inner, message), fields: own, requestId: String(fields.requestId ?? ''), bad };
}

function messageOf(inner: Record<string, unknown> | undefined, message: string): string {
  if (!inner) return message;
  return typeof inner.message === 'string' ? inner.message : inner._aws ? 'counted' : '';
}

function structured(message: string): Record<string, unknown> | undefined {
  if (!message.startsWith('{')) return undefined;
  try {
    return JSON.parse(message) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A field's value: text as it is, everything else as JSON. */
export const spokenValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
