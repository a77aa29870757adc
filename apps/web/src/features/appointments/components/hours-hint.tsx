import { parseDate, type Location } from '@clinic/domain';
import { hoursBeside, useHours } from '../../../shared/api/use-hours.ts';

/**
 * The booked hours of the chosen therapist, for the person who is about to give them a session. Shows nothing until
 * they are loaded.
 */
export function HoursHint({ location, date, therapist }: { location: Location; date: string; therapist: string }) {
  const row = useHours(location, parseDate(date)).data?.rows.find((each) => each.name === therapist);
  return row ? (
    <p className="small muted">
      {therapist}: {hoursBeside(row)}
    </p>
  ) : null;
}
