import { useMemo } from 'react';
import type { HoursRow, SlotsReply } from '@clinic/contract';
import { isoDate, locationLabel, longDate, type IsoDate, type Location } from '@clinic/domain';
import { keyOf } from '../calendar/appointments.ts';
import type { View } from '../calendar/bars.ts';
import { CalendarGrid } from '../calendar/components/calendar-grid.tsx';
import { WeekHead } from '../calendar/components/week-head.tsx';
import css from '../calendar/components/week.module.css';
import type { Ground } from '../calendar/gestures/blocks.ts';
import {
  addMinutes,
  dayWords,
  facesIn,
  minutesIn,
  NO_MINUTES,
  personRows,
  storedOf,
  type DayOfWeek,
} from '../calendar/week.ts';
import { useWallMinutes } from '../../shared/clinic-clock.ts';
import { navigate } from '../../shared/router/history.ts';
import { personPath } from '../../shared/person-path.ts';
import { Link } from '../../shared/router/link.tsx';
import { buttonClass } from '../../shared/ui/button.tsx';
import { cx } from '../../shared/ui/class-names.ts';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { useOpening } from '../../shared/ui/use-opening.ts';
import { sessionSource } from './calendar-bridge.ts';
import { Moves } from './moves.tsx';
import type { Opened } from './session-form.tsx';
import type { CoverFlow } from './use-cover-flow.ts';

/** A session of the week, or a new one whose time was drawn. */
type WeekOpened = Exclude<Opened, 'new'>;

const SessionForm = lazyPart(() => import('./session-form.tsx').then((m) => m.SessionForm));
const NONE: readonly never[] = [];

export interface ShownWeek {
  readonly location: Location;
  readonly date: IsoDate;
  readonly today: IsoDate | null;
  readonly view: View;
  /** The id of the person whose week is shown; null for everyone's. */
  readonly person: string | null;
  /** Whether the week is a part of the person's own page. */
  readonly onPage?: boolean;
}

const sumOf = (days: readonly DayOfWeek[], view: View, name: string) =>
  days.reduce((all, on) => {
    const row = on.rows.find((each) => each.key === keyOf(name) && !each.open);
    return row ? addMinutes(all, minutesIn(row, view, on)) : all;
  }, NO_MINUTES);

const groundsOf = (days: readonly DayOfWeek[], view: View, name: string): Ground[] =>
  days.map(({ date, day, available, closed }) => ({
    date,
    day,
    closed,
    availableOf: (therapist) => available.get(keyOf(therapist)) ?? [],
    ...(view === 'client' ? { therapist: undefined, client: name } : { therapist: name }),
    words: `on ${dayWords(date)}`,
  }));

/** What can be done for a person, and where more is said of them. */
function Acts({ location, view, person, date, onPage, name }: Omit<ShownWeek, 'today'> & { name: string }) {
  const id = person ?? '';
  return (
    <>
      <Link className={buttonClass({})} to="/find-a-time" search={{ location, [view]: name }}>
        {view === 'client' ? 'Find a time' : 'Who could use the time'}
      </Link>
      {onPage ? (
        <Link className={buttonClass({})} to="/calendar" search={{ span: 'week', location, view, person: id, date }}>
          Week
        </Link>
      ) : (
        <Link className={buttonClass({})} to={personPath(view, id)}>
          Profile
        </Link>
      )}
    </>
  );
}

/** A person's week: how its hours are spent, and a row of the grid for each date. */
export function PersonWeek({
  location,
  today,
  view,
  person,
  date,
  onPage = false,
  name,
  credential,
  days,
  people,
  hours,
}: ShownWeek & {
  name: string;
  credential: string | undefined;
  days: readonly DayOfWeek[];
  people: SlotsReply['people'];
  hours: HoursRow | undefined;
}) {
  const place = locationLabel(location);
  const credentialOf = (therapist: string) =>
    people.find((each) => each.type === 'therapist' && each.name === therapist)?.credential ?? null;
  const rows = useMemo(() => personRows(days, view, name, today, place), [days, view, name, today, place]);
  const stored = useMemo(() => storedOf(days), [days]);
  const grounds = useMemo(() => groundsOf(days, view, name), [days, view, name]);
  const minutes = useWallMinutes(location);
  const sum = sumOf(days, view, name);
  const first = days[0]?.date;
  const [editing, edit, endEditing] = useOpening<WeekOpened>();
  return (
    <>
      <WeekHead
        name={name}
        about={onPage ? null : `${view === 'client' ? 'Client' : (credential ?? 'Therapist')}, ${place}`}
        sum={sum}
        faces={view === 'client' ? facesIn(days, name) : 0}
        hours={hours}
        view={view}
      >
        <Acts {...{ location, view, person, date, onPage, name }} />
      </WeekHead>
      <div className={cx(css.week, onPage && css.onPage)}>
        <CalendarGrid
          label={`${name}, week of ${first ? longDate(first) : ''}`}
          rows={rows}
          view={view}
          newest={NONE}
          selected={NONE}
          stored={stored}
          now={days.some((each) => each.date === today) ? minutes : null}
          corner="Draw on free time to book"
          density="week"
          credentialOf={credentialOf}
          onToggle={({ id }) =>
            navigate({ to: '/calendar', search: { location, view, date: id, find: onPage ? name : undefined } })
          }
          onOpen={(bar) => {
            const source = sessionSource(bar);
            if (source) edit(source);
          }}
          hands={(grid) => <Moves {...grid} grounds={grounds} location={location} onNew={(drawn) => edit({ drawn })} />}
        />
      </div>
      {editing ? (
        <WeekSession
          key={editing.key}
          source={editing.value}
          people={people}
          location={location}
          onClose={() => endEditing(editing.key)}
        />
      ) : null}
    </>
  );
}

/** The session dialog. Options are for a day, so they open over that day. */
function WeekSession({
  source,
  people,
  location,
  onClose,
}: {
  source: WeekOpened;
  people: SlotsReply['people'];
  location: Location;
  onClose: () => void;
}) {
  const date = isoDate('drawn' in source ? source.drawn.date : source.date);
  const ask: CoverFlow['choosing']['ask'] = (chosen) =>
    navigate({
      to: '/calendar',
      search: {
        date,
        location,
        options: 'open',
        session: chosen?.key,
        therapist: chosen?.therapist,
        ask: chosen?.ask ? 'true' : undefined,
      },
    });
  return (
    <SessionForm
      source={source}
      people={people}
      location={location}
      date={date}
      choosing={{ busy: false, unsaved: false, ask }}
      onClose={onClose}
      onLoadError={onClose}
    />
  );
}
