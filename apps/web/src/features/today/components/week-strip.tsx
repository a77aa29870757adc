import { useState } from 'react';
import type { Presence } from '@clinic/contract';
import {
  addDays,
  dayOfWeek,
  isoDate,
  clinicLocations,
  mondayOf,
  shortDate,
  weekdayName,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { Link } from '../../../shared/router/link.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { DataTable } from '../../../shared/ui/data-table.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Skeleton } from '../../../shared/ui/states.tsx';
import { useWeek, type WeekDay } from '../api/use-week.ts';
import { workWords } from '../model.ts';
import { dayFigures, weekDates } from '../well-words.ts';
import css from './week-strip.module.css';

/** What the page shows: its date and location, and the date at the clinic. */
interface Shown {
  date: IsoDate;
  today: IsoDate | null;
  current: Location;
}

/**
 * Whether all is well on each day of a week, at each location of the account, with a step to other weeks. A cell opens
 * that day there. Below is what colleagues are working on.
 */
export function WeekStrip({ work, ...shown }: Shown & { work: readonly Presence[] }) {
  const { date, today } = shown;
  const [step, setStep] = useState({ of: date, weeks: 0 });
  const weeks = step.of === date ? step.weeks : 0;
  const from = addDays(mondayOf(date), weeks * 7);
  const { days, failed, retry } = useWeek(from);
  const to = (by: number) => setStep({ of: date, weeks: weeks + by });
  const title = today !== null && from === mondayOf(today) ? 'This week' : `Week of ${shortDate(from)}`;
  return (
    <section aria-labelledby="week-strip" className={css.strip}>
      <div className={css.head}>
        <h2 id="week-strip">{title}</h2>
        <span className={css.steps}>
          <Button size="sm" icon aria-label="Previous week" onClick={() => to(-1)}>
            <Icon name="left" />
          </Button>
          <Button size="sm" icon aria-label="Next week" onClick={() => to(1)}>
            <Icon name="right" />
          </Button>
        </span>
        <Key />
      </div>
      {days === undefined ? (
        failed ? (
          <p className="muted">
            The week could not be loaded.{' '}
            <Button size="sm" onClick={retry}>
              Try again
            </Button>
          </p>
        ) : (
          <div role="status" aria-label="Loading the week">
            <Skeleton style={{ height: '8rem' }} />
          </div>
        )
      ) : (
        <WeekTable {...shown} days={days} from={from} failed={failed} />
      )}
      <Work list={work} />
    </section>
  );
}

/** What the signs in the cells mean. */
const Key = () => (
  <ul className={css.key} aria-hidden="true">
    <li>
      <i className={css.hollow} /> needs cover
    </li>
    <li>
      <Icon name="person" /> to confirm
    </li>
    <li>
      <Icon name="warn" /> wrong
    </li>
    <li>
      <Icon name="send" /> to submit
    </li>
    <li>
      <Icon name="phone" /> to tell
    </li>
  </ul>
);

interface Days extends Shown {
  days: readonly WeekDay[];
  from: IsoDate;
  failed: boolean;
}

/** A row for each location, and a column for each day. */
function WeekTable({ days, from, failed, date, today, current }: Days) {
  const dates = weekDates(from, days);
  const places = clinicLocations().filter(({ value }) => days.some((day) => day.location === value));
  return (
    <DataTable
      caption="What is open, by location and day"
      className={css.table}
      rows={places}
      keyOf={({ value }) => value}
      tr={({ value }) => ({ 'data-current': value === current || undefined })}
      columns={[
        {
          head: 'Location',
          unseen: true,
          names: true,
          cell: ({ value, label }) => (
            <Link to="/" search={{ date, location: value }} aria-current={value === current ? 'true' : undefined}>
              {label}
            </Link>
          ),
        },
        ...dates.map((each) => ({
          head: `${weekdayName(dayOfWeek(each)).slice(0, 3)} ${Number(each.slice(8))}`,
          th: each === today ? { 'aria-current': 'date' as const } : {},
          td: () => ({ 'data-today': each === today || undefined }),
          cell: ({ value, label }: (typeof places)[number]) => {
            const day = days.find((d) => d.location === value && d.date === each);
            return day ? <Cell day={day} label={label} failed={failed} /> : null;
          },
        })),
      ]}
    />
  );
}

/** What is open on one day at one location, as a link to that day's page. */
function Cell({ day, label, failed }: { day: WeekDay; label: string; failed: boolean }) {
  const date = isoDate(day.date);
  const { figures, state } = dayFigures(day, failed);
  return (
    <Link to="/" search={{ date, location: day.location }}>
      <span className="sr">{`${label}, ${shortDate(date)}: `}</span>
      {figures.map(({ what, count, words }, i) => (
        <span key={what} className={css.figure} data-what={what}>
          {what === 'cover' ? <i className={css.hollow} /> : <Icon name={ICONS[what]} />}
          {count}
          <span className="sr">{` ${words}${i < figures.length - 1 ? ', ' : ''}`}</span>
        </span>
      ))}
      {figures.length === 0 ? (
        <>
          {state === NOTHING_OPEN ? <Icon name="check" /> : <span aria-hidden="true">{MARKS[state] ?? ''}</span>}
          <span className="sr">{state}</span>
        </>
      ) : null}
    </Link>
  );
}

const NOTHING_OPEN = 'nothing is open';
const ICONS = { reported: 'person', wrong: 'warn', submit: 'send', tell: 'phone' } as const;
/** What a cell without figures shows when it has no tick either. */
const MARKS: Readonly<Record<string, string>> = { over: '–', 'no sessions': '' };

/** Who is working on what, in words. */
function Work({ list }: { list: readonly Presence[] }) {
  if (list.length === 0) return null;
  return (
    <p className={css.work}>
      <Icon name="person" /> {list.map(workWords).join('; ')}
    </p>
  );
}
