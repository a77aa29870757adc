import { useCallback } from 'react';
import type { SlotsReply, StoredAbsence } from '@clinic/contract';
import { longDate, type IsoDate, type Location } from '@clinic/domain';
import type { View } from '../calendar/bars.ts';
import { CalendarGrid } from '../calendar/components/calendar-grid.tsx';
import { CalendarSkeleton } from '../calendar/components/calendar-skeleton.tsx';
import type { BaseRow } from '../calendar/rows.ts';
import type { Density } from '../calendar/use-density.ts';
import { useWallMinutes } from '../../shared/clinic-clock.ts';
import { timeWords } from '../../shared/time-words.ts';
import { EmptyState } from '../../shared/ui/states.tsx';
import css from './workspace.module.css';
import { namedPath } from '../../shared/person-path.ts';
import { navigate } from '../../shared/router/history.ts';
import { isReader } from '../../shared/session/manages-clinic.ts';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { sessionSource } from './calendar-bridge.ts';
import type { Opened } from './session-form.tsx';
import type { CalendarState } from './use-calendar-state.ts';
import type { WorkspaceDay } from './use-workspace-day.ts';

// Few days are empty, so this is not in the first load.
const EmptyDay = lazyPart(() => import('./empty-day.tsx').then((m) => m.EmptyDay));

const DayMoves = lazyPart(() => import('./day-moves.tsx').then((m) => m.DayMoves), null, true);

const NO_ABSENCES: readonly StoredAbsence[] = [];
type Closed = NonNullable<SlotsReply['closed']>;
const ALL_DAY_OPEN: Closed = [];

const closedWords = ({ start, end, name }: Closed[number]): string =>
  `, closed from ${timeWords(start)} to ${timeWords(end)}: ${name}`;

/** The day's rows, their outline while they load, or a message when there are none. */
export function DayGrid({
  day,
  state,
  location,
  date,
  today,
  view,
  density,
  onEdit,
}: {
  day: WorkspaceDay;
  state: CalendarState;
  location: Location;
  date: IsoDate | null;
  today: IsoDate | null;
  view: View;
  density: Density;
  onEdit: (source: Opened) => void;
}) {
  const { slots, calendar, rows, onlyOpen } = day;
  const { act } = state;
  const minutes = useWallMinutes(location);
  const { absences: stored = NO_ABSENCES, closed = ALL_DAY_OPEN } = slots.data ?? {};
  const onToggle = useCallback(
    (row: BaseRow) => {
      if (!row.person) return;
      const { type, name } = row.person;
      if (isReader()) navigate({ to: namedPath(type), search: { name } });
      else act({ do: 'toggle', person: row.person, stored });
    },
    [act, stored],
  );
  if (!calendar || date === null)
    return slots.isError ? (
      <div className={css.fill}>
        <EmptyState title="The day could not be loaded">Try again, or choose another day.</EmptyState>
      </div>
    ) : (
      <CalendarSkeleton />
    );
  if (rows.length === 0)
    return (
      <EmptyDay
        find={state.find}
        onlyOpen={onlyOpen}
        view={view}
        location={location}
        onAll={() => {
          state.setFind('');
          day.setOnlyOpen(false);
        }}
      />
    );
  return (
    <CalendarGrid
      label={`${view === 'client' ? 'Clients' : 'Therapists'}, ${longDate(date)}${closed.map(closedWords).join('')}`}
      rows={rows}
      view={view}
      newest={day.selected}
      selected={day.settled}
      stored={calendar.day.stored}
      now={date === today ? minutes : null}
      closed={closed}
      density={density}
      credentialOf={calendar.credentialOf}
      onToggle={onToggle}
      onOpen={(bar) => {
        const source = sessionSource(bar);
        if (source) onEdit(source);
      }}
      hands={(grid) => (
        <DayMoves {...grid} {...{ calendar, rows, view, location, date }} onNew={(drawn) => onEdit({ drawn })} />
      )}
    />
  );
}
