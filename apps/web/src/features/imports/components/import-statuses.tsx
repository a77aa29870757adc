import type { ImportSummary } from '@clinic/contract';
import type { WordsQuestion } from '../model.ts';
import type { Asking } from './question-section.tsx';
import { WordsQuestions } from './words-questions.tsx';

const asks = ({ text }: WordsQuestion): string => `What does the status “${text}” mean?`;

/** Asks what each unknown status in the file means. The rows with a status are left out until it has an answer. */
export function ImportStatuses({
  statuses: { questions, choices },
  ...asking
}: Asking & { statuses: NonNullable<ImportSummary['statuses']> }) {
  return (
    <WordsQuestions
      id="import-statuses"
      title="Unknown statuses"
      hint="Each answer applies to all rows with that status. Importing remembers your choice for the next file."
      check="Check again with these statuses"
      none="Leave out for now (ask again)"
      choicesOf={() => choices}
      {...{ questions, asks, ...asking }}
    />
  );
}
