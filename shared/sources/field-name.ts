/**
 * A field's name without what differs from form to form: "Full Name", `your-name` and `q3_fullName` say what `full_name` and
 * `name` say. Only spelling is folded; what a name means is decided by the list of facts.
 */
export function plainName(label: string): string {
  if (label.length > 100) return label;
  return label
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^q\d+_/, '')
    .replace(/^(?:your|my)_/, '');
}
