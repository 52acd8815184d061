// When a delivery says that it was signed, for telling a wrong clock from a wrong secret.

/** Nobody writes more times than this into one delivery. */
const MOST = 4;

/** The instants that the headers claim: in a header of their own, or within the one that signs. Nothing here is proof of anything. */
export function statedTimes(headers: Readonly<Record<string, string>>): string[] {
  const written = Object.entries(headers).flatMap(([name, value]) => {
    if (/timestamp/.test(name)) return [value];
    if (!/signature/.test(name)) return [];
    return [/(?:^|[,;]\s*)t=(\d+)/.exec(value.slice(0, 500))?.[1] ?? /^hmac;\d;(\d+);/.exec(value)?.[1] ?? ''];
  });
  return written.flatMap(instantOf).slice(0, MOST);
}

function instantOf(text: string): string[] {
  const milliseconds = /^\d{10}$/.test(text)
    ? Number(text) * 1000
    : /^\d{13}$/.test(text)
      ? Number(text)
      : /^\d{4}-\d\d-\d\dT[\d:.]{8,18}Z$/.test(text)
        ? Date.parse(text)
        : Number.NaN;
  return Number.isNaN(milliseconds) ? [] : [new Date(milliseconds).toISOString()];
}
