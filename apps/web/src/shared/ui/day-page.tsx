import type { ReactNode } from 'react';
import type { IsoDate, Location } from '@clinic/domain';
import { DatePicker, DateWait } from './date-picker.tsx';
import { ForeignLocation, isForbidden } from './foreign-location.tsx';
import { LoadFailure, type Loaded } from './load-failure.tsx';
import { LocationSelect } from './location-select.tsx';

type Go = (next: { date?: IsoDate; location?: Location }) => void;

/**
 * The choice of a date and location in the toolbar of a page about one day. Shows no date until today's date is
 * known.
 */
export function DayChoice({
  date,
  today,
  location,
  onGo,
}: {
  date: IsoDate | null;
  today: IsoDate | null;
  location: Location;
  onGo: Go;
}) {
  return (
    <>
      {date && today ? (
        <DatePicker value={date} today={today} onChange={(next) => onGo({ date: next })} />
      ) : (
        <DateWait />
      )}
      <LocationSelect value={location} onChange={(next) => onGo({ location: next })} />
    </>
  );
}

/**
 * Why a page about one day could not be loaded, and what to do about it. Renders nothing when the page has loaded.
 * `what` names the page's content: `the day`.
 */
export function DayFailure({
  what,
  location,
  query,
  onGo,
  children,
}: {
  what: string;
  location: Location;
  query: Loaded;
  onGo: Go;
  children?: ReactNode;
}) {
  if (isForbidden(query.error)) return <ForeignLocation location={location} onGo={(own) => onGo({ location: own })} />;
  return (
    <LoadFailure what={what} query={query}>
      {children}
    </LoadFailure>
  );
}
