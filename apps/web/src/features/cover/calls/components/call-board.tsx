import type { CallsReply, DeclinedPerson, ToldPerson } from '@clinic/contract';
import { clockTime } from '@clinic/domain';
import { wallTime } from '../../../../shared/clinic-clock.ts';
import { useShortcuts, type Shortcut } from '../../../../shared/shell/shortcuts.ts';
import { Link } from '../../../../shared/router/link.tsx';
import { Button, buttonClass } from '../../../../shared/ui/button.tsx';
import { cx } from '../../../../shared/ui/class-names.ts';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { EmptyState, Skeleton } from '../../../../shared/ui/states.tsx';
import {
  Headline,
  MainColumn,
  SideColumn,
  SideList,
  SideSection,
  TwoColumns,
} from '../../../../shared/ui/two-columns.tsx';
import { usePlansB, useSame, type CallDay } from '../api/use-calls.ts';
import { NotTold } from './not-told.tsx';
import css from '../calls.module.css';
import {
  ANSWERS,
  answerWords,
  byWords,
  choosableIn,
  emptyWords,
  headWords,
  lineKey,
  messageWords,
  progressOf,
  recordedWords,
  sameNumberWords,
  toldNote,
  whoWords,
} from '../model.ts';
import { useCallList, type CallListState } from '../use-call-list.ts';
import { CallRow } from './call-row.tsx';
import { LaterCalls } from './later-calls.tsx';
import { ReleaseButton } from './release-button.tsx';

/**
 * The list of people to call, in call order, and the people who have been told. `onSheet`: everyone has the day sheet.
 */
export function CallBoard({ day, reply, onSheet }: { day: CallDay; reply: CallsReply; onSheet: () => void }) {
  const same = useSame(day, reply.lines);
  const list = useCallList(day, reply, same);
  const plansB = usePlansB(day, reply.lines);
  const timeOf = (instant: string): string => clockTime(wallTime(day.location, Date.parse(instant)).minutes);
  useCallKeys(list);
  return (
    <TwoColumns narrow>
      <MainColumn label="People to tell" flush>
        <Hero day={day} reply={reply} />
        {reply.lines.length === 0 ? (
          <EmptyState title="No calls to make">{emptyWords(reply)}</EmptyState>
        ) : (
          <ol className={css.lines} aria-label="Calls to make">
            {reply.lines.map((each) => (
              <CallRow
                key={`${each.kind}:${each.id}`}
                line={each}
                said={same.get(each.version) ?? each}
                list={list}
                planB={plansB.get(each.version)}
                sameNumber={sameNumberWords(each, reply.lines)}
                timeOf={timeOf}
              />
            ))}
          </ol>
        )}
      </MainColumn>
      <SideColumn label="Call details">
        <SideSection id="told" title="Told">
          <Progress reply={reply} />
          <ToldList told={reply.told} list={list} timeOf={timeOf} />
        </SideSection>
        {reply.declined.length > 0 ? (
          <SideSection id="declined" title="Said no">
            <DeclinedList declined={reply.declined} list={list} />
          </SideSection>
        ) : null}
        <LaterCalls day={day} />
        <SideSection id="sheet" title="Day sheet" className={css.screen}>
          <p className="muted">
            {reply.sheet
              ? `Sent at ${timeOf(reply.sheet.at)} by ${reply.sheet.by}. Only later changes are on this list.`
              : 'Once you record the day sheet as sent to everyone, this list shows only later changes.'}
          </p>
          <Button data-writes className={css.sheetDone} onClick={onSheet}>
            Everyone has the day sheet
          </Button>
        </SideSection>
        <div data-writes>
          <SideSection id="keys" title="Shortcuts" className={css.screen}>
            <p className="muted">
              <kbd>↑</kbd> <kbd>↓</kbd> previous or next person, <kbd>1</kbd> to <kbd>4</kbd> the result of the call,{' '}
              <kbd>n</kbd> note, <kbd>r</kbd> ring this one, <kbd>o</kbd> new options, <kbd>e</kbd> someone else.
            </p>
          </SideSection>
        </div>
      </SideColumn>
    </TwoColumns>
  );
}

