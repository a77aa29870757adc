import {
  DATES_QUESTION,
  IGNORE_COLUMN,
  datesAskedAbout,
  waitsFor,
  wordsOf,
  type ImportSummary,
  type WordsQuestion,
} from '@clinic/contract';
import { LOSS_SIDES } from '@clinic/domain';
import { SIDE_WORDS } from '../../../shared/causes/model.ts';
import { Options } from '../../../shared/ui/field.tsx';
import { PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { orderInWords, rowsInWords } from '../model.ts';
import css from './imports.module.css';
import { QuestionSection, type Asking } from './question-section.tsx';

const NO_ANSWER = '';

interface Choice {
  readonly id: string;
  readonly label: string;
}

/** How words of one kind are asked about. */
interface Kind {
  readonly title: string;
  readonly hint: string;
  /** What the button checks again with. */
  readonly check: string;
  readonly asks: (question: WordsQuestion) => string;
  /** What the question is about, behind it. */
  readonly about?: (question: WordsQuestion) => string;
  readonly choicesOf: (question: WordsQuestion, choices: readonly Choice[]) => readonly Choice[];
  /** The label for no answer, if the import does not wait for one. */
  readonly none?: string;
}

const REMEMBERED = 'Importing remembers your choice for the next file.';
const NOT_SAID = { id: IGNORE_COLUMN, label: 'No reason yet' };
const SIDES = LOSS_SIDES.map((side) => ({ id: side, label: SIDE_WORDS[side] }));

const KINDS: Readonly<Record<'dates' | 'locations' | 'statuses' | 'causes', Kind>> = {
  dates: {
    title: 'Day or month first',
    hint: `One answer applies to all dates of these columns. ${REMEMBERED}`,
    check: 'these dates',
    asks: () => DATES_QUESTION,
    about: datesAskedAbout,
    choicesOf: ({ examples = [] }, choices) =>
      choices.map(({ id, label }) => ({ id, label: orderInWords(id, examples) ?? label })),
  },
  // An unknown location, or the one of all rows of a file without locations.
  locations: {
    title: 'Unknown locations',
    hint: `Each answer applies to all rows with that location. ${REMEMBERED}`,
    check: 'these locations',
    none: 'Leave out for now (ask again)',
    asks: wordsOf,
    choicesOf: (_, choices) => choices,
  },
  // An unknown status, or the one of all rows of a file without statuses.
  statuses: {
    title: 'Unknown statuses',
    hint: `Each answer applies to all rows with that status. ${REMEMBERED}`,
    check: 'these statuses',
    asks: wordsOf,
    choicesOf: (_, choices) => choices,
  },
  // An unknown word in the columns about cancellations: which cause, or who cancelled.
  causes: {
    title: 'Why sessions were cancelled',
    hint: `The sessions are imported either way. ${REMEMBERED}`,
    check: 'these reasons',
    none: 'No reason yet (ask again)',
    asks: ({ kind, text }) => (kind === 'cause' ? `Which reason is “${text}”?` : `Who is “${text}”?`),
    choicesOf: ({ kind }, choices) => [NOT_SAID, ...(kind === 'cause' ? choices : SIDES)],
  },
};

/** Asks what unknown words of one kind mean. An answer applies to all rows with the words. */
export function WordsQuestions({
  of,
  summary,
  answers,
  onAnswer,
  ...section
}: Asking & { of: keyof typeof KINDS; summary: ImportSummary }) {
  const { questions, choices } = summary[of];
  const { title, hint, check, asks, about = () => '', choicesOf, none } = KINDS[of];
  if (questions.length === 0) return null;
  const unchecked = questions.some(({ key, answer }) => (answers[key] ?? answer) !== answer);
  return (
    <QuestionSection
      id={`import-${of}`}
      check={`Check again with ${check}`}
      {...{ title, hint, unchecked, ...section }}
    >
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
              <Options of={choicesOf(question, choices).map(({ id, label }) => [id, label])} />
            </PlainSelect>
          </li>
        ))}
      </ul>
    </QuestionSection>
  );
}
