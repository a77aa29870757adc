import { IGNORE_COLUMN, MOST_QUESTIONS, type ImportSummary, type NameQuestion } from '@clinic/contract';
import { locationLabel } from '@clinic/domain';
import { Options } from '../../../shared/ui/field.tsx';
import { PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { namesTitle, rowsInWords } from '../model.ts';
import css from './imports.module.css';
import { QuestionSection, type Asking } from './question-section.tsx';

const asks = ({ kind, name, choices }: NameQuestion): string =>
  choices.length > 1 ? `Which ${name}?` : `There is no ${kind} ${name}`;

/**
 * Asks about names that several people have, or that are nearly someone's. One answer applies to all rows with that name.
 * Names like no one's are only listed.
 */
export function ImportQuestions({
  questions,
  answers,
  busy,
  onAnswer,
  onCheck,
}: Asking & { questions: ImportSummary['questions'] }) {
  if (questions.length === 0) return null;
  const asked = questions.filter(({ choices }) => choices.length > 0);
  const chosen = ({ key, answer }: NameQuestion): string => answers[key] ?? answer ?? IGNORE_COLUMN;
  const unchecked = questions.some((question) => chosen(question) !== (question.answer ?? IGNORE_COLUMN));
  return (
    <QuestionSection
      id="import-questions"
      title={namesTitle(questions)}
      hint={
        asked.length === 0
          ? ''
          : 'Each answer applies to all rows with that name. Importing remembers the answers about names that no one has.'
      }
      check="Check again with these answers"
      {...{ unchecked, busy, onCheck }}
    >
      <ul className={css.questions}>
        {asked.map((question) => (
          <li key={question.key}>
            <span>
              <b>{asks(question)}</b> {question.remembered === true ? <Chip>Remembered</Chip> : null}{' '}
              <span className="muted">
                {locationLabel(question.location)}, {rowsInWords(question.rows)}
              </span>
            </span>
            <PlainSelect
              aria-label={`${asks(question)} ${locationLabel(question.location)}`}
              value={chosen(question)}
              onChange={({ target }) => onAnswer(question.key, target.value)}
            >
              <option value={IGNORE_COLUMN}>Leave these rows out</option>
              <Options
                of={question.choices.map(({ id, name, location }) => [
                  id,
                  `${name} (${id}, ${locationLabel(location)})`,
                ])}
              />
            </PlainSelect>
          </li>
        ))}
      </ul>
      {(['client', 'therapist'] as const).map((kind) => (
        <Strangers key={kind} kind={kind} questions={questions} />
      ))}
    </QuestionSection>
  );
}

/** Lists the names of one kind that are like no one's. */
function Strangers({ kind, questions }: { kind: NameQuestion['kind']; questions: readonly NameQuestion[] }) {
  const names = questions.filter((each) => each.kind === kind && each.choices.length === 0);
  if (names.length === 0) return null;
  return (
    <p>
      {`Add ${kind === 'client' ? 'these children' : 'these therapists'} first, or correct their names in the file: `}
      {names.map(({ name, location, rows }) => `${name} (${locationLabel(location)}, ${rowsInWords(rows)})`).join(', ')}
      {questions.length === MOST_QUESTIONS ? ', and perhaps others' : ''}.
    </p>
  );
}
