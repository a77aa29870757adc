/** The first letters of a name's first and last word: `JO` for `Jamal O'Brien`. */
export function initials(name: string): string {
  const parts = name.trim().split(/\s+/);
  const ends = parts.length > 1 ? [parts[0], parts.at(-1)] : parts;
  return ends
    .map((part = '') => [...part][0] ?? '')
    .join('')
    .toUpperCase();
}

/**
 * A name with the first name shortened: `J. O'Brien`. A single word stays whole; a number, as in `Maria Lopez (2)`,
 * stays at the end.
 */
export function shortName(name: string): string {
  const [first, ...rest] = name.trim().split(/\s+/);
  return rest.length === 0 || !first ? name : `${[...first][0] ?? ''}. ${rest.join(' ')}`;
}