/** How many people are to be told, and what can be done with the whole list. */
function Hero({ day, reply }: { day: CallDay; reply: CallsReply }) {
  const head = headWords(reply);
  return (
    <div className={css.hero}>
      <Headline live>{head.count > 0 ? <span className="alarm">{head.title}</span> : head.title}</Headline>
      <p className="muted">{head.text}</p>
      <div className={cx(css.heroActs, css.screen)}>
        <ReleaseButton sending={reply.sending} location={day.location} date={day.date} />
        <Link to="/day-sheet" search={{ ...day }} className={buttonClass({})}>
          Day sheet
        </Link>
        <Button onClick={() => window.print()}>
          <Icon name="print" />
          Print
        </Button>
      </div>
    </div>
  );
}

/** The keys of the list. */
function useCallKeys(list: CallListState): void {
  const { line } = list;
  const group = 'Call list';
  useShortcuts([
    ...ANSWERS.map(({ key, answer, label }): Shortcut => ({
      keys: key,
      writes: true,
      label,
      group,
      run: () => line && (answer === 'said-no' ? list.askNo(lineKey(line)) : void list.answer(line, answer)),
    })),
    { keys: 'r', writes: true, label: 'Ring this one', group, run: () => line && void list.ring(line) },
    { keys: 'o', writes: true, label: 'See options', group, run: list.toOptions },
    {
      keys: 'e',
      writes: true,
      label: 'Choose someone else',
      group,
      run: () => line && choosableIn(line).length > 0 && list.askOther(lineKey(line)),
    },
    { keys: 'n', writes: true, label: 'Add a note', group, run: () => focusNote() },
    { keys: 'ArrowDown', label: 'Next person', group, run: () => list.move(1) },
    { keys: 'ArrowUp', label: 'Previous person', group, run: () => list.move(-1) },
  ]);
}

/** How far the calls are: told, to ask, and waiting for an answer. */
function Progress({ reply: { told, lines } }: { reply: CallsReply }) {
  if (told.length + lines.length === 0) return null;
  const { words, left, marks } = progressOf(told.length, lines);
  return (
    <>
      <p className={css.progress} aria-hidden="true">
        {marks.map((is, i) => (
          <i key={i} data-is={is} />
        ))}
      </p>
      <p className={cx(css.between, 'small muted')}>
        <span>{words}</span> <span>{left}</span>
      </p>
    </>
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
    <SideList>
      {told.map((person) => (
        <li key={`${person.kind}:${person.id}`}>
          <span>
            <b>{whoWords(person)}</b>
            <br />
            <span className="small muted">
              {answerWords(person.answer)} at {timeOf(person.at)} {byWords(person)}
              {toldNote(person)}
              {person.dropped ? (
                <>
                  <br />
                  message {messageWords(person.dropped)}: {person.dropped.fault}
                </>
              ) : null}
            </span>
          </span>
          <NotTold person={person} result={person.result} what={whoWords(person)} list={list} />
        </li>
      ))}
    </SideList>
  );
}

/** The therapists who said no that day, each with a button that takes the no back. */
function DeclinedList({ declined, list }: { declined: readonly DeclinedPerson[]; list: CallListState }) {
  return (
    <SideList>
      {declined.map((person) => (
        <li key={person.id}>
          <span>
            <b>{person.therapist}</b>
            <br />
            <span className="small muted">
              {person.words}, {recordedWords(person)}
            </span>
          </span>
          <Button
            data-writes
            size="sm"
            variant="ghost"
            className={css.screen}
            single
            onClick={() => void list.takeBackNo(person)}
          >
            Take back<span className="sr"> “Said no” for {person.therapist}</span>
          </Button>
        </li>
      ))}
    </SideList>
  );
}

/** The outline of the list while it loads. It has the list's real height, so nothing moves when the list arrives. */
export function CallsLoading() {
  return (
    <TwoColumns narrow loading="Loading the call list">
      <MainColumn flush>
        <Skeleton style={{ height: '3.25rem', width: '50%', marginBottom: '1rem' }} />
        {Array.from({ length: 8 }, (_, i) => (
          <Skeleton key={i} style={{ marginTop: '1rem', height: '2.5rem' }} />
        ))}
      </MainColumn>
      <SideColumn />
    </TwoColumns>
  );
}
