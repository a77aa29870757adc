import { addDays, clinicLocations } from '@clinic/domain';
import { DAYS_BEFORE } from '../memory/call-day.ts';
import type { WallOf } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { openBookedDays } from '../lines/call-day.queries.ts';

/** Opens the call lists of today and the next days at every location. Opening an open list changes nothing. */
export async function openNearDays(db: Db, wallOf: WallOf): Promise<void> {
  for (const { value } of clinicLocations()) {
    const { date } = wallOf(value);
    await openBookedDays(db, value, date, addDays(date, DAYS_BEFORE));
  }
}
