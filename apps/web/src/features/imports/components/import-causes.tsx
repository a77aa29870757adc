import { IGNORE_COLUMN, type ImportSummary } from '@clinic/contract';
import { LOSS_SIDES } from '@clinic/domain';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { PlainSelect } from '../../../shared/ui/field.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { rowsInWords, type Answers, type CauseQuestion } from '../model.ts';
import css from './imports.module.css';

const ASK_AGAIN = '';
const asks = ({ kind, text }: CauseQuestion): string =>
  kind === 'cause' ? `Which cause is “${text}”?` : `Who is “${text}”?`;

/** Texts for why, or by whom, sessions were cancelled: each is one question for all its rows, and never a must. */
export function ImportCauses({
  causes: { questions, choices },
  answers,
  busy,
  onAnswer,
  onCheck,
}: {
  causes: ImportSummary['causes'];
  answers: Answers;
  busy: boolean;
  onAnswer: (key: string, answer: string | null) => void;
  onCheck: () => void;
}) {
  if (questions.length === 0) return null;
  const unchecked = questions.some(({ key, answer }) => (answers[key] ?? answer) !== answer);
  const sides = LOSS_SIDES.map((side) => ({ id: side, label: SIDE_WORDS[side] }));
  return (
    <section className={css.rows} aria-labelledby="import-causes">
      <div className={css.head}>
        <h2 id="import-causes">Why sessions were cancelled</h2>
        <p className="small muted">
          The sessions are imported either way. Importing remembers your choice for the next file.
        </p>
        {unchecked ? (
          <Button variant="primary" unavailable={busy} onClick={onCheck}>
            Check with these causes
          </Button>
        ) : null}
      </div>
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
    </section>
  );
}
