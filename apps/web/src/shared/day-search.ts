import { isLocation, parseDate, type IsoDate, type Location } from '@clinic/domain';
import { useToday } from './clinic-clock.ts';
import { navigate, useSearch } from './router/history.ts';
import { usePickedLocation } from './session/session-info.ts';
import { mayLeave } from './unsaved/guards.ts';

/** The search values in the address of a page about a day. They default to today and the location chosen last. */
export interface DaySearch {
  date?: IsoDate;
  location?: Location;
}

/** What an address says to open the calendar with its absences panel. */
export const ABSENCES_OPEN = { absences: 'open' } as const;

export function readDaySearch(search: Readonly<Record<string, string>>): DaySearch {
  const date = parseDate(search['date'] ?? '');
  const location = search['location'];
  return { ...(date ? { date } : {}), ...(isLocation(location) ? { location } : {}) };
}

/** The location and date of a page about one day: the date in the address (`chosen`), or today. */
export function useDay() {
  const { date: chosen, location: from } = readDaySearch(useSearch());
  const location = usePickedLocation(from);
  const today = useToday(location);
  return { chosen, location, today, date: chosen ?? today };
}

/**
 * The day of a page, and `go`, which moves the page to another day after asking about unsaved edits. `place`: the
 * search values for links to other pages about this day.
 */
export function useDayPage() {
  const { chosen, location, today, date } = useDay();
  const place = { ...(chosen ? { date: chosen } : {}), location };
  const go = (next: DaySearch): void => {
    if (!mayLeave(() => go(next))) return;
    navigate({ search: { ...place, ...next }, replace: true });
  };
  return { location, today, date, place, go };
}
