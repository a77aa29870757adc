import type { IsoDate, Location } from '@clinic/domain';
import { composed } from '../db/composed.ts';
import type { Db } from '../db/connection.ts';

/** The current date at a clinic, and the time in minutes after midnight. */
export interface WallPresent {
  date: IsoDate;
  minutes: number;
}

/**
 * Whether a date is past; no one needs to be told about changes to a past date. `cut` comes from `cutOf`. In a demo
 * clinic, no date counts as past.
 */
export const isOver = (date: IsoDate, wall: WallPresent, cut: (date: string) => number | null): boolean =>
  date < wall.date && cut(wall.date) !== null;

/** The current date and time at each clinic. */
export type WallOf = (location: Location) => WallPresent;

/**
 * Returns a function that gives the minute up to which a date counts as past: the current minute if the date is today
 * at the clinic, otherwise null. In a demo clinic (one with demo accounts), it always gives null.
 */
export async function cutOf(db: Db, wall: WallPresent): Promise<(date: string) => number | null> {
  const [demo] = await demoAccount(db, {});
  return (date) => (demo || date !== wall.date ? null : wall.minutes);
}

const demoAccount = composed((db) => db.selectFrom('account').select('id').where('demo', '=', true).limit(1).compile());
