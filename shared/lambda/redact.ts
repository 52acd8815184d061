/** Messages of SDK errors may quote addresses, numbers, tokens and links; a log line may not (PI-02, LK-19, SF-05). */
export function redact(text: string): string {
  return text
    .replace(/\/a\/[0-9A-Za-z]+/g, '/a/[link]')
    .replace(/\/in\/([a-z0-9-]+)\/[^\s/?#"']+/g, '/in/$1/[token]')
    .replace(/[^\s@<>"']+@[^\s@<>"']+/g, '[address]')
    .replace(/\+\d[\d\s().-]{5,}\d/g, '[number]')
    .replace(/[A-Za-z0-9+/=_-]{64,}/g, '[secret]');
}
