/** Compares with IAM's wildcards: `*` takes any run of characters, `?` exactly one. */
export const matchesWildcard = (pattern: string, value: string): boolean => {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let index = 0; index < value.length; ) {
    const char = pattern.charAt(at);
    if (char === '*') {
      star = at;
      resume = index;
      at += 1;
    } else if (char !== '' && (char === '?' || char === value.charAt(index))) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      index = resume;
    } else return false;
  }
  while (pattern.charAt(at) === '*') at += 1;
  return at === pattern.length;
};
