import { waitsFor, type WordsQuestion } from '@clinic/contract';
import { PlainSelect } from '../../../shared/ui/field.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { rowsInWords } from '../model.ts';
import css from './imports.module.css';
import { QuestionSection, type Asking } from './question-section.tsx';

const NO_ANSWER = '';

interface Choice {
  id: string;
  label: string;
}

/** Asks what unknown words mean. An answer applies to all rows with the words. */
export function WordsQuestions({
  questions,
  asks,
  about = () => '',
  choicesOf,
  none,
  answers,
  onAnswer,
  ...section
}: Asking & {
  questions: readonly WordsQuestion[];
  id: string;
  title: string;
  hint: string;
  check: string;
  asks: (question: WordsQuestion) => string;
  /** What the question is about, behind it. */
  about?: (question: WordsQuestion) => string;
  choicesOf: (question: WordsQuestion) => readonly Choice[];
  /** The label for no answer, if the import does not wait for one. */
  none?: string;
}) {
  if (questions.length === 0) return null;
  const unchecked = questions.some(({ key, answer }) => (answers[key] ?? answer) !== answer);
  return (
    <QuestionSection {...section} unchecked={unchecked}>
      <ul className={css.questions}>
        {questions.map((question) => (
          <li key={question.key}>
            <span>
              <b>{asks(question)}</b> {question.remembered ? <Chip>Remembered</Chip> : null}
              <span className="muted"> {[about(question), rowsInWords(question.rows)].filter(Boolean).join(', ')}</span>
            </span>
            <PlainSelect
              aria-label={`${asks(question)} ${about(question)}`.trim()}
              data-open={(waitsFor(question) && (answers[question.key] ?? question.answer) === null) || undefined}
              value={answers[question.key] ?? question.answer ?? NO_ANSWER}
              onChange={({ target }) => onAnswer(question.key, target.value === NO_ANSWER ? null : target.value)}
            >
              {question.answer === null ? (
                <option value={NO_ANSWER}>{waitsFor(question) ? 'Choose an answer' : none}</option>
              ) : null}
              {choicesOf(question).map(({ id, label }) => (
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
