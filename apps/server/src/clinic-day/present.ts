import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

/** The date and time at a clinic. */
export interface WallPresent {
  date: IsoDate;
  minutes: number;
}

/** The date and time now at each clinic. */
export type WallOf = (location: Location) => WallPresent;

/**
 * Where a date is cut at the present: in minutes after midnight if the date is today at the clinic, otherwise null (the
 * whole day). A demo clinic (one with demo accounts) is never cut.
 */
export async function cutOf(db: Db, wall: WallPresent): Promise<(date: string) => number | null> {
  const demo = await db.selectFrom('account').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
  return (date) => (demo || date !== wall.date ? null : wall.minutes);
}
