import { wordsOf, type AskedWords } from '@clinic/contract';
import type { Asking } from './question-section.tsx';
import { WordsQuestions } from './words-questions.tsx';

/** Asks which of our locations each unknown one in the files is, or where all rows of a file without locations belong. */
export function ImportLocations({ locations: { questions, choices }, ...asking }: Asking & { locations: AskedWords }) {
  return (
    <WordsQuestions
      id="import-locations"
      title="Unknown locations"
      hint="Each answer applies to all rows with that location. Importing remembers your choice for the next file."
      check="Check again with these locations"
      none="Leave out for now (ask again)"
      choicesOf={() => choices}
      asks={wordsOf}
      {...{ questions, ...asking }}
    />
  );
}
