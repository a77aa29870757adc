import type { ImportSummary } from '@clinic/contract';
import type { WordsQuestion } from '../model.ts';
import type { Asking } from './question-section.tsx';
import { WordsQuestions } from './words-questions.tsx';

const asks = ({ text }: WordsQuestion): string => `Which location is “${text}”?`;

/** Asks which of our locations each unknown one in the files is. The rows with it are left out until it has an answer. */
export function ImportLocations({
  locations: { questions, choices },
  ...asking
}: Asking & { locations: NonNullable<ImportSummary['locations']> }) {
  return (
    <WordsQuestions
      id="import-locations"
      title="Unknown locations"
      hint="Each answer applies to all rows with that location. Importing remembers your choice for the next file."
      check="Check again with these locations"
      none="Leave out for now (ask again)"
      choicesOf={() => choices}
      {...{ questions, asks, ...asking }}
    />
  );
}
