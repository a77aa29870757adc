import type { ReactNode } from 'react';
import type { IsoDate, Location } from '@clinic/domain';
import { Button } from './button.tsx';
import { DatePicker } from './date-picker.tsx';
import { ForeignLocation, isForbidden } from './foreign-location.tsx';
import { LocationSelect } from './location-select.tsx';
import { Notice } from './states.tsx';

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
      {date && today ? <DatePicker value={date} today={today} onChange={(next) => onGo({ date: next })} /> : null}
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
  query: { readonly error: Error | null; readonly refetch: () => unknown };
  onGo: Go;
  children?: ReactNode;
}) {
  if (!query.error) return null;
  if (isForbidden(query.error)) return <ForeignLocation location={location} onGo={(own) => onGo({ location: own })} />;
  return (
    <Notice
      tone="error"
      title={`Failed to load ${what}. Please try again.`}
      actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
    >
      {children}
    </Notice>
  );
}
