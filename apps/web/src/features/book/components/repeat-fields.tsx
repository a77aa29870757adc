import { useId, useState } from 'react';
import { addDays, isoDate, parseDate, shortDate, weekdayName } from '@clinic/domain';
import { type SeriesPreview } from '@clinic/contract';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { saidWords } from '../../../shared/api/failure-words.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Checkbox, FieldError } from '../../../shared/ui/field.tsx';
import { PlainInput } from '../../../shared/ui/plain-field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { usePreview } from '../api/use-appointments.ts';
import { type Problems, type SessionForm } from '../model.ts';
import { ownDay, previewInWords, toggledDay, type SeriesBody } from '../weekly.ts';
import css from '../session-dialog.module.css';

const WEEK = [1, 2, 3, 4, 5, 6, 0];

interface RepeatProps {
  form: SessionForm;
  problems: Problems;
  /** The series to look up; null while the form cannot be sent. */
  body: SeriesBody | null;
  onChange: (changed: Partial<SessionForm>) => void;
}

/** Repeats a session every week, on one or more days, each with its own times, and shows which dates that gives. */
export function RepeatFields({ form, problems, body, onChange: set }: RepeatProps) {
  const repeats = form.weekly.length > 0;
  return (
    <fieldset data-writes className={css.scope}>
      <label>
        <Checkbox
          checked={repeats}
          onChange={() =>
            set(repeats ? { weekly: [], weeklyUntil: '', weeklyAnyway: false } : { weekly: [ownDay(form)] })
          }
        />
        <span>Repeat every week</span>
      </label>
      {repeats ? (
        <>
          <WeekDays form={form} onChange={set} />
          {problems.weekly === undefined ? null : <FieldError>{problems.weekly}</FieldError>}
          <div className={css.until}>
            <DateField
              label={`${LABELS.weekly_until} (leave empty to go on)`}
              min={form.date}
              value={form.weeklyUntil}
              error={problems.weeklyUntil}
              onDate={(weeklyUntil) => set({ weeklyUntil })}
            />
          </div>
          <Preview form={form} body={body} onChange={set} />
        </>
      ) : null}
    </fieldset>
  );
}

/** The days of the week, and the times of each chosen day but the session's own, whose times are in the form above. */
function WeekDays({ form, onChange: set }: Pick<RepeatProps, 'form' | 'onChange'>) {
  const own = ownDay(form).weekday;
  const timed = (weekday: number, changed: { start?: string; end?: string }): void =>
    set({ weekly: form.weekly.map((day) => (day.weekday === weekday ? { ...day, ...changed } : day)) });
  return (
    <>
      <div className={css.days} role="group" aria-label="Days of the week">
        {WEEK.map((weekday) => (
          <label key={weekday}>
            <Checkbox
              checked={form.weekly.some((day) => day.weekday === weekday)}
              disabled={weekday === own}
              aria-label={weekdayName(weekday)}
              onChange={() => set({ weekly: toggledDay(form, weekday) })}
            />
            <span>{weekdayName(weekday).slice(0, 3)}</span>
          </label>
        ))}
      </div>
      {form.weekly
        .filter(({ weekday }) => weekday !== own)
        .map(({ weekday, start, end }) => (
          <div key={weekday} className={css.dayTimes} role="group" aria-label={weekdayName(weekday)}>
            <span>{weekdayName(weekday)}</span>
            <PlainInput
              type="time"
              step={900}
              aria-label={`${LABELS.start}, ${weekdayName(weekday)}`}
              value={start}
              onChange={(event) => timed(weekday, { start: event.target.value })}
            />
            <PlainInput
              type="time"
              step={900}
              aria-label={`${LABELS.end}, ${weekdayName(weekday)}`}
              value={end}
              onChange={(event) => timed(weekday, { end: event.target.value })}
            />
          </div>
        ))}
    </>
  );
}

/** Which dates are booked, and which are skipped and why. */
function Preview({ form, body, onChange }: Omit<RepeatProps, 'problems'>) {
  const { data, error } = usePreview(body);
  const [moved, setMoved] = useState<Moved>({ until: '', weeks: 0 });
  const id = useId();
  if (body === null) return <p className="small muted">Choose a client to see which dates can be booked.</p>;
  if (error) return <Notice tone="error" title={saidWords(error)} />;
  if (!data)
    return (
      <p className="small muted" role="status">
        Looking up the dates...
      </p>
    );
  const skipped = skippedIn(data);
  return (
    <div role="status">
      <p>{previewInWords(data, form)}</p>
      {skipped.length > 0 ? (
        <>
          <p className="small" id={id}>
            {skipped.length === 1 ? '1 date is skipped:' : `${skipped.length} dates are skipped:`}
          </p>
          <ul className={css.skipped} tabIndex={0} aria-labelledby={id}>
            {skipped.map(({ date, why }) => (
              <li key={`${date} ${why}`}>
                <span>{shortDate(isoDate(date))}</span>
                <span>{why}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <AddAtEnd
        data={data}
        until={form.weeklyUntil}
        moved={moved}
        onMove={(next) => {
          setMoved(next);
          onChange({ weeklyUntil: next.until });
        }}
      />
      {form.weeklyAnyway === true || skipped.some(({ kind }) => kind !== 'booked' && kind !== 'away') ? (
        <label>
          <Checkbox
            checked={form.weeklyAnyway === true}
            onChange={(event) => onChange({ weeklyAnyway: event.target.checked })}
          />
          <span>Book the dates that break a rule, too</span>
        </label>
      ) : null}
    </div>
  );
}

/** By how many weeks the end of a series was moved, and what it is since; another end starts anew. */
interface Moved {
  readonly until: string;
  readonly weeks: number;
}

/** Offers to end a series later by the weeks that it skips, as for a holiday. */
function AddAtEnd({
  data: { days },
  until,
  moved,
  onMove,
}: {
  data: SeriesPreview;
  until: string;
  moved: Moved;
  onMove: (moved: Moved) => void;
}) {
  const end = parseDate(until);
  if (!end) return null;
  const added = moved.until === until ? moved.weeks : 0;
  // What an authorization or the week's hours do not allow would not be allowed later, either.
  const skipped = days.map((day) => day.skipped.filter(({ kind }) => kind !== 'authorization' && kind !== 'hours'));
  const missing = Math.max(...skipped.map((dates) => dates.length)) - added;
  if (missing <= 0) return null;
  return (
    <Button size="sm" onClick={() => onMove({ until: addDays(end, 7 * missing), weeks: added + missing })}>
      {missing === 1 ? 'Add 1 week at the end' : `Add ${missing} weeks at the end`}
    </Button>
  );
}

const skippedIn = ({ days }: SeriesPreview) =>
  days.flatMap(({ skipped }) => skipped).sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
