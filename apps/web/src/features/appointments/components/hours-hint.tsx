import { parseDate, type Location } from '@clinic/domain';
import { hoursBeside, useHours } from '../../../shared/api/use-hours.ts';

/**
 * The chosen therapist's booked hours, shown before a coordinator gives them a session. Renders nothing until loaded.
 */
export function HoursHint({ location, date, therapist }: { location: Location; date: string; therapist: string }) {
  const row = useHours(location, parseDate(date)).data?.rows.find((each) => each.name === therapist);
  return row ? (
    <p className="small muted">
      {therapist}: {hoursBeside(row)}
    </p>
  ) : null;
}
