/** Names on the wire: how they are compared, kept unique, and what to suggest for a misspelt one. */

// Most names: nothing to normalise but the case.
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Compares without case, surrounding or doubled space, and Unicode form. */
export const nameKey = (name: string): string =>
  PLAIN.test(name) ? name.toLowerCase() : name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** First and last name as shown, single-spaced. */
export const fullName = (first: string, last: string): string =>
  `${first} ${last}`.normalize('NFC').trim().replace(/\s+/g, ' ');

/** The name itself, or with (2), (3) … the first that nobody has. `taken` holds `nameKey`s. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(nameKey(name))) return name;
  for (let n = 2; ; n++) if (!taken.has(nameKey(`${name} (${n})`))) return `${name} (${n})`;
}

/** Edit distance with adjacent transpositions (Damerau-Levenshtein, optimal string alignment), up to `most`. */
export function editDistance(a: string, b: string, most = 3): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let d = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, (before[j - 2] ?? 0) + 1);
      next.push(d);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? most + 1;
}

/** For finding: as compared, accents aside. */
export const plainName = (name: string): string =>
  PLAIN.test(name) ? name.toLowerCase() : nameKey(name).normalize('NFD').replace(/\p{M}/gu, '');

/**
 * What names are listed by, compared as plain text: accents and case aside, numbers by their value, so that (2) comes
 * before (10). Not `Intl.Collator`, the first of which takes a page 10 to 15 ms to load before it can draw a day.
 */
export const sortKey = (name: string): string => plainName(name).replace(/\d+/g, (n) => n.padStart(12, '0'));

/** For sorting a list of names; see `sortKey`. */
export function compareNames(a: string, b: string): number {
  const [x, y] = [sortKey(a), sortKey(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The nearest of `names` within 3 edits (accents aside), or null. */
export function suggestName(wanted: string, names: readonly string[]): string | null {
  let best: string | null = null;
  let distance = 4;
  for (const name of names) {
    const d = editDistance(plainName(wanted), plainName(name));
    if (d < distance) {
      best = name;
      distance = d;
    }
  }
  return best;
}
