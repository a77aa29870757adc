import { IGNORE_COLUMN, MOST_QUESTIONS, type ImportSummary } from '@clinic/contract';
import { locationLabel } from '@clinic/domain';
import { PlainSelect } from '../../../shared/ui/field.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { rowsInWords, type Question } from '../model.ts';
import css from './imports.module.css';
import { QuestionSection, type Asking } from './question-section.tsx';

const asks = ({ kind, name, choices }: Question): string =>
  choices.length > 1 ? `Which ${name}?` : `There is no ${kind} ${name}`;

function countWords(count: number): string {
  if (count === MOST_QUESTIONS) return `The ${count} questions that affect the most rows`;
  return count === 1 ? '1 question' : `${count} questions`;
}

/** Asks about names that match no one or several people. One answer applies to all rows with that name. */
export function ImportQuestions({
  questions,
  answers,
  busy,
  onAnswer,
  onCheck,
}: Asking & { questions: ImportSummary['questions'] }) {
  if (questions.length === 0) return null;
  const chosen = ({ key, answer }: Question): string => answers[key] ?? answer ?? IGNORE_COLUMN;
  const unchecked = questions.some((question) => chosen(question) !== (question.answer ?? IGNORE_COLUMN));
  return (
    <QuestionSection
      id="import-questions"
      title={countWords(questions.length)}
      hint="Each answer applies to all rows with that name. Importing remembers the answers about names that no one has."
      check="Check again with these answers"
      {...{ unchecked, busy, onCheck }}
    >
      <ul className={css.questions}>
        {questions.map((question) => (
          <li key={question.key}>
            <span>
              <b>{asks(question)}</b> {question.remembered === true ? <Chip>Remembered</Chip> : null}{' '}
              <span className="muted">
                {locationLabel(question.location)}, {rowsInWords(question.rows)}
              </span>
            </span>
            {question.choices.length === 0 ? (
              <span className="small muted">Add this person first, or correct the name in the file.</span>
            ) : (
              <PlainSelect
                aria-label={`${asks(question)} ${locationLabel(question.location)}`}
                value={chosen(question)}
                onChange={({ target }) => onAnswer(question.key, target.value)}
              >
                <option value={IGNORE_COLUMN}>Leave these rows out</option>
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
    </QuestionSection>
  );
}
