import { isLocation, parseDate, type IsoDate, type Location } from '@clinic/domain';

/** The search values in the address of a page about a day. They default to today and the location chosen last. */
export interface DaySearch {
  date?: IsoDate;
  location?: Location;
}

export function readDaySearch(search: Readonly<Record<string, string>>): DaySearch {
  const date = parseDate(search['date'] ?? '');
  const location = search['location'];
  return { ...(date ? { date } : {}), ...(isLocation(location) ? { location } : {}) };
}
