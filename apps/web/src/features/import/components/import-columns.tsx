import { IGNORE_COLUMN, type ColumnQuestion, type ImportColumns } from '@clinic/contract';
import { Button } from '../../../shared/ui/button.tsx';
import { PlainSelect } from '../../../shared/ui/plain-field.tsx';
import { Chip } from '../../../shared/ui/states.tsx';
import { labelOf } from '../model.ts';
import css from './imports.module.css';
import { QuestionSection, type Asking } from './question-section.tsx';

interface Asked {
  file: ImportColumns;
  question: ColumnQuestion;
}

/** Asks what each column with an unknown name holds. The answers are remembered. */
export function ImportColumns({
  columns,
  answers,
  busy,
  onAnswer,
  onCheck,
}: Asking & { columns: readonly ImportColumns[] }) {
  const all = columns
    .flatMap((file) => file.questions.map((question): Asked => ({ file, question })))
    .sort((a, b) => Number(b.question.matters ?? false) - Number(a.question.matters ?? false));
  if (all.length === 0) return null;
  const open = all.filter(({ question }) => !question.remembered);
  const remembered = all.filter(({ question }) => question.remembered);
  const unchecked = all.some(({ question: { key, answer } }) => (answers[key] ?? answer) !== answer);
  const missing = columns.flatMap((file) => file.missing.map((name) => `${name} (${file.file})`));
  // Those that may change what rows mean are answered one by one.
  const ignorable = all.filter(
    ({ question: { key, answer, matters } }) => !matters && (answers[key] ?? answer) === null,
  );
  const list = (asked: readonly Asked[]) => (
    <ul className={css.questions}>
      {asked.map((each) => (
        <ColumnRow key={each.question.key} {...each} answers={answers} onAnswer={onAnswer} />
      ))}
    </ul>
  );
  return (
    <QuestionSection
      id="import-columns"
      title={all.length === 1 ? '1 other column' : `${all.length} other columns`}
      hint="Other columns are not read. Importing remembers your choice for the next file."
      check="Check again with these columns"
      {...{ unchecked, busy, onCheck }}
    >
      {missing.length > 0 ? (
        <p>
          <b>{`Still needed: ${missing.join(', ')}.`}</b>{' '}
          {missing.length === 1 ? 'Choose the column that holds it.' : 'Choose the columns that hold them.'}
          {columns.some((file) => file.missing.includes('restrictions'))
            ? ' If no column holds restrictions, ignore these columns: stored restrictions then stay, and new clients have none.'
            : ''}
        </p>
      ) : null}
      {open.length > 0 ? list(open) : null}
      {ignorable.length > 1 ? (
        <p>
          <Button onClick={() => ignorable.forEach(({ question: { key } }) => onAnswer(key, IGNORE_COLUMN))}>
            {`Ignore the ${ignorable.length} columns without an answer`}
          </Button>
        </p>
      ) : null}
      {remembered.length > 0 ? (
        <details open={open.length === 0 && remembered.length <= 3}>
          <summary>
            {remembered.length === 1 ? '1 remembered choice' : `${remembered.length} remembered choices`}
          </summary>
          {list(remembered)}
        </details>
      ) : null}
    </QuestionSection>
  );
}

function ColumnRow({ file, question, answers, onAnswer }: Asked & Pick<Asking, 'answers' | 'onAnswer'>) {
  const { key, column, examples, remembered, twin, matters = false, like } = question;
  const asks = `What does the column “${column}” hold?`;
  const kind = labelOf(file.kind);
  const about = [
    matters ? 'it may change what rows mean' : '',
    kind,
    twin?.column ? `${twin.name} is read from “${twin.column}”` : '',
    examples.length > 0 ? `for example ${examples.join(', ')}` : '',
  ];
  const answer = answers[key] ?? question.answer;
  return (
    <li>
      <span>
        <b>{asks}</b> {remembered ? <Chip>Remembered</Chip> : null}
        <span className="muted"> {about.filter(Boolean).join(' · ')}</span>
      </span>
      <PlainSelect
        aria-label={`${asks} ${kind}`}
        data-open={(matters && answer === null) || undefined}
        value={answer ?? ''}
        onChange={({ target }) => onAnswer(key, target.value === '' ? null : target.value)}
      >
        {question.answer === null ? <option value="">Choose a column</option> : null}
        <option value={IGNORE_COLUMN}>Ignore this column</option>
        {file.ours
          .toSorted((a, b) => Number(b.name === like) - Number(a.name === like))
          .map((ours) => (
            <option key={ours.name} value={ours.name}>
              {ours.column === null || ours.column === column
                ? ours.name
                : `${ours.name} (instead of “${ours.column}”)`}
            </option>
          ))}
      </PlainSelect>
    </li>
  );
}
