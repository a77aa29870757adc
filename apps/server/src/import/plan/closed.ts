import type { IsoDate, Location } from '@clinic/domain';
import { closureOf, type Closure } from '../../day/facts/closures.ts';
import { occupies, type Session } from './appointment-plan.ts';

/** Where, when and why a session of the file cannot take place. */
export interface ClosedTime {
  readonly location: Location;
  readonly date: IsoDate;
  readonly name: string;
}

/** Reads what `ImportStore.read('closures')` returns. */
export const parseClosures = (text: string): Closure[] => JSON.parse(text) as Closure[];

/** The sessions from today on that lie in closed time, by the lines of their rows. */
export function closedTimes(
  sessions: readonly Session[],
  closures: readonly Closure[],
  today: IsoDate,
): ReadonlyMap<number, ClosedTime> {
  return new Map(
    sessions.flatMap(({ line, record }) => {
      const closed = record.date < today || !occupies(record) ? undefined : closureOf(closures, record);
      return closed ? [[line, { location: record.location, date: record.date, name: closed.name }]] : [];
    }),
  );
}
