import { IGNORE_COLUMN, type WordsQuestion } from '@clinic/contract';
import { nameKey } from '@clinic/domain';
import { wordsKey } from './column-answers.ts';
import { tidy } from '../rows/fields.ts';
import type { ColumnAnswers, ImportKind, SourceTable } from '../import-types.ts';

const LONGEST_WORDS = 100;
const shorten = (text: string): string => tidy(text).slice(0, LONGEST_WORDS);

/** Reduces words to letters and digits for comparison: *No-Show* and *no show* have the same key. */
export const keyOfWords = (text: string): string => nameKey(shorten(text)).replace(/[^\p{L}\p{N}]/gu, '');

/** The questions about unknown words in an export: one for all the rows that contain the words. */
export class UnknownWords {
  readonly #answers: ColumnAnswers;
  readonly #questions = new Map<string, WordsQuestion>();

  constructor(answers: ColumnAnswers) {
    this.#answers = answers;
  }

  get questions(): readonly WordsQuestion[] {
    return [...this.#questions.values()];
  }

  /**
   * Asks about a row's unknown words.
   * @param choices the valid answers besides `IGNORE_COLUMN`
   * @returns the answer, if there is a valid one
   */
  ask(kind: WordsQuestion['kind'], given: string, choices: ReadonlySet<string>): string | null {
    const text = shorten(given);
    return this.#ask({ kind, text }, wordsKey(kind, keyOfWords(text) || text), choices);
  }

  /** Asks what holds for all rows of a file that does not say it. Another file is asked about again. */
  askOfFile(
    kind: WordsQuestion['kind'],
    of: ImportKind,
    { file, rows }: Pick<SourceTable, 'file' | 'rows'>,
    choices: ReadonlySet<string>,
  ): string | null {
    return this.#ask({ kind, text: '', file }, wordsKey(kind, `of file ${of} ${file}`), choices, rows.length);
  }

  #ask(
    what: Pick<WordsQuestion, 'kind' | 'text' | 'file'>,
    key: string,
    choices: ReadonlySet<string>,
    rows = 1,
  ): string | null {
    const found = this.#answers.get(key);
    const valid = found !== undefined && (found.answer === IGNORE_COLUMN || choices.has(found.answer));
    const answer = valid ? found.answer : null;
    const question = this.#questions.get(key);
    if (question) question.rows++;
    else this.#questions.set(key, { ...what, key, rows, answer, remembered: valid && found.remembered });
    return answer;
  }
}
