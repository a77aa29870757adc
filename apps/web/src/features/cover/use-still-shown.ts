import { useEffect, useRef } from 'react';
import type { IsoDate, Location } from '@clinic/domain';

/** The location and date that options are for. */
export interface OptionsDay {
  readonly location: Location;
  readonly date: IsoDate;
}

/** Returns a function that tells, when a reply arrives, whether the calendar still shows the day that it is about. */
export function useStillShown(location: Location, date: IsoDate | null): (of: OptionsDay) => boolean {
  const shown = useRef<{ location: Location; date: IsoDate | null } | null>({ location, date });
  useEffect(() => {
    shown.current = { location, date };
    return () => void (shown.current = null); // the calendar may give way to another page
  }, [location, date]);
  return (of) => of.location === shown.current?.location && of.date === shown.current.date;
}
