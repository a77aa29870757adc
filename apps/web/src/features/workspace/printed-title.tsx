import { locationLabel, longDate, type IsoDate, type Location } from '@clinic/domain';
import css from './workspace.module.css';

/** The title printed above the day: its date and location. */
export function PrintedTitle({ location, date }: { location: Location; date: IsoDate | null }) {
  if (!date) return null;
  return (
    <h2 className={css.printed}>
      {locationLabel(location)}, {longDate(date)}
    </h2>
  );
}
