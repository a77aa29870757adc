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
 * Where a date is cut at the present: minutes after midnight when the date is today at the clinic, otherwise null (the
 * whole day). A demo clinic, which is one with demo accounts, never cuts.
 */
export async function cutOf(db: Db, wall: WallPresent): Promise<(date: string) => number | null> {
  const demo = await db.selectFrom('account').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
  return (date) => (demo || date !== wall.date ? null : wall.minutes);
}
