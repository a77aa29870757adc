import { addDays, LOCATIONS } from '@clinic/domain';
import type { WallOf } from '../../../clinic-day/present.ts';
import type { Db } from '../../../db/connection.ts';
import { openBookedDays } from './call-day.queries.ts';

/** How many days ahead people must be told of a date's changes; with three, a Friday's call list covers Monday. */
const DAYS_BEFORE = 3;

/** Opens the call lists of today and the next days at every location. Opening an open list changes nothing. */
export async function openNearDays(db: Db, wallOf: WallOf): Promise<void> {
  for (const { value } of LOCATIONS) {
    const { date } = wallOf(value);
    await openBookedDays(db, value, date, addDays(date, DAYS_BEFORE));
  }
}
