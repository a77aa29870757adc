import { parseDate, type Location } from '@clinic/domain';
import { hoursBeside, useHours } from '../../../shared/api/use-hours.ts';

/** The hours of the therapist chosen, before someone gives them a session; nothing while they are not known. */
export function HoursHint({ location, date, therapist }: { location: Location; date: string; therapist: string }) {
  const row = useHours(location, parseDate(date)).data?.rows.find((each) => each.name === therapist);
  return row ? (
    <p className="small muted">
      {therapist}: {hoursBeside(row)}
    </p>
  ) : null;
}
