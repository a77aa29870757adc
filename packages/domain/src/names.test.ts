import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  byName,
  choiceWords,
  compareNames,
  editDistance,
  fullName,
  nameKey,
  plainName,
  suggestName,
  tidyText,
  uniqueName,
  shortList,
} from './names.ts';

test('names are compared regardless of case, surrounding or doubled spaces, and Unicode form', () => {
  expect(nameKey('  Ana   RUIZ ')).toBe('ana ruiz');
  expect(nameKey('Jose\u0301 Nun\u0303ez')).toBe(nameKey('JOS\u00c9 NU\u00d1EZ'));
  expect(nameKey('José')).not.toBe(nameKey('Jose'));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => void expect(nameKey(nameKey(name))).toBe(nameKey(name))),
  );
});

test.each([
  ['İpek', 'ipek', 'IPEK', 'ıpek'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'οδυσσευσ'],
  ['Straße', 'STRASSE', 'strasse'],
  ["O'Brien", 'O’Brien', 'O‘Brien', 'OʼBrien', 'O´Brien', 'O`Brien', '\uff2f\uff07\uff22rien'],
  ['Ana-Maria', 'Ana‐Maria', 'Ana‑Maria', 'Ana–Maria', 'Ana−Maria'],
  [
    'Maria Zero',
    'Ma\u200bria Zero',
    'Ma\u00adria Zero',
    '\u202eMaria Zero\u202c',
    'Maria\u00a0Zero',
    'Maria\u2003 Zero',
  ],
  ['Maria Zero', 'Ma\u034fria Zero', 'Maria\ufe0f Zero', 'Maria\u3164 Zero', 'Maria\u{e0041} Zero', 'Maria\u2800Zero'],
])('%s is the same name in all of its spellings', (name, ...others) => {
  for (const other of others) expect(nameKey(other), other).toBe(nameKey(name));
});

const NOTHING = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\ufffc\u{1d159}]$/u;

/** Every assigned Unicode character, and the code points reserved for invisible characters. */
function* everyCharacter(): Generator<string> {
  for (let code = 0; code < 0x110000; code++) {
    const c = String.fromCodePoint(code);
    if (!/^[\p{Cs}\p{Cn}\p{Co}]$/u.test(c) || NOTHING.test(c)) yield c;
  }
}
const codeOf = (c: string): string => `U+${c.codePointAt(0)?.toString(16)}`;

test('every character has the same key in all its forms, and the key of a key is the key itself', () => {
  const wrong: string[] = [];
  for (const c of everyCharacter()) {
    for (const word of /\p{M}/u.test(c) ? [`a${c}b`, `I${c}\u0307`, `Σ${c}`] : [`a${c}b`]) {
      const key = nameKey(word);
      const kept = tidyText(word);
      const forms = [key, kept, kept.toUpperCase(), kept.toLowerCase(), word.normalize('NFD')];
      if (forms.some((form) => nameKey(form) !== key)) wrong.push(codeOf(c));
    }
  }
  expect(wrong).toEqual([]);
}, 60_000);

test('invisible characters are removed, so a name with them equals the name without them', () => {
  const wrong: string[] = [];
  for (const c of everyCharacter()) {
    const invisible = NOTHING.test(c);
    const space = /^[\p{White_Space}\p{Zs}\u2800]$/u.test(c);
    const kept = tidyText(`${c}An${c}a${c}`);
    const asExpected = invisible ? kept === 'Ana' : space ? kept === 'An a' : kept.length > 3;
    const again = tidyText(kept) === kept;
    const oneName = !(invisible || space) || nameKey(`An${c}a`) === nameKey(invisible ? 'Ana' : 'An a');
    if (!asExpected || !again || !oneName) wrong.push(codeOf(c));
  }
  expect(wrong).toEqual([]);
}, 60_000);

test('names are sorted regardless of accents and case, and by the value of numbers in them', () => {
  expect(['Zoë Li', 'maria Lopez (10)', 'Maria López (2)', 'ana Ruiz', 'Ana'].sort(compareNames)).toEqual([
    'Ana',
    'ana Ruiz',
    'Maria López (2)',
    'maria Lopez (10)',
    'Zoë Li',
  ]);
  const intl = new Intl.Collator('en', { sensitivity: 'accent', numeric: true });
  const parts = fc.constantFrom('Ana', 'ana', 'é', 'E', 'b', 'Zoe\u0301', ' b', ' 1', '2', '10', '02', '7a');
  const names = fc.array(parts, { minLength: 1, maxLength: 5 }).map((list) => list.join(''));
  fc.assert(
    fc.property(names, names, (a, b) => {
      const order = Math.sign(intl.compare(a.trim(), b.trim()));
      // Names that differ only in the zeros before a number (Ana2 and Ana02) have a fixed order here, but none there.
      if (order !== 0) expect(Math.sign(compareNames(a, b)), `${a} | ${b}`).toBe(order);
    }),
  );
});

