const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" };

/** The words of a marked-up text. Tags go, ends of blocks become new lines; what is left is text and is escaped wherever it is shown. */
export const plainText = (markup: string): string =>
  markup
    .slice(0, 200_000)
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^>]{0,200}>/gi, '\n')
    .replace(/<[^<>]{0,2000}>/g, '')
    .replace(/&(#39|[a-z]{2,4});/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
