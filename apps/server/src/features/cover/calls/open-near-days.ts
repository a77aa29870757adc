import { addDays, LOCATIONS } from '@clinic/domain';
import type { WallOf } from '../../../clinic-day/present.ts';
import type { Db } from '../../../db/connection.ts';
import { openBookedDays } from './call-day.queries.ts';

/** From this many days before a date, what changes on it must be told: Friday's changes of Monday are among them. */
const DAYS_BEFORE = 3;

/** Opens the call lists of today and the days that come next, at every location. Done often, it changes nothing more. */
export async function openNearDays(db: Db, wallOf: WallOf): Promise<void> {
  for (const { value } of LOCATIONS) {
    const { date } = wallOf(value);
    await openBookedDays(db, value, date, addDays(date, DAYS_BEFORE));
  }
}
