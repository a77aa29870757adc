import type { SeriesReply } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import { requireLocation } from '../../platform/access/access.ts';
import type { Caller } from '../../platform/access/sessions.ts';
import { countLater, selectAppointment, selectFollowing } from './appointments.queries.ts';
import { unknownAppointment } from './targets.ts';

/** What a change of the scope `following` takes along; nothing where the session is in no series. */
export async function readSeries(db: Db, caller: Caller, key: string): Promise<SeriesReply> {
  const first = await selectAppointment(db, key);
  if (!first) throw unknownAppointment();
  requireLocation(caller, first.location);
  if (first.seriesId === null) return { dates: [], apart: 0 };
  const following = await selectFollowing(db, first);
  return { dates: following.map((each) => each.date), apart: (await countLater(db, first)) - following.length };
}
