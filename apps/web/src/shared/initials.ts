/** The first letters of a name's first and last word: `JO` for `Jamal O'Brien`. */
export function initials(name: string): string {
  const parts = name.trim().split(/\s+/);
  const ends = parts.length > 1 ? [parts[0], parts.at(-1)] : parts;
  return ends
    .map((part = '') => [...part][0] ?? '')
    .join('')
    .toUpperCase();
}
