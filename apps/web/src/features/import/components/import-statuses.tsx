import { wordsOf, type AskedWords } from '@clinic/contract';
import type { Asking } from './question-section.tsx';
import { WordsQuestions } from './words-questions.tsx';

/** Asks what each unknown status in the file means, or which status all rows of a file without statuses have. */
export function ImportStatuses({ statuses: { questions, choices }, ...asking }: Asking & { statuses: AskedWords }) {
  return (
    <WordsQuestions
      id="import-statuses"
      title="Unknown statuses"
      hint="Each answer applies to all rows with that status. Importing remembers your choice for the next file."
      check="Check again with these statuses"
      choicesOf={() => choices}
      asks={wordsOf}
      {...{ questions, ...asking }}
    />
  );
}
