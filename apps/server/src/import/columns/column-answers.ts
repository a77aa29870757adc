import * as z from 'zod/mini';
import { IGNORE_COLUMN, type ColumnQuestion, type ImportColumns, type WordsQuestion } from '@clinic/contract';
import { columnKey } from './columns.ts';
import {
  IMPORT_KINDS,
  type Answers,
  type ColumnAnswers,
  type DatesQuestion,
  type ImportKind,
  type Question,
} from '../import-types.ts';

/**
 * The answers in the form in which the `import_answer` table stores them. All answers about words and names have the kind
 * `causes`, because an older server refuses to read a kind that it does not know.
 */
const rememberedSchema = z.array(
  z.object({ kind: z.enum([...IMPORT_KINDS, 'causes']), key: z.string(), answer: z.string() }),
);

/**
 * Returns all answers about columns. Answers sent with the files override remembered ones.
 * @param remembered the answers stored by earlier imports, as `ImportStore.read('columns')` returns them
 */
export function answersAbout(remembered: string, answers: Answers): ColumnAnswers {
  const known = new Map<string, { answer: string; remembered: boolean }>();
  for (const { kind, key, answer } of rememberedSchema.parse(JSON.parse(remembered)))
    known.set(questionKey(kind, key), { answer, remembered: true });
  for (const [key, answer] of Object.entries(answers))
    if (known.get(key)?.answer !== answer) known.set(key, { answer, remembered: false });
  return known;
}

/** What the key of a stored answer about a name begins with. */
const NAME = 'name ';

function questionKey(kind: ImportKind | 'causes', key: string): string {
  if (kind !== 'causes') return columnKey(kind, key);
  return key.startsWith(NAME) ? key.slice(NAME.length) : `cause ${key}`;
}

/** The longest key and the longest answer that the table stores. */
const LONGEST = { key: 400, answer: 60 };

/**
 * Makes the key of the answer that says which status, location, cause or side (such as family or clinic) a cell's words
 * mean, or how a column's dates are written.
 */
export const wordsKey = (kind: WordsQuestion['kind'], key: string): string => `cause ${kind} ${key}`;

/**
 * Returns the answers to keep for later imports, as rows of `import_answer`. What was said of one file, or leaves dates
 * out, is not kept.
 */
export function answersToRemember(
  files: readonly ImportColumns[],
  words: readonly WordsQuestion[],
  dates: readonly DatesQuestion[],
  names: readonly Question[],
): Record<'kind' | 'column_key' | 'answer', string>[] {
  const rowOf = (
    kind: ImportKind | 'causes',
    before: string,
    { key, answer, remembered }: Pick<ColumnQuestion, 'key' | 'answer' | 'remembered'>,
  ) => (answer === null || remembered ? [] : [{ kind, column_key: key.slice(before.length), answer }]);
  return [
    ...files.flatMap(({ kind, questions }) => questions.flatMap((each) => rowOf(kind, columnKey(kind, ''), each))),
    ...words.flatMap((each) => (each.file === undefined ? rowOf('causes', 'cause ', each) : [])),
    ...dates.flatMap((each) =>
      each.answer === IGNORE_COLUMN ? [] : each.keys.flatMap((key) => rowOf('causes', 'cause ', { ...each, key })),
    ),
    ...names.flatMap(({ key, keep }) => {
      const column_key = `${NAME}${key}`;
      const fits = column_key.length <= LONGEST.key && (keep?.length ?? 0) <= LONGEST.answer;
      return keep !== null && fits ? [{ kind: 'causes', column_key, answer: keep }] : [];
    }),
  ];
}
