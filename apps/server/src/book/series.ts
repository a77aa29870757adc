import type { IsoDate, Location } from '@clinic/domain';
import type { SeriesReply } from '@clinic/contract';
import { selectAppointment } from '../day/facts/clinic-day.queries.ts';
import type { Db } from '../db/connection.ts';
import { requireLocation } from '../access/caller.ts';
import type { Caller } from '../access/sessions.ts';
import { countLater, selectFollowing, selectSeries } from './appointments.queries.ts';
import { unknownAppointment } from './targets.ts';

/**
 * Returns the dates of the later sessions that a change with `following` would include, how many later sessions it would
 * leave out (`apart`), and the dates that a change with `all` would include before this session.
 */
export async function readSeries(
  db: Db,
  caller: Caller,
  key: string,
  todayAt: (location: Location) => IsoDate,
): Promise<{ location: Location; clientId: string | null; reply: SeriesReply }> {
  const first = await selectAppointment(db, key);
  if (!first) throw unknownAppointment();
  const { location, clientId, seriesId } = first;
  requireLocation(caller, location);
  if (seriesId === null) return { location, clientId, reply: { dates: [], apart: 0 } };
  const following = await selectFollowing(db, first);
  const apart = (await countLater(db, first)) - following.length;
  const all = await selectFollowing(db, first, todayAt(location));
  const earlier = all.filter((each) => each.date < first.date).map((each) => each.date);
  const goesOn = (await selectSeries(db, seriesId)).until_date === null;
  return { location, clientId, reply: { dates: following.map((each) => each.date), apart, earlier, goes_on: goesOn } };
}
