import { useRef, type ChangeEvent, type KeyboardEvent } from 'react';
import css from './absences-panel.module.css';
import type { Interval } from '@clinic/domain';
import { Button } from '../../../../shared/ui/button.tsx';
import { Input } from '../../../../shared/ui/field.tsx';
import { lazyPart } from '../../../../shared/ui/lazy-part.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { effectInWords, isCovered, sessionsOf, type TouchableSession } from '../effects.ts';
import { columnsOf, isAllDay, problemOf, windowOf, type AbsenceAction, type AbsenceEntry } from '../model.ts';

const LossFields = lazyPart(() => import('../../../../shared/causes/loss-fields.tsx').then((m) => m.LossFields));

/** The step of a time field, in seconds: a quarter hour. */
const STEP = 900;
/** A change within this time after a key press counts as typed; a later change counts as picked with the mouse. */
const TYPING_MS = 1000;

/** A person selected as absent: their name, the absence's times, and what it affects. */
export function AbsenceRow({
  entry,
  sessions,
  available,
  act,
}: {
  entry: AbsenceEntry;
  sessions: readonly TouchableSession[];
  /** When this person could work that day, in minutes. */
  available: readonly Interval[];
  act: (action: AbsenceAction) => void;
}) {
  const problem = problemOf(entry);
  const allDay = isAllDay(entry);
  const lastKey = useRef(-Infinity);
  const round = (): void => act({ do: 'round', person: entry });
  const change = (which: 'start' | 'end') => (event: ChangeEvent<HTMLInputElement>) => {
    act({ do: which, person: entry, time: event.target.value });
    // A picked time is complete, so it is rounded at once; a typed time may be unfinished.
    if (event.timeStamp - lastKey.current > TYPING_MS) round();
  };
  const typing = (event: KeyboardEvent): void => {
    lastKey.current = event.timeStamp;
  };
  return (
    <li className={css.entry} data-entry={entry.name}>
      <div className={css.line}>
        <div>
          <h3>{entry.name}</h3>{' '}
          <span className="small muted">{entry.type === 'therapist' ? 'Therapist' : 'Client'}</span>
        </div>
        <Button variant="link" single onClick={() => act({ do: 'remove', person: entry })}>
          Remove<span className="sr"> {entry.name}</span>
        </Button>
      </div>
      <div className={css.times} role="group" aria-label={`Absence of ${entry.name}`}>
        <Input
          label="From"
          type="time"
          step={STEP}
          value={entry.startTime}
          error={problem?.field === 'start' ? problem.text : null}
          onChange={change('start')}
          onKeyDown={typing}
          onBlur={round}
        />
        <Input
          label="To"
          type="time"
          step={STEP}
          value={entry.endTime}
          error={problem?.field === 'end' ? problem.text : null}
          onChange={change('end')}
          onKeyDown={typing}
          onBlur={round}
        />
        <Button aria-pressed={allDay} onClick={() => act({ do: 'all-day', person: entry })}>
          {allDay ? <Icon name="check" /> : null}
          All day
        </Button>
      </div>
      <MiniDay entry={entry} sessions={sessions} available={available} />
      <p className="small muted" aria-live="polite">
        {effectInWords(sessions, entry)}
      </p>
      <LossFields
        value={entry.loss}
        side={entry.type === 'therapist' ? 'therapist' : 'family'}
        name={entry.name}
        onChange={(loss) => act({ do: 'why', person: entry, loss })}
      />
    </li>
  );
}

/**
 * The person's day from 7 to 7 on one line: free time, sessions that stay, lost sessions, and the absence drawn above
 * them.
 */
function MiniDay({
  entry,
  sessions,
  available,
}: {
  entry: AbsenceEntry;
  sessions: readonly TouchableSession[];
  available: readonly Interval[];
}) {
  const window = windowOf(entry);
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
  const own = sessionsOf(sessions, entry).filter((session) => !isCovered(session, entry));
  const lost = entry.type === 'therapist' ? css.lost : css.off;
  return (
    <div className={css.mini} aria-hidden="true">
      {available.map((each) => mark(each, css.free))}
      {window ? mark(window, css.hatch) : null}
      {own.flatMap((session) => {
        if (!window || session.end <= window.start || window.end <= session.start) return [mark(session, css.kept)];
        const from = Math.max(session.start, window.start);
        const to = Math.min(session.end, window.end);
        return [
          session.start < from ? mark({ start: session.start, end: from }, css.kept) : null,
          mark({ start: from, end: to }, lost),
          to < session.end ? mark({ start: to, end: session.end }, css.kept) : null,
        ];
      })}
    </div>
  );
}
