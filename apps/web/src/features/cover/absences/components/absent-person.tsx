import { useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { subtract, union, type Interval } from '@clinic/domain';
import css from './absences-panel.module.css';
import { Button } from '../../../../shared/ui/button.tsx';
import { effectInWords, isCovered, sessionsOf, type TouchableSession } from '../effects.ts';
import { columnsOf, problemOf, windowOf, windowWords, type AbsenceAction, type AbsenceEntry } from '../model.ts';
import { AbsenceWindow } from './absence-window.tsx';

/** A person selected as absent: their name, the windows of their absence, and what these affect. */
export function AbsentPerson({
  windows,
  entries,
  sessions,
  available,
  tried,
  datesOf,
  act,
}: {
  /** The person's windows, each with its index in the selection. */
  windows: readonly { window: AbsenceEntry; at: number }[];
  entries: readonly AbsenceEntry[];
  sessions: readonly TouchableSession[];
  /** When this person could work that day, in minutes. */
  available: readonly Interval[];
  /** Whether the coordinator has tried to save. Until then, a window without any time yet is not called wrong. */
  tried: boolean;
  datesOf: (entry: AbsenceEntry, onChange: (further: AbsenceEntry['further']) => void) => ReactNode;
  act: (action: AbsenceAction) => void;
}) {
  const item = useRef<HTMLLIElement>(null);
  const [first] = windows;
  if (!first) return null;
  const person = first.window;
  const single = windows.length === 1;
  const isEmpty = ({ startTime, endTime }: AbsenceEntry): boolean => startTime === '' && endTime === '';
  const add = (): void => {
    flushSync(() => act({ do: 'add', person }));
    const times = item.current?.querySelectorAll<HTMLInputElement>('[type="time"]') ?? [];
    [...times].at(-2)?.focus();
  };
  return (
    <li className={css.entry} data-entry={person.name} ref={item}>
      <div className={css.line}>
        <div>
          <h3>{person.name}</h3>{' '}
          <span className="small muted">{person.type === 'therapist' ? 'Therapist' : 'Client'}</span>
        </div>
        {single ? (
          <Button variant="link" single onClick={() => act({ do: 'remove', at: first.at })}>
            Remove<span className="sr"> {person.name}</span>
          </Button>
        ) : null}
      </div>
      <DayLine entries={windows.map(({ window }) => window)} sessions={sessions} available={available} />
      {windows.map(({ window, at }, index) => (
        <AbsenceWindow
          key={index}
          entry={window}
          at={at}
          single={single}
          name={single ? person.name : `${person.name}, ${windowWords(window)}`}
          problem={tried || !isEmpty(window) ? problemOf(window, entries) : null}
          effect={effectInWords(sessions, window, single)}
          dates={datesOf(window, (further) => act({ do: 'part', at, part: { further } }))}
          act={act}
        />
      ))}
      <Button variant="link" unavailable={windows.some(({ window }) => isEmpty(window))} onClick={add}>
        Add another time<span className="sr"> for {person.name}</span>
      </Button>
    </li>
  );
}

/**
 * The person's day from 7 to 7 on one line: free time, sessions that stay, lost sessions, and the absence drawn above
 * them.
 */
function DayLine({
  entries,
  sessions,
  available,
}: {
  entries: readonly AbsenceEntry[];
  sessions: readonly TouchableSession[];
  available: readonly Interval[];
}) {
  const [person] = entries;
  if (!person) return null;
  const windows = entries.flatMap((entry) => windowOf(entry) ?? []);
  const mark = (interval: Interval, kind: string | undefined) => {
    const columns = columnsOf(interval);
    return columns ? (
      <span
        key={`${kind}:${interval.start}`}
        className={kind}
        style={{ '--start': columns.from, '--span': columns.width }}
      />
    ) : null;
  };
  const own = sessionsOf(sessions, person).filter((session) => !isCovered(session, person));
  const lost = person.type === 'therapist' ? css.lost : css.off;
  return (
    <div className={css.mini} aria-hidden="true">
      {available.map((each) => mark(each, css.free))}
      {union(windows).map((each) => mark(each, css.hatch))}
      {own.flatMap((session) => {
        const stays = subtract([session], windows);
        return [
          ...stays.map((each) => mark(each, css.kept)),
          ...subtract([session], stays).map((each) => mark(each, lost)),
        ];
      })}
    </div>
  );
}
