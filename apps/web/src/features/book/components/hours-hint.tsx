import { parseDate, type Location } from '@clinic/domain';
import { hoursBeside, useHours } from '../../../shared/api/use-hours.ts';
import { cx } from '../../../shared/ui/class-names.ts';
import css from '../session-dialog.module.css';

/**
 * Shows the booked hours of the therapist chosen in the form, so that the coordinator sees them before saving. Renders
 * nothing until they have loaded.
 */
export function HoursHint({ location, date, therapist }: { location: Location; date: string; therapist: string }) {
  const row = useHours(location, parseDate(date)).data?.rows.find((each) => each.name === therapist);
  return row ? (
    <p className={cx(css.whole, 'small muted')}>
      {therapist}: {hoursBeside(row)}
    </p>
  ) : null;
}
