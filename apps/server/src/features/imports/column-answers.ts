import * as z from 'zod/mini';
import { columnKey } from './columns.ts';
import { IMPORT_KINDS, type Answers, type ColumnAnswers, type FileColumns } from './import-types.ts';

/** Answers as `import_answer` has them. */
const rememberedSchema = z.array(z.object({ kind: z.enum(IMPORT_KINDS), key: z.string(), answer: z.string() }));

/**
 * What is known of columns: what was answered with the files wins over what earlier imports were told.
 * @param remembered what `ImportStore.read('columns')` returns
 */
export function answersAbout(remembered: string, answers: Answers): ColumnAnswers {
  const known = new Map<string, { answer: string; remembered: boolean }>();
  for (const { kind, key, answer } of rememberedSchema.parse(JSON.parse(remembered)))
    known.set(columnKey(kind, key), { answer, remembered: true });
  for (const [key, answer] of Object.entries(answers))
    if (known.get(key)?.answer !== answer) known.set(key, { answer, remembered: false });
  return known;
}

/** The answers about columns of these files that later imports are to know, as rows of `import_answer`. */
export function answersToRemember(files: readonly FileColumns[]): Record<'kind' | 'column_key' | 'answer', string>[] {
  return files.flatMap(({ kind, questions }) =>
    questions.flatMap(({ key, answer, remembered }) =>
      answer === null || remembered ? [] : [{ kind, column_key: key.slice(columnKey(kind, '').length), answer }],
    ),
  );
}