test('names sort by their letters: Óscar after Olive, Łukasz among the Ls, and by accents only if all letters are the same', () => {
  const sorted = ['Łukasz', 'Zoë', 'Óscar', 'Olive', 'Oscar', 'Ærin', 'Lucas', 'Mia', 'Adam', 'Oslo'].sort(
    compareNames,
  );
  expect(sorted).toEqual(['Adam', 'Ærin', 'Lucas', 'Łukasz', 'Mia', 'Olive', 'Oscar', 'Óscar', 'Oslo', 'Zoë']);
  const people = sorted.map((name, id) => ({ name, id }));
  expect(byName(people.toReversed(), (person) => person.name)).toEqual(people);
  expect(plainName('Łukasz Øst')).toBe('lukasz ost');
});

test('given more names than are remembered, byName sorts them like compareNames, also the second time', () => {
  const names = Array.from({ length: 5500 }, (_, n) => `${n % 2 ? 'Zoë' : 'ana'} (${(n * 7919) % 5500})`);
  const sorted = names.toSorted(compareNames);
  expect([byName(names, String), byName(sorted.toReversed(), String)]).toEqual([sorted, sorted]);
});

test('the shortcut for plain names gives the same results as the full comparison', () => {
  const parts = fc.constantFrom('Ana', "O'Brien", ' ', '  ', '\t', '\u00a0', 'e\u0301', 'É', '~', '!', '`');
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 6 }), (list) => {
      const name = list.join('');
      // The invisible character forces the slow path for every name.
      expect(nameKey(name)).toBe(nameKey(`${name}\u200b`));
      expect(tidyText(name)).toBe(tidyText(`${name}\u200b`));
      expect(compareNames(name, `${name}\u200b`)).toBe(0);
    }),
  );
});

test('a full name has one space between its words and none around it', () => {
  expect(fullName(' Maria  Elena', 'Lopez ')).toBe('Maria Elena Lopez');
});

test('the second person with a name gets (2), the third gets (3), and the first free number is used', () => {
  const taken = new Set<string>();
  const given = ['Maria Lopez', 'maria lopez', 'Maria  Lopez', 'Ana Ruiz'].map((name) => {
    const unique = uniqueName(name, taken);
    taken.add(nameKey(unique));
    return unique;
  });
  expect(given).toEqual(['Maria Lopez', 'maria lopez (2)', 'Maria  Lopez (3)', 'Ana Ruiz']);
  expect(uniqueName('Maria Lopez', new Set(['maria lopez', 'maria lopez (3)']))).toBe('Maria Lopez (2)');
});

test('people who share a name are all shown differently, however many they are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('Bo Lee', 'bo lee', 'Bo Lee (2)', 'BO LEE (2) (2)', 'Mo Diaz'), { maxLength: 20 }),
      (names) => {
        const taken = new Set<string>();
        for (const name of names) taken.add(nameKey(uniqueName(name, taken)));
        expect(taken.size).toBe(names.length);
      },
    ),
  );
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });

test('the edit distance equals the smallest number of single edits, found by brute force', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      const exact = fewestEdits(a, b);
      const found = editDistance(a, b, 3);
      if (Math.abs(a.length - b.length) > 3) expect(found).toBe(4);
      else expect(found).toBe(exact);
      expect(editDistance(b, a, 3)).toBe(found);
    }),
    { numRuns: 300 },
  );
});

test('the nearest name within three edits is suggested, ignoring accents; a more distant name is not', () => {
  const names = ['Ana Ruiz', 'Kai Wood', 'Anna Ruizo', 'José Núñez'];
  expect(suggestName('Ana Ruis', names)).toBe('Ana Ruiz');
  expect(suggestName('ANA RIUZ', names)).toBe('Ana Ruiz');
  expect(suggestName('jose nunez', names)).toBe('José Núñez');
  expect(suggestName('Bartholomew Finch', names)).toBeNull();
  expect(suggestName('Ana Ruis', [])).toBeNull();
});

/** Optimal string alignment, straight from its recurrence without a table: shares nothing with the code under test. */
function fewestEdits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const same = a.at(-1) === b.at(-1) ? 0 : 1;
  const ways = [
    fewestEdits(a.slice(0, -1), b) + 1,
    fewestEdits(a, b.slice(0, -1)) + 1,
    fewestEdits(a.slice(0, -1), b.slice(0, -1)) + same,
  ];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    ways.push(fewestEdits(a.slice(0, -2), b.slice(0, -2)) + 1);
  }
  return Math.min(...ways);
}

test.each([
  [[], ''],
  [['Ida'], 'Ida'],
  [['Ida', 'Mo', 'Zoe'], 'Ida, Mo, Zoe'],
  [['Ida', 'Mo', 'Zoe', 'Bo', 'Cal'], 'Ida, Mo, Zoe and 2 more'],
])('given %j, the first three names are listed and the rest are counted', (names, words) => {
  expect(shortList(names, 3)).toBe(words);
});

test.each([
  [[], ''],
  [['BCBA'], 'BCBA'],
  [['BCBA', 'RBT', 'BT'], 'BCBA, RBT or BT'],
])('given the choices %j, they are joined with “or”', (choices, words) => {
  expect(choiceWords(choices)).toBe(words);
});
