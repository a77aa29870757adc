import { useState, type ComponentProps } from 'react';
import type { LeaveFrom } from '@clinic/contract';
import {
  addDays,
  duration,
  isoDate,
  parseDate,
  shortDate,
  weekdayName,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import css from './leave.module.css';
import { saidWords } from '../../shared/api/failure-words.ts';
import { DateField } from '../../shared/ui/date-field.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { useLeaveEffect, type LeaveTerms } from './api.ts';
import type { Dates } from './shifts.ts';
import { lengthWords, WEEK, weekdaysFrom } from './words.ts';

const LeavePrice = lazyPart(() => import('./leave-price.tsx').then((m) => m.LeavePrice));

type Until = 'day' | 'date' | 'open';
const CHOICES = [
  { value: 'day', label: 'This day' },
  { value: 'date', label: 'Until a date' },
  { value: 'open', label: 'Until further notice' },
] as const;

/**
 * For how long a person who is selected as absent is away: this day, which needs no click, until a date, or until further
 * notice. Shows what the further dates touch, week by week.
 */
export function LeaveDates({
  location,
  date,
  person,
  times,
  value,
  onChange,
  onFirst,
}: {
  location: Location;
  /** The first day: the day that the panel is about. */
  date: IsoDate;
  person: Pick<LeaveTerms, 'type' | 'name'>;
  /** The window's times; null while they are not complete. */
  times: Pick<LeaveTerms, 'begin' | 'end'> | null;
  value: LeaveFrom | undefined;
  onChange: (value: LeaveFrom | undefined) => void;
  /** Changes the first day, where it can be chosen. */
  onFirst?: (first: IsoDate) => void;
}) {
  const until: Until = value === undefined ? 'day' : value.until === null ? 'open' : 'date';
  const choose = (next: Until): void => {
    const weekdays = value?.weekdays ?? weekdaysFrom(date);
    if (next === 'day') onChange(undefined);
    else onChange({ until: next === 'open' ? null : (value?.until ?? addDays(date, 7)), weekdays });
  };
  return (
    <>
      <Segmented label={`How long ${person.name} is away`} value={until} options={CHOICES} onChange={choose} />
      {value ? (
        <>
          {onFirst ? null : (
            <p className="small muted">
              From {shortDate(date)} on. To begin on another day, go to that day first, or add the absence in the
              profile.
            </p>
          )}
          <RangeFields first={date} value={value} onChange={onChange} />
          <Effect
            location={location}
            terms={times && { ...person, ...times, ...rangeOf(date, value) }}
            onUse={
              onFirst &&
              (({ first, last }) => {
                onFirst(first);
                onChange({ ...value, until: last });
              })
            }
          />
        </>
      ) : null}
    </>
  );
}

const rangeOf = (first_date: IsoDate, { until, weekdays }: LeaveFrom) => ({ first_date, last_date: until, weekdays });

/** The last day and the weekdays of a range. */
export function RangeFields({
  first,
  value,
  onChange,
}: {
  first: IsoDate;
  value: LeaveFrom;
  onChange: (value: LeaveFrom) => void;
}) {
  const { until, weekdays } = value;
  const [typed, setTyped] = useState<string>(until ?? '');
  const [saidOf, setSaidOf] = useState(until);
  if (saidOf !== until) {
    setSaidOf(until);
    setTyped(until ?? '');
  }
  const fault =
    until !== null && typed !== until
      ? 'Enter a date'
      : until !== null && until < first
        ? `Must not be before ${shortDate(first)}`
        : null;
  const toggle = (day: number): void => {
    const next = weekdays.includes(day) ? weekdays.filter((each) => each !== day) : [...weekdays, day].sort();
    if (next.length > 0) onChange({ until, weekdays: next });
  };
  return (
    <>
      {until === null ? null : (
        <div className={css.until}>
          <DateField
            label="Last day"
            value={typed}
            min={first}
            error={fault}
            onDate={(day) => {
              setTyped(day);
              const date = parseDate(day);
              if (date) onChange({ until: date, weekdays });
            }}
          />
          <span className="small muted">{lengthWords(first, until)}</span>
        </div>
      )}
      <div className={css.week} role="group" aria-label="Weekdays">
        {WEEK.map((day) => (
          <button key={day} type="button" aria-pressed={weekdays.includes(day)} onClick={() => toggle(day)}>
            {weekdayName(day).slice(0, 3)}
          </button>
        ))}
      </div>
    </>
  );
}

/** What a range touches: its weeks with their number of sessions, and all of it in a sentence. */
function Effect({
  location,
  terms,
  onUse,
}: {
  location: Location;
  terms: LeaveTerms | null;
  onUse: ((dates: Dates) => void) | undefined;
}) {
  const isValid = terms !== null && (terms.last_date === null || terms.last_date >= terms.first_date);
  const { data, error } = useLeaveEffect(location, isValid ? terms : null);
  if (!terms || !isValid) return null;
  if (error) return <p className="small alarm">{saidWords(error)}</p>;
  if (!data) return <p className="small muted">Counting the sessions…</p>;
  const others = terms.type === 'therapist' ? ['child', 'children'] : ['therapist', 'therapists'];
  const series = data.series === 0 ? '' : ` in ${data.series} ${data.series === 1 ? 'series' : 'series'}`;
  const what = terms.type === 'therapist' ? '' : ' are cancelled';
  return (
    <div aria-live="polite">
      {data.weeks.length > 1 && data.weeks.length <= 12 ? (
        <ol className={css.weeks}>
          {data.weeks.map(({ monday, sessions }) => (
            <li key={monday} className={sessions > 0 ? css.lost : undefined}>
              <b>{sessions}</b>
              <span className="small muted">{shortDate(isoDate(monday)).slice(5)}</span>
            </li>
          ))}
        </ol>
      ) : null}
      <p className="small">
        {data.sessions === 0 ? (
          'No sessions are booked in this time.'
        ) : (
          <>
            <b>
              {data.sessions} {data.sessions === 1 ? 'session' : 'sessions'}, {duration(data.minutes)}, of {data.people}{' '}
              {data.people === 1 ? others[0] : others[1]}
            </b>
            {series}
            {what}.
          </>
        )}
        {terms.last_date === null
          ? ` Counted until ${shortDate(isoDate(data.counted_until))}, as far as can be booked.`
          : ''}
        {data.filled_until === null || terms.type === 'client'
          ? ''
          : ` The calendar is filled until ${shortDate(isoDate(data.filled_until))}: later sessions that are not booked yet are not counted.`}
        {data.away.length > 0
          ? ` Already away on ${data.away.length === 1 ? shortDate(isoDate(data.away[0] ?? terms.first_date)) : `${data.away.length} of these days`}: recorded as it is.`
          : ''}
        {data.closed.length > 0
          ? ` Closed then: ${data.closed.map(({ date, name }) => `${shortDate(isoDate(date)).slice(5)} (${name})`).join(', ')}.`
          : ''}
      </p>
      {terms.type === 'therapist' && data.sessions > 0 ? (
        <AskPrice
          location={location}
          terms={terms}
          last={isoDate(data.counted_until)}
          filled={data.filled_until === null ? null : isoDate(data.filled_until)}
          onUse={onUse}
        />
      ) : null}
    </div>
  );
}

/** Offers the price of a therapist's absence. */
function AskPrice(props: ComponentProps<typeof LeavePrice>) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <LeavePrice {...props} />
  ) : (
    <Button variant="link" onClick={() => setOpen(true)}>
      What would it cost?
    </Button>
  );
}
