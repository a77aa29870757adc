import { IGNORE_COLUMN, type ColumnQuestion, type ImportColumns } from '@clinic/contract';
import { tidyText } from '@clinic/domain';
import { changesMeaning } from './column-meaning.ts';
import { columnKey, COLUMNS, headerKey, LONGEST_NAME, namesOf, type Column } from './columns.ts';
import { IMPORT_KINDS, UnreadableFile, type ColumnAnswers, type ImportKind, type RawRow } from '../import-types.ts';

/** What a header means: where each of our columns is, and what to ask about the file's other columns. */
export interface Header {
  /** The position of each column that was found, by our name for the column. */
  readonly found: ReadonlyMap<string, number>;
  readonly columns: ImportColumns;
  /** The position of the column that each question is about. */
  readonly asked: readonly number[];
}

interface Given {
  readonly header: readonly string[];
  readonly keys: readonly string[];
  readonly kind: ImportKind;
  readonly file: string;
  readonly rows: readonly RawRow[];
  readonly answerTo: (key: string) => ReturnType<ColumnAnswers['get']>;
}

/**
 * Finds our columns in a header, first by the answers, then by name. Order, letter case and additional columns do not
 * matter. Throws UnreadableFile when a required column occurs twice, or when so many are missing that the file must be
 * another kind of export.
 */
export function findColumns(
  header: readonly string[],
  rows: readonly RawRow[],
  kind: ImportKind,
  file: string,
  answers: ColumnAnswers = new Map(),
): Header {
  const answerTo = (key: string) => {
    const given = answers.get(columnKey(kind, key));
    const known = given?.answer === IGNORE_COLUMN || COLUMNS[kind].some(({ name }) => name === given?.answer);
    return known ? given : undefined;
  };
  const given: Given = { header, keys: header.map(headerKey), kind, file, rows, answerTo };
  const found = foundIn(given);
  const unknown = unknownIn(given, found);
  const hasValue = (at: number): boolean => rows.some(({ cells }) => (cells[at] ?? '').trim() !== '');
  const filled = rows.length === 0 ? unknown : unknown.filter(hasValue);
  const full = columnsOf(given, found, filled);
  // An empty column is asked about only if it may be one that the file needs.
  const [asked, columns] =
    full.missing.length === 0 || filled.length === unknown.length
      ? [filled, full]
      : [unknown, columnsOf(given, found, unknown)];
  if (columns.missing.length === 0) return { found, columns, asked };
  // A file without some of our columns (up to half of them) may still be an export of this kind, with those columns
  // under unknown names. The user is asked which column is which.
  const other = likelyKind(header, kind);
  const needed = COLUMNS[kind].filter(({ optional, sayable }) => optional !== true && !sayable);
  const alike = columns.missing.length * 2 <= needed.length && columns.questions.length > 0 && other === undefined;
  if (!alike) throw new UnreadableFile(missingText(kind, file, columns.missing, other));
  return { found, columns, asked };
}

/** Returns the position of each of our columns in the header, by our name for it. */
function foundIn({ header, keys, kind, file, answerTo }: Given): Map<string, number> {
  const found = new Map<string, number>();
  for (const [at, key] of keys.entries()) {
    const chosen = answerTo(key)?.answer;
    const ours = COLUMNS[kind].find(({ name }) => name === chosen);
    if (ours && !found.has(ours.name) && keys.indexOf(key) === at) found.set(ours.name, at);
  }
  for (const column of COLUMNS[kind]) {
    if (found.has(column.name) || column.byAnswer) continue;
    const at = findByName(column, header, file, (key) => answerTo(key) === undefined);
    if (at !== null) found.set(column.name, at);
  }
  return found;
}

/** Returns the positions of the columns to ask about, or that an answer was about. */
const unknownIn = ({ keys, answerTo }: Given, found: ReadonlyMap<string, number>): number[] =>
  keys.flatMap((key, at) => {
    const named = answerTo(key) === undefined && [...found.values()].some((used) => keys[used] === key);
    return key === '' || named || keys.indexOf(key) !== at ? [] : [at];
  });

function columnsOf(given: Given, found: ReadonlyMap<string, number>, asked: readonly number[]): ImportColumns {
  const { header, keys, kind, file } = given;
  const filledBy = ({ name }: Column): ImportColumns['ours'][number] => ({
    name,
    column: nameAt(header, found.get(name)),
  });
  const questions = asked.map((at): ColumnQuestion => {
    const key = keys[at] ?? '';
    const answer = given.answerTo(key);
    const names = COLUMNS[kind].filter((column) => namesOf(column).includes(key));
    const twin = names.find(({ name }) => found.has(name) && found.get(name) !== at);
    const like = names.find(({ byAnswer }) => byAnswer);
    const valid = answer && (answer.answer === IGNORE_COLUMN || found.get(answer.answer) === at);
    const cells = given.rows.map((row) => row.cells[at] ?? '');
    const matters =
      like !== undefined || (twin !== undefined && twin.optional !== true) || changesMeaning(kind, key, cells);
    return {
      key: columnKey(kind, key),
      column: nameAt(header, at) ?? '',
      examples: [],
      answer: valid ? answer.answer : null,
      remembered: valid ? answer.remembered : false,
      twin: twin ? filledBy(twin) : null,
      ...(matters ? { matters } : {}),
      ...(like ? { like: like.name } : {}),
    };
  });
  const allKnown = questions.every(({ answer }) => answer !== null);
  const composes = ({ from, unless = '', orAny = [] }: Column) =>
    (from !== undefined && !found.has(unless) && from.every((part) => found.has(part))) ||
    orAny.some((part) => found.has(part));
  const lacking = COLUMNS[kind].filter(
    (column) =>
      column.optional !== true && !(column.optional && allKnown) && !found.has(column.name) && !composes(column),
  );
  return {
    kind,
    file,
    ours: COLUMNS[kind].map(filledBy),
    questions,
    missing: lacking.flatMap(({ name, sayable }) => (sayable ? [] : [name])),
    unsaid: lacking.flatMap(({ name, sayable }) => (sayable ? [name] : [])),
  };
}

const nameAt = (header: readonly string[], at: number | undefined): string | null =>
  at === undefined ? null : tidyText((header[at] ?? '').slice(0, LONGEST_NAME).replace(/\p{Cc}+/gu, ' '));

/** Returns the position of the column that has our name or else one of the other names; null if there is none. */
function findByName(
  column: Column,
  header: readonly string[],
  file: string,
  free: (key: string) => boolean,
): number | null {
  const keys = header.map(headerKey);
  const called = namesOf(column).find((key) => keys.includes(key) && free(key));
  if (called === undefined) return null;
  const at = keys.indexOf(called);
  if (keys.includes(called, at + 1))
    throw new UnreadableFile(`${file} has the column ${nameAt(header, at) ?? column.name} twice: remove one of them.`);
  return at;
}

/** Finds another kind of export whose required columns are all in this header. */
const likelyKind = (header: readonly string[], kind: ImportKind): ImportKind | undefined =>
  IMPORT_KINDS.find(
    (k) =>
      k !== kind &&
      COLUMNS[k].every((c) => c.optional === true || header.some((text) => headerKey(text) === headerKey(c.name))),
  );

function missingText(
  kind: ImportKind,
  file: string,
  missing: readonly string[],
  other: ImportKind | undefined,
): string {
  const hint = other ? ` It looks like an export of ${other}.` : '';
  const article = kind.startsWith('a') ? 'an' : 'a';
  return `${file} does not look like ${article} ${kind.slice(0, -1)} export: it has no column ${missing.join(', ')}.${hint}`;
}
