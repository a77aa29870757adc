import { useMemo } from 'react';
import type { IsoDate, Location } from '@clinic/domain';
import type { Drawn } from '../book/model.ts';
import type { View } from '../calendar/bars.ts';
import type { HandsProps } from '../calendar/gestures/gestures.tsx';
import type { BaseRow } from '../calendar/rows.ts';
import { closedOn } from '../calendar/week.ts';
import type { CalendarDay } from '../calendar/use-calendar-day.ts';
import { useClosures } from '../closures/api.ts';
import { Moves } from './moves.tsx';

/** Lets sessions of a day be moved: sideways to another time, and in Therapist View up and down to another therapist. */
export function DayMoves({
  calendar,
  rows,
  view,
  date,
  ...props
}: HandsProps & {
  calendar: CalendarDay;
  rows: readonly BaseRow[];
  view: View;
  location: Location;
  date: IsoDate;
  onNew: (drawn: Drawn) => void;
}) {
  const { day, availableOf } = calendar;
  const { location } = props;
  const closures = useClosures().data;
  const grounds = useMemo(() => {
    const closed = closedOn(closures ?? [], location, date);
    return rows.map((row) => {
      if (!row.person && !row.open) return null;
      const who =
        view === 'client' ? { therapist: undefined, client: row.name } : { therapist: row.open ? null : row.name };
      return {
        date,
        day,
        availableOf,
        closed,
        ...who,
        words: row.open ? 'without a therapist' : `with ${row.name}`,
      };
    });
  }, [rows, view, location, date, day, availableOf, closures]);
  return <Moves {...props} grounds={grounds} />;
}
