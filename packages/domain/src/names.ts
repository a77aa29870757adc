/**
 * How names are stored, compared, made unique and sorted, and which name is suggested for a misspelled name. Every
 * comparison that ignores case uses `nameKey`. The database stores this key and never computes it, because PostgreSQL
 * lower-cases some letters differently from JavaScript (docs/decisions/0080-one-name-key.md).
 */

// A name in plain ASCII needs nothing but lower-casing.
const PLAIN = /^[!-_a-~]+(?: [!-_a-~]+)*$/;

/**
 * Characters that no one can see: zero-width characters, soft hyphens, direction marks, fillers and the like, what word
 * processors leave in place of a picture (U+FFFC), and a musical sign without a shape.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufffc\u{1d159}]/gu;
/** Every kind of space, and the Braille pattern without dots, which looks like a space. */
const SPACE = /[\p{White_Space}\u2800]+/gu;
// The apostrophes and hyphens that keyboards and word processors produce.
const APOSTROPHE = /[`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u2018\u2019\u201b\u2032\uff07]/g;
const HYPHEN = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

/** Prepares text for storage: no invisible characters, single spaces, trimmed, one Unicode form for each accent. */
export const tidyText = (text: string): string =>
  PLAIN.test(text) ? text : text.normalize('NFC').replace(INVISIBLE, '').replace(SPACE, ' ').trim().normalize('NFC');

/**
 * Returns the key for comparing names. Names that differ only in case, Unicode form, invisible characters, spaces, or
 * the kind of apostrophe or hyphen share a key; names with different accents do not.
 */
export function nameKey(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  let key = fold(name);
  // Folding a folded name can change it again; a test shows that folding twice is enough for every character.
  for (let next = fold(key); next !== key; next = fold(key)) key = next;
  return key;
}

/**
 * Folds case, Unicode forms and spaces. Upper-casing before lower-casing makes `ß` equal to `SS`, and `ı` to `I`; the
 * two replacements make `ς` equal to `σ`, and `İ` to `I`.
 */
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

/** An email address as it is stored and compared: in lower case. */
export function emailKey(email: string): string {
  return nameKey(email);
}

/** The first and last name with a space between them. */
export const fullName = (first: string, last: string): string => tidyText(`${first} ${last}`);

/** The name itself, or the name with the first free number: (2), (3) … `taken` holds name keys. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(nameKey(name))) return name;
  for (let n = 2; ; n++) if (!taken.has(nameKey(`${name} (${n})`))) return `${name} (${n})`;
}

/**
 * How many letters must be added, removed, replaced or swapped to turn one string into the other (Damerau-Levenshtein,
 * optimal string alignment). If their lengths differ by more than `most`, returns `most` + 1 without counting.
 */
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

// Letters with a plain form that Unicode normalization does not give.
const LETTERS: Readonly<Record<string, string>> = { æ: 'ae', đ: 'd', ð: 'd', ħ: 'h', ł: 'l', ø: 'o', œ: 'oe', ŧ: 't' };
const MARKED = /[æđðħłøœŧ]/g;

/** A name for searching: without case, accents and strokes. */
export const plainName = (name: string): string =>
  PLAIN.test(name)
    ? name.toLowerCase()
    : nameKey(name)
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
        .replace(MARKED, (letter) => LETTERS[letter] ?? letter);

/**
 * A key for sorting names as plain text: letters first, then accents; ignores case and orders numbers by value, so that
 * (2) comes before (10). This is not `Intl.Collator`, because creating one costs a page 10 to 15 ms before it can
 * render a day.
 */
export function sortKey(name: string): string {
  const plain = plainName(name).replace(/\d+/g, (n) => n.padStart(12, '0'));
  return `${plain}\u0000${nameKey(name)}`;
}

/** Compares two strings by their code units, which is the order of sort keys and ids. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares two names for sorting a short list. For a long list, use `byName`, which computes each key only once. */
export const compareNames = (a: string, b: string): number => compareText(sortKey(a), sortKey(b));

/** How many names' keys are remembered: the people of a large clinic. */
const MOST_REMEMBERED = 5000;
const remembered = new Map<string, string>();

/** Like `sortKey`, but remembers the keys: the same people are sorted again and again. */
function rememberedKey(name: string): string {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const key = sortKey(name);
  remembered.set(name, key);
  return key;
}

/** Returns the list sorted by name; equal names keep their order. */
export function byName<T>(list: readonly T[], nameOf: (each: T) => string): T[] {
  return list
    .map((each) => ({ each, key: rememberedKey(nameOf(each)) }))
    .sort((a, b) => compareText(a.key, b.key))
    .map(({ each }) => each);
}

/** The name nearest to `wanted`, at most 3 edits away and ignoring accents; null when there is none. */
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

/** `Kai’s`, with the apostrophe that pages and workbooks use. */
export const possessive = (name: string): string => (name.endsWith('s') ? `${name}’` : `${name}’s`);

/** With a capital at the beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const joined = (words: readonly string[], last: 'and' | 'or'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((each) => each !== '').join(` ${last} `);

/** Joins names as in a sentence: `Ida, Mo and Zoe`. */
export const listWords = (words: readonly string[]): string => joined(words, 'and');

/** Joins what can be chosen: `BCBA, RBT or BT`. */
export const choiceWords = (words: readonly string[]): string => joined(words, 'or');

/** The first words of a list, and how many more there are: `Ida, Mo, Zoe and 2 more`. */
export const shortList = (words: readonly string[], most: number): string =>
  words.slice(0, most).join(', ') + (words.length > most ? ` and ${words.length - most} more` : '');
