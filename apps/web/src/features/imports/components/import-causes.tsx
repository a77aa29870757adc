import { IGNORE_COLUMN, type ImportSummary } from '@clinic/contract';
import { LOSS_SIDES } from '@clinic/domain';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { PlainSelect } from '../../../shared/ui/field.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { rowsInWords, type CauseQuestion } from '../model.ts';
import css from './imports.module.css';
import { QuestionSection, type Asking } from './question-section.tsx';

const ASK_AGAIN = '';
const asks = ({ kind, text }: CauseQuestion): string =>
  kind === 'cause' ? `Which cause is “${text}”?` : `Who is “${text}”?`;

/**
 * Asks what each unknown word in the file’s cancellation columns means: which cause, or who cancelled. An answer is
 * optional, and applies to all rows with that word.
 */
export function ImportCauses({
  causes: { questions, choices },
  answers,
  busy,
  onAnswer,
  onCheck,
}: Asking & { causes: ImportSummary['causes'] }) {
  if (questions.length === 0) return null;
  const unchecked = questions.some(({ key, answer }) => (answers[key] ?? answer) !== answer);
  const sides = LOSS_SIDES.map((side) => ({ id: side, label: SIDE_WORDS[side] }));
  return (
    <QuestionSection
      id="import-causes"
      title="Why sessions were cancelled"
      hint="The sessions are imported either way. Importing remembers your choice for the next file."
      check="Check again with these causes"
      {...{ unchecked, busy, onCheck }}
    >
      <ul className={css.questions}>
        {questions.map((question) => (
          <li key={question.key}>
            <span>
              <b>{asks(question)}</b> {question.remembered ? <Chip>Remembered</Chip> : null}
              <span className="muted"> {rowsInWords(question.rows)}</span>
            </span>
            <PlainSelect
              aria-label={asks(question)}
              value={answers[question.key] ?? question.answer ?? ASK_AGAIN}
              onChange={({ target }) => onAnswer(question.key, target.value === ASK_AGAIN ? null : target.value)}
            >
              {question.answer === null ? <option value={ASK_AGAIN}>Not said (ask again)</option> : null}
              <option value={IGNORE_COLUMN}>Not said</option>
              {(question.kind === 'cause' ? choices : sides).map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </PlainSelect>
          </li>
        ))}
      </ul>
    </QuestionSection>
  );
}
