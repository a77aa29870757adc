import { DATES_QUESTION, datesAskedAbout, type AskedWords } from '@clinic/contract';
import { orderInWords } from '../model.ts';
import type { Asking } from './question-section.tsx';
import { WordsQuestions } from './words-questions.tsx';

/** Asks whether the dates of a file's columns are day first or month first. */
export function ImportDates({ dates: { questions, choices }, ...asking }: Asking & { dates: AskedWords }) {
  return (
    <WordsQuestions
      id="import-dates"
      title="Day or month first"
      hint="One answer applies to all dates of these columns. Importing remembers your choice for the next file."
      check="Check again with these dates"
      choicesOf={({ examples = [] }) =>
        choices.map(({ id, label }) => ({ id, label: orderInWords(id, examples) ?? label }))
      }
      asks={() => DATES_QUESTION}
      about={datesAskedAbout}
      {...{ questions, ...asking }}
    />
  );
}
