import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

/** What a clinic's wall shows. */
export interface WallPresent {
  date: IsoDate;
  minutes: number;
}

/** What a clinic's wall shows now, by location. */
export type WallOf = (location: Location) => WallPresent;

/**
 * Where a date is cut at the present: minutes after midnight when the date is today at the clinic, null (the whole day)
 * otherwise. The demo clinic, which is one that has demo accounts, never cuts.
 */
export async function cutOf(db: Db, wall: WallPresent): Promise<(date: string) => number | null> {
  const demo = await db.selectFrom('account').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
  return (date) => (demo || date !== wall.date ? null : wall.minutes);
}
