import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

/** The current date at a clinic, and the time in minutes after midnight. */
export interface WallPresent {
  date: IsoDate;
  minutes: number;
}

/** Gives the minute up to which a date counts as past; null if none of it does. */
export type Cut = (date: string) => number | null;

/**
 * Whether a date is past; no one needs to be told about changes to a past date. `cut` comes from `cutOf`. In a demo
 * clinic, no date counts as past.
 */
export const isOver = (date: IsoDate, wall: WallPresent, cut: Cut): boolean =>
  date < wall.date && cut(wall.date) !== null;

/** The current date and time at each clinic. */
export type WallOf = (location: Location) => WallPresent;

/**
 * Returns a function that gives the minute up to which a date counts as past: the current minute if the date is today
 * at the clinic, otherwise null. In a demo clinic (one with demo accounts), it always gives null.
 */
export const cutOf = async (db: Db, wall: WallPresent): Promise<Cut> => cutAt(wall, await isDemoClinic(db));

/** Whether this is a demo clinic. */
export async function isDemoClinic(db: Db): Promise<boolean> {
  return (await demoQuery(db).executeTakeFirst()) !== undefined;
}

/** Like `cutOf`, when it is already known whether this is a demo clinic. */
export const cutAt =
  (wall: WallPresent, isDemo: boolean): Cut =>
  (date) =>
    isDemo || date !== wall.date ? null : wall.minutes;

/** Selects one row in a demo clinic, otherwise none. */
export const demoQuery = (db: Db) => db.selectFrom('account').select('id').where('demo', '=', true).limit(1);
