import { randomUUID } from 'node:crypto';
import type { Holiday } from '@clinic/contract';
import { locationValues, parseTime, endMinute, type Location } from '@clinic/domain';
import type { Act } from '../../access/act.ts';
import { atEach, audit } from '../../access/audit.ts';
import { mayWorkAt, requireLocation } from '../../access/caller.ts';
import { bumpDays } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';

/**
 * Adds days to the list of holidays, at one location or at all of the account's, and returns how many were added: a day
 * that is on the list already stays as it is. They cancel nothing: closing does.
 */
export async function addHolidays(db: Db, holidays: readonly Holiday[], act: Act): Promise<number> {
  const all = holidays.flatMap((holiday) => placesOf(holiday, act).map((location) => ({ ...holiday, location })));
  const places = [...new Set(all.map(({ location }) => location))];
  return inTransaction(db, async (trx) => {
    await lockAll(
      trx,
      places.map((location) => `closures-of:${location}`),
    );
    const known = await trx
      .selectFrom('closure')
      .select(['location', 'first_date', 'first_minute', 'last_minute'])
      .where('holiday', '=', true)
      .where('reopened_at', 'is', null)
      .execute();
    const keyOf = (location: string, date: string, from: number, to: number): string =>
      JSON.stringify([location, date, from, to]);
    const taken = new Set(known.map((row) => keyOf(row.location, row.first_date, row.first_minute, row.last_minute)));
    const rows = all.flatMap(({ location, date, name, from_time, to_time }) => {
      const [first_minute, last_minute] = [parseTime(from_time) ?? 0, endMinute(parseTime(to_time) ?? 0)];
      if (first_minute >= last_minute) throw refusal('closure-reversed');
      const key = keyOf(location, date, first_minute, last_minute);
      if (taken.has(key)) return [];
      taken.add(key);
      return [{ location, first_date: date, last_date: date, first_minute, last_minute, name }];
    });
    if (rows.length === 0) return 0;
    const set = {
      act: randomUUID(),
      cause_id: null,
      holiday: true,
      recorded_by: act.caller.id,
      recorded_at: isoAt(act.at),
    };
    await trx
      .insertInto('closure')
      .values(rows.map((row) => ({ ...row, ...set, reopened_by: null, reopened_at: null })))
      .execute();
    await bumpDays(
      trx,
      rows.map(({ location, first_date }) => ({ location, date: first_date })),
    );
    const detail = { holidays: rows.length };
    const entry = { subjectKind: 'location', accountId: act.caller.id, requestId: act.requestId, detail };
    const entries = atEach(places, { action: 'holidays.added', subjectIds: places, ...entry });
    await audit(trx, act.at, ...entries);
    return rows.length;
  });
}

function placesOf({ location }: Holiday, act: Act): Location[] {
  if (location === null) return locationValues().filter((each) => mayWorkAt(act.caller, each));
  requireLocation(act.caller, location);
  return [location];
}
