import { listWords } from '@clinic/domain';
import {
  IGNORE_COLUMN,
  type AskedWords,
  type ImportColumns,
  type ImportSummary,
  type WordsQuestion,
} from './import.ts';

/** A question that changes what rows of an import mean, without an answer yet. */
export interface OpenQuestion {
  /** The key to send with the answer. */
  readonly key: string;
  readonly words: string;
  /** How many rows wait for the answer; null for all rows of a file. */
  readonly rows: number | null;
  /** The answers to choose from, besides `IGNORE_COLUMN`. */
  readonly choices: readonly string[];
}

/** What an import asks about, in its summary. */
type Asked = Readonly<Pick<ImportSummary, 'statuses' | 'locations' | 'dates'>> & {
  readonly columns: readonly ImportColumns[];
};

/**
 * The questions for which an import waits: all those that change what rows mean. It does not wait for names of people and
 * places, whose rows are left out until someone says who or where that is, nor for columns that are not ours.
 */
export function openQuestions({ columns, statuses, locations, dates }: Asked): OpenQuestion[] {
  return [...ofWords(dates), ...columns.flatMap(ofColumns), ...ofWords(locations), ...ofWords(statuses)];
}

const ofWords = ({ questions, choices }: AskedWords): OpenQuestion[] =>
  questions
    .filter((each) => each.answer === null && waitsFor(each))
    .map((each) => ({
      key: each.key,
      words: wordsOf(each),
      rows: each.rows,
      choices: choices.flatMap(({ id }) => (id === IGNORE_COLUMN ? [] : [id])),
    }));

const ofColumns = ({ file, ours, questions }: ImportColumns): OpenQuestion[] =>
  questions
    .filter(({ answer, matters }) => answer === null && matters)
    .map(({ key, column, examples, like }) => ({
      key,
      words: `What does the column “${column}” of ${file} hold${examples.length === 0 ? '' : ` (for example ${examples.join(', ')})`}?`,
      rows: null,
      choices: [...ours].sort((a, b) => Number(b.name === like) - Number(a.name === like)).map(({ name }) => name),
    }));

/** Whether an import waits for the answer to a question about words, dates or a whole file. */
export const waitsFor = ({ kind, text }: Pick<WordsQuestion, 'kind' | 'text'>): boolean =>
  kind === 'dates' || kind === 'status' || (kind === 'location' && text === '');

/** A question about words, or about a whole file, as the page and the command line ask it. */
export function wordsOf(question: WordsQuestion): string {
  const { kind, text, file = '' } = question;
  if (kind === 'dates') return `${DATES_QUESTION} ${datesAskedAbout(question)}.`;
  if (kind === 'location')
    return text === '' ? `Which location are all rows of ${file} from?` : `Which location is “${text}”?`;
  return text === '' ? `Which status do all rows of ${file} have?` : `What does the status “${text}” mean?`;
}

export const DATES_QUESTION = 'Are these dates day first (14/12/2026) or month first?';

/** Which columns, and which dates, a question about dates is about. */
export const datesAskedAbout = ({ text, file = '', examples = [] }: WordsQuestion): string =>
  `${text} in ${file}, for example ${listWords(examples)}`;
