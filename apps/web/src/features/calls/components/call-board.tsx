import type { CallsReply, ToldPerson } from '@clinic/contract';
import { clockTime } from '@clinic/domain';
import { wallTime } from '../../../shared/clinic-clock.ts';
import { useShortcuts } from '../../../shared/shell/shortcuts.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState, Skeleton } from '../../../shared/ui/states.tsx';
import type { CallDay } from '../api/use-calls.ts';
import css from '../calls.module.css';
import { ANSWERS, answerWords, headWords, whoWords } from '../model.ts';
import { useCallList, type CallListState } from '../use-call-list.ts';
import { CallRow } from './call-row.tsx';

/** Who must be told, in calling order, and who has been told. */
export function CallBoard({ day, reply }: { day: CallDay; reply: CallsReply }) {
  const list = useCallList(day, reply);
  const head = headWords(reply);
  const { line } = list;
  const timeOf = (instant: string): string => clockTime(wallTime(day.location, Date.parse(instant)).minutes);
  const group = 'Call list';
  useShortcuts([
    ...ANSWERS.map(({ key, answer, label }) => ({
      keys: key,
      label,
      group,
      run: () => line && void list.answer(line, answer),
    })),
    { keys: 'r', label: 'Ring this one', group, run: () => line && void list.ring(line) },
    { keys: 'n', label: 'Add a note', group, run: () => focusNote() },
    { keys: 'ArrowDown', label: 'Next person', group, run: () => list.move(1) },
    { keys: 'ArrowUp', label: 'Previous person', group, run: () => list.move(-1) },
  ]);
  return (
    <div className={css.grid}>
      <div className={css.main} tabIndex={0} role="region" aria-label="People to tell">
        <div className={css.hero}>
          <p className={css.big} role="status">
            {head.count > 0 ? <span className="alarm">{head.title}</span> : head.title}
          </p>
          <p className="muted">{head.text}</p>
        </div>
        {reply.lines.length === 0 ? (
          <EmptyState title="No calls to make">
            Changes to this day appear here, with the words to say, as soon as they are made.
          </EmptyState>
        ) : (
          <ol className={css.lines} aria-label="Calls to make">
            {reply.lines.map((each) => (
              <CallRow key={`${each.kind}:${each.id}`} line={each} list={list} timeOf={timeOf} />
            ))}
          </ol>
        )}
      </div>
      <div className={css.side} tabIndex={0} role="region" aria-label="Told, day sheet, keys">
        <section aria-labelledby="told-title">
          <h2 id="told-title">Told</h2>
          <ToldList told={reply.told} list={list} timeOf={timeOf} />
        </section>
        <section aria-labelledby="sheet-title" className={css.screen}>
          <h2 id="sheet-title">Day sheet</h2>
          <p className="muted">
            {reply.sheet
              ? `Sent at ${timeOf(reply.sheet.at)} by ${reply.sheet.by}. Only later changes are on this list.`
              : 'When you have sent everyone their day, say so: only later changes are then on this list.'}
          </p>
        </section>
        <section aria-labelledby="keys-title" className={css.screen}>
          <h2 id="keys-title">Keys</h2>
          <p className="muted">
            <kbd>↑</kbd> <kbd>↓</kbd> next person, <kbd>1</kbd> to <kbd>4</kbd> what became of the call, <kbd>n</kbd>{' '}
            note, <kbd>r</kbd> ring this one.
          </p>
        </section>
      </div>
    </div>
  );
}

function focusNote(): void {
  document.querySelector<HTMLElement>('[data-line][data-current] input')?.focus();
}

function ToldList({
  told,
  list,
  timeOf,
}: {
  told: readonly ToldPerson[];
  list: CallListState;
  timeOf: (instant: string) => string;
}) {
  if (told.length === 0) return <p className="muted">No one yet.</p>;
  return (
    <ul className={css.told}>
      {told.map((person) => (
        <li key={`${person.kind}:${person.id}`}>
          <span>
            <b>{whoWords(person)}</b>
            <br />
            <span className="small muted">
              {answerWords(person.answer)} at {timeOf(person.at)} by {person.by}
              {person.note === null ? '' : `: ${person.note}`}
            </span>
          </span>
          <Button size="sm" variant="ghost" className={css.screen} onClick={() => void list.takeBack(person)}>
            Not told<span className="sr"> after all: {whoWords(person)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The list's outline at its real height, so that nothing jumps. */
export function CallsLoading() {
  return (
    <div className={css.grid} role="status" aria-label="Loading the call list">
      <div className={css.main}>
        <Skeleton style={{ height: '3.25rem', width: '50%', marginBottom: '1rem' }} />
        {Array.from({ length: 8 }, (_, i) => (
          <Skeleton key={i} style={{ marginTop: '1rem', height: '2.5rem' }} />
        ))}
      </div>
      <div className={css.side} />
    </div>
  );
}
