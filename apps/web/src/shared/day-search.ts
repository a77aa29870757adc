import { isLocation, parseDate, type IsoDate, type Location } from '@clinic/domain';

/** What the address of a page about a day says. What is missing defaults to today and to the location chosen last. */
export interface DaySearch {
  date?: IsoDate;
  location?: Location;
}

export function readDaySearch(search: Readonly<Record<string, string>>): DaySearch {
  const date = parseDate(search['date'] ?? '');
  const location = search['location'];
  return { ...(date ? { date } : {}), ...(isLocation(location) ? { location } : {}) };
}
