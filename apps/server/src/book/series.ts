import type { Location } from '@clinic/domain';
import type { SeriesReply } from '@clinic/contract';
import { selectAppointment } from '../day/facts/clinic-day.queries.ts';
import type { Db } from '../db/connection.ts';
import { requireLocation } from '../access/caller.ts';
import type { Caller } from '../access/sessions.ts';
import { countLater, selectFollowing } from './appointments.queries.ts';
import { unknownAppointment } from './targets.ts';

/**
 * Returns the dates of the later sessions that a change with `following` would include, and how many later sessions it
 * would leave out (`apart`).
 */
export async function readSeries(
  db: Db,
  caller: Caller,
  key: string,
): Promise<{ location: Location; clientId: string | null; reply: SeriesReply }> {
  const first = await selectAppointment(db, key);
  if (!first) throw unknownAppointment();
  const { location, clientId, seriesId } = first;
  requireLocation(caller, location);
  if (seriesId === null) return { location, clientId, reply: { dates: [], apart: 0 } };
  const following = await selectFollowing(db, first);
  const apart = (await countLater(db, first)) - following.length;
  return { location, clientId, reply: { dates: following.map((each) => each.date), apart } };
}
