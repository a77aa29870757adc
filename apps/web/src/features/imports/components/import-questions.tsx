import { MOST_QUESTIONS, type ImportSummary } from '@clinic/contract';
import { locationLabel } from '@clinic/domain';
import { Button } from '../../../shared/ui/button.tsx';
import { PlainSelect } from '../../../shared/ui/field.tsx';
import { rowsInWords, type Answers, type Question } from '../model.ts';
import css from './imports.module.css';

const LEAVE_OUT = '';

const asks = ({ kind, name, choices }: Question): string =>
  choices.length > 1 ? `Which ${name}?` : `There is no ${kind} ${name}`;

function countWords(count: number): string {
  if (count === MOST_QUESTIONS) return `The ${count} questions with most rows`;
  return count === 1 ? '1 question' : `${count} questions`;
}

/** Questions whose answer decides about many rows. An answer counts from the next check on, and in the import. */
export function ImportQuestions({
  questions,
  answers,
  busy,
  onAnswer,
  onCheck,
}: {
  questions: ImportSummary['questions'];
  answers: Answers;
  busy: boolean;
  onAnswer: (key: string, id: string | null) => void;
  onCheck: () => void;
}) {
  if (questions.length === 0) return null;
  const unchecked = questions.some(({ key, answer }) => (answers[key] ?? null) !== answer);
  return (
    <section className={css.rows} aria-labelledby="import-questions">
      <div className={css.head}>
        <h2 id="import-questions">{countWords(questions.length)}</h2>
        <p className="small muted">One answer decides about all rows of a question.</p>
        {unchecked ? (
          <Button variant="primary" unavailable={busy} onClick={onCheck}>
            Check with these answers
          </Button>
        ) : null}
      </div>
      <ul className={css.questions}>
        {questions.map((question) => (
          <li key={question.key}>
            <span>
              <b>{asks(question)}</b>{' '}
              <span className="muted">
                {locationLabel(question.location)}, {rowsInWords(question.rows)}
              </span>
            </span>
            {question.choices.length === 0 ? (
              <span className="small muted">Add this person first, or correct the name in the file.</span>
            ) : (
              <PlainSelect
                aria-label={`${asks(question)} ${locationLabel(question.location)}`}
                value={answers[question.key] ?? LEAVE_OUT}
                onChange={({ target }) => onAnswer(question.key, target.value === LEAVE_OUT ? null : target.value)}
              >
                <option value={LEAVE_OUT}>Leave these rows out</option>
                {question.choices.map(({ id, name, location }) => (
                  <option key={id} value={id}>
                    {name} ({id}, {locationLabel(location)})
                  </option>
                ))}
              </PlainSelect>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
