import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { addDays, bookingHorizon, isoDate, weeklyDates, type IsoDate, type Location } from '@clinic/domain';
import { lockAll, locksOf, therapistWeek } from '../db/locks.ts';
import type { Db } from '../db/connection.ts';
import type { WallOf } from '../day/facts/present.ts';
import { writeSessions } from './book.ts';
import { brokenRulesOf } from './match.ts';
import { planDates } from './series-dates.ts';
import { madeUntil } from './series-book.ts';
import type { Wanted } from './wanted.ts';
import type { Writer } from '../access/audit.ts';
import { booking } from './write.ts';

/**
 * Books the next sessions of series that go on, up to the booking horizon, each series in a transaction of its own.
 * A date on which the therapist is away is booked too, and needs cover: the leave may have been planned after the
 * series. A meeting leaves that person out, and whoever has a session with a client then.
 * @param at milliseconds since 1970, by the access clock
 * @returns how many sessions were booked
 */
export async function makeSeriesFurther(db: Db, wallOf: WallOf, at: number): Promise<number> {
  const open = await db
    .selectFrom('weekly_series')
    .select(['id', 'location', 'made_until'])
    .where('until_date', 'is', null)
    .orderBy('made_until')
    .orderBy('id')
    .execute();
  let sessions = 0;
  for (const { id, location, made_until } of open)
    if (made_until < bookingHorizon(wallOf(location).date)) sessions += await makeFurther(db, id, location, wallOf, at);
  return sessions;
}

async function makeFurther(db: Db, id: string, location: Location, wallOf: WallOf, at: number): Promise<number> {
  const now = wallOf(location);
  const through = bookingHorizon(now.date);
  const act: Writer = { caller: { id: null }, requestId: null, at };
  return booking(db, EVERYWHERE, async (trx) => {
    const series = await trx
      .selectFrom('weekly_series')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!series || series.until_date !== null) return 0;
    const client = await trx
      .selectFrom('client')
      .select('end_date')
      .where('id', '=', series.client_id ?? '')
      .executeTakeFirst();
    const last = client?.end_date ?? null;
    const from = addDays(isoDate(series.made_until), 1);
    const all = weeklyDates(series.day_of_week, from > now.date ? from : now.date, through)
      .filter((date) => last === null || date <= last)
      .map((date): Wanted => ({ ...wantedOf(series), date }));
    const weeks = all.flatMap(({ therapistId, date }) =>
      therapistId === null ? [] : [therapistWeek(therapistId, date)],
    );
    await lockAll(trx, [...locksOf(all), ...weeks]);
    const broken = await brokenBefore(trx, id);
    const passes = (_: unknown, rule?: string): boolean => rule !== undefined && broken.has(rule);
    const { meeting } = series;
    const { caller } = EVERYWHERE;
    const plan = await planDates(trx, all, { caller, now, passes, meeting, coversAway: !meeting });
    const sessions = plan.made.map((wanted) => ({ key: randomUUID(), wanted, seriesId: id }));
    if (sessions.length > 0) await writeSessions(trx, act, sessions, { anyway: true, asks: null, now });
    const made_until = madeUntil(plan.made, plan.skipped, { until: null, through });
    await trx.updateTable('weekly_series').set({ made_until }).where('id', '=', id).execute();
    return sessions.length;
  });
}

const EVERYWHERE = { caller: { locations: null } };

type SeriesColumns = Readonly<{
  location: Location;
  client_id: string | null;
  therapist_id: string | null;
  service: Wanted['service'];
  subject: string;
  start_minute: number;
  end_minute: number;
  from_date: IsoDate;
}>;

const wantedOf = (series: SeriesColumns): Wanted => ({
  location: series.location,
  clientId: series.client_id,
  therapistId: series.therapist_id,
  service: series.service,
  subject: series.subject,
  start: series.start_minute,
  end: series.end_minute,
  date: series.from_date,
  status: null,
});

/** The rules that the last session of a series breaks: a coordinator let it, so the next ones may. */
async function brokenBefore(trx: Db, seriesId: string): Promise<ReadonlySet<string>> {
  const last = await trx
    .selectFrom('appointment')
    .select(['id', 'location', 'client_id', 'therapist_id', 'service', 'subject'])
    .select(sql<IsoDate>`starts::date`.as('date'))
    .select(sql<number>`extract(hour from starts)::int * 60 + extract(minute from starts)::int`.as('start'))
    .select(sql<number>`extract(hour from ends)::int * 60 + extract(minute from ends)::int`.as('end'))
    .where('series_id', '=', seriesId)
    .where('occupies', '=', true)
    .orderBy('starts', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) return new Set();
  const { id, client_id: clientId, therapist_id: therapistId, ...rest } = last;
  const broken = await brokenRulesOf(trx, [{ ...rest, clientId, therapistId, key: id, status: null }]);
  return new Set([...broken.values()].flat().map(({ rule }) => rule));
}
