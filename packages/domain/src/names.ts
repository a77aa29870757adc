/**
 * Names: how they are stored, compared, made unique and sorted, and what to suggest for a misspelled one. Every
 * comparison that ignores case uses `nameKey`. PostgreSQL lowers some letters differently from JavaScript, so the
 * database stores this key and never computes it (docs/decisions/0080-one-name-key.md).
 */

// Most names only need their case folded.
const PLAIN = /^[!-_a-~]+(?: [!-_a-~]+)*$/;

/** Characters that show nothing: zero-width, soft hyphen, direction marks, variation selectors, fillers, tags. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** Every kind of space, and the Braille pattern without dots, which looks like a space. */
const SPACE = /[\p{White_Space}\u2800]+/gu;
// Variants that keyboards and word processors produce for the same character.
const APOSTROPHE = /[`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201b\u2032\uff07]/g;
const HYPHEN = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

/** A text as it is stored: without invisible characters, single-spaced, trimmed, with accents in one form. */
export const tidyText = (text: string): string =>
  PLAIN.test(text) ? text : text.normalize('NFC').replace(INVISIBLE, '').replace(SPACE, ' ').trim().normalize('NFC');

/**
 * The key by which names are compared. Names that differ only in case, Unicode form, invisible characters, spaces, or
 * the kind of apostrophe or hyphen share a key; names with different accents do not.
 */
export function nameKey(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  let key = fold(name);
  // Folding can produce something that folds again: at most twice (the test tries every character).
  for (let next = fold(key); next !== key; next = fold(key)) key = next;
  return key;
}

/** Upper case first: only this makes `ß` and `SS`, `ς` and `σ`, `ı`, `İ` and `I` the same. */
const fold = (text: string): string =>
  oneSign(text.normalize('NFC'))
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/(i\p{M}*?)\u0307/gu, '$1')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(SPACE, ' ')
    .trim();

const oneSign = (text: string): string => text.replace(APOSTROPHE, "'").replace(HYPHEN, '-');

/** An e-mail address as it is stored and compared: case does not count. */
export function emailKey(email: string): string {
  return nameKey(email);
}

/** First and last name as shown, single-spaced. */
export const fullName = (first: string, last: string): string => tidyText(`${first} ${last}`);

/** The name itself, or with the first free number: (2), (3) … . `taken` holds `nameKey`s. */
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

// Letters that Unicode does not split into a letter and a mark.
const LETTERS: Readonly<Record<string, string>> = { æ: 'ae', đ: 'd', ð: 'd', ħ: 'h', ł: 'l', ø: 'o', œ: 'oe', ŧ: 't' };
const MARKED = /[æđðħłøœŧ]/g;

/** For searching: like the key, but without accents and strokes. */
export const plainName = (name: string): string =>
  PLAIN.test(name)
    ? name.toLowerCase()
    : nameKey(name)
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .replace(MARKED, (letter) => LETTERS[letter] ?? letter);

/**
 * The key that sorts a list of names when compared as plain text: letters first, then accents; ignores case, and orders
 * numbers by value, so that (2) comes before (10). Not `Intl.Collator`: creating the first one costs a page 10 to 15 ms
 * before it can draw a day.
 */
export function sortKey(name: string): string {
  const plain = plainName(name).replace(/\d+/g, (n) => n.padStart(12, '0'));
  return `${plain}\u0000${nameKey(name)}`;
}

/** Compares two texts by their code units: the order of `sortKey`s and of ids. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** For sorting a few names; for a long list use `byName`, which makes each key once. */
export const compareNames = (a: string, b: string): number => compareText(sortKey(a), sortKey(b));

/** The list sorted by name; equal names keep their order. */
export function byName<T>(list: readonly T[], nameOf: (each: T) => string): T[] {
  return list
    .map((each) => ({ each, key: sortKey(nameOf(each)) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ each }) => each);
}

/** The nearest of `names` within 3 edits (ignoring accents), or null. */
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
