import { sql } from 'kysely';
import {
  addDays,
  hoursSentence,
  hoursWindow,
  loadOf,
  medianOf,
  type HourLimits,
  type Hours,
  type IsoDate,
} from '@clinic/domain';
import type { Rules } from '@clinic/contract';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import type { DayAbsence } from '../../day/facts/day.ts';
import { isRefused, refusedBy } from '../../tell/memory/declines.ts';
import { minutesOf } from './kept-spans.ts';

/**
 * A therapist's work on one day, in minutes. Overlapping time is counted only once. Time away and declined sessions are
 * left out.
 */
export interface WorkedDay {
  readonly therapistId: string;
  readonly date: IsoDate;
  readonly booked: number;
  /** The minutes of sessions taken over from other therapists. */
  readonly cover: number;
  /** The minutes of `booked` that had passed at the given time; 0 if no time was given. */
  readonly worked: number;
}

interface SupposedAway {
  readonly date: IsoDate;
  readonly absences: readonly DayAbsence[];
}

/**
 * Selects the days from `from` through `until` on which these therapists have sessions, at any location. The query
 * reads only these therapists' sessions on these days, however long the history is.
 * @param now the clinic's time, formatted as a database timestamp
 * @param supposed absences on one date that replace the stored ones
 * @param bookedFrom on days before this date, only cover is counted, and `booked` means nothing
 */
export async function selectWorkedDays(
  db: Db,
  therapistIds: readonly string[],
  [from, until]: readonly [IsoDate, IsoDate],
  now: string | null = null,
  supposed: SupposedAway | null = null,
  bookedFrom: IsoDate = from,
): Promise<WorkedDay[]> {
  if (therapistIds.length === 0) return [];
  const ids = anyOf(therapistIds);
  const { rows } = await sql<WorkedDay>`
    with away as (
      select therapist_id, date, range_agg(tsrange(date + make_interval(mins => start_minute),
        date + make_interval(mins => end_minute))) as spans
      from (
        select therapist_id, date, start_minute, end_minute from absence
        where therapist_id = ${ids} and withdrawn_at is null and date between ${from} and ${until}
          and date is distinct from ${supposed?.date ?? null}::date
        union all
        select "therapistId", ${supposed?.date ?? null}::date, start, "end"
        from jsonb_to_recordset(${JSON.stringify(supposed?.absences ?? [])}::jsonb)
          as a ("therapistId" text, start int, "end" int)
        where "therapistId" = ${ids}
      ) each
      group by therapist_id, date
    ), ${refusedBy(therapistIds, sql`x.date between ${from} and ${until}`)}, busy as (
      select therapist_id, starts::date as date, range_agg(tsrange(starts, ends)) as spans,
        range_agg(tsrange(starts, ends)) filter (where booked_therapist_id <> therapist_id) as cover
      from appointment a
      where therapist_id = ${ids} and occupies and not ${isRefused('a')}
        and starts >= ${from}::timestamp and starts < ${addDays(until, 1)}::timestamp
        and (starts >= ${bookedFrom}::timestamp or booked_therapist_id <> therapist_id)
      group by therapist_id, starts::date
    )
    select b.therapist_id as "therapistId", b.date::text as date, ${minutesOf(sql`kept.spans`)} as booked,
      case when b.cover is null then 0 else ${minutesOf(sql`b.cover - coalesce(a.spans, '{}')`)} end as cover,
      case when ${now}::timestamp is null then 0
        else ${minutesOf(sql`kept.spans * tsmultirange(tsrange(null, ${now}::timestamp))`)} end as worked
    from busy b left join away a using (therapist_id, date),
      lateral (select b.spans - coalesce(a.spans, '{}') as spans) kept
    order by b.therapist_id, b.date`.execute(db);
  return rows;
}

const NONE: Hours = { week: 0, day: 0, cover7: 0, cover28: 0 };

/**
 * Adds up a therapist's minutes: those booked in the week and on the date, and those covered in the 7 and 28 days up to
 * the date.
 */
export function hoursOn(days: readonly WorkedDay[], date: IsoDate): Hours {
  const { monday, sunday, coverFrom } = hoursWindow(date);
  const sum = (from: IsoDate, until: IsoDate, of: 'booked' | 'cover') =>
    days.reduce((n, day) => n + (from <= day.date && day.date <= until ? day[of] : 0), 0);
  return {
    week: sum(monday, sunday, 'booked'),
    day: sum(date, date, 'booked'),
    cover7: sum(addDays(date, -6), date, 'cover'),
    cover28: sum(coverFrom, date, 'cover'),
  };
}

/**
 * Returns the hours of each of these therapists around the date. On the date itself, the given absences replace the
 * stored absences.
 */
export async function loadHours(
  db: Db,
  therapistIds: readonly string[],
  date: IsoDate,
  absences?: readonly DayAbsence[],
): Promise<Map<string, Hours>> {
  const { monday, sunday, coverFrom } = hoursWindow(date);
  const supposed = absences === undefined ? null : { date, absences };
  const days = await selectWorkedDays(db, therapistIds, [coverFrom, sunday], null, supposed, monday);
  const own = new Map<string, WorkedDay[]>(therapistIds.map((id) => [id, []]));
  for (const day of days) own.get(day.therapistId)?.push(day);
  return new Map([...own].map(([id, list]) => [id, list.length === 0 ? NONE : hoursOn(list, date)]));
}

interface LimitColumns {
  readonly week_minutes: number | null;
  readonly day_minutes: number | null;
  readonly guaranteed_minutes: number | null;
}

/**
 * Returns a therapist's hour limits from the database row. Without a weekly limit in the row, the clinic's limit
 * applies.
 */
export const limitsOf = (row: LimitColumns, rules: Rules): HourLimits => ({
  week: row.week_minutes ?? rules.week_hours * 60,
  day: row.day_minutes,
  guaranteed: row.guaranteed_minutes,
});

/**
 * Returns a function that works out, from a therapist's hours and limits, how much more work a plan may give them.
 * @param colleagues the therapists whose median hours of cover each therapist is compared with
 */
export function workloads(hours: ReadonlyMap<string, Hours>, rules: Rules, colleagues: Iterable<string>) {
  const median = medianOf([...colleagues].flatMap((id) => hours.get(id)?.cover28 ?? []));
  return (therapistId: string, limits: LimitColumns) => {
    const own = hours.get(therapistId);
    if (!own) return null;
    const most = limitsOf(limits, rules);
    return { ...loadOf(own, most, median), standing: hoursSentence(own, most), hours: own, limits: most };
  };
}
