import { IGNORE_COLUMN, type ImportSummary, type WordsQuestion } from '@clinic/contract';
import { LOSS_SIDES } from '@clinic/domain';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import type { Asking } from './question-section.tsx';
import { WordsQuestions } from './words-questions.tsx';

const asks = ({ kind, text }: WordsQuestion): string =>
  kind === 'cause' ? `Which reason is “${text}”?` : `Who is “${text}”?`;

const NOT_SAID = { id: IGNORE_COLUMN, label: 'No reason yet' };
const SIDES = LOSS_SIDES.map((side) => ({ id: side, label: SIDE_WORDS[side] }));

/**
 * Asks what each unknown word in the file’s cancellation columns means: which cause, or who cancelled. An answer is
 * optional.
 */
export function ImportCauses({
  causes: { questions, choices },
  ...asking
}: Asking & { causes: ImportSummary['causes'] }) {
  return (
    <WordsQuestions
      id="import-causes"
      title="Why sessions were cancelled"
      hint="The sessions are imported either way. Importing remembers your choice for the next file."
      check="Check again with these reasons"
      none="No reason yet (ask again)"
      choicesOf={({ kind }) => [NOT_SAID, ...(kind === 'cause' ? choices : SIDES)]}
      {...{ questions, asks, ...asking }}
    />
  );
}
