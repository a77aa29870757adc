import { createHash, randomUUID } from 'node:crypto';
import {
  addDays,
  bookingHorizon,
  dayOfWeek,
  daysBetween,
  overlaps,
  weekdayName,
  weeklyDates,
  type IsoDate,
} from '@clinic/domain';
import type { SeriesBody, SeriesPreview } from '@clinic/contract';
import { selectAppointment } from '../day/facts/clinic-day.queries.ts';
import type { DatedAppointment } from '../day/facts/day.ts';
import { lockAll, locksOf, therapistWeek } from '../db/locks.ts';
import type { Db } from '../db/connection.ts';
import { requireLocation } from '../access/caller.ts';
import type { Act } from '../access/act.ts';
import type { Caller } from '../access/sessions.ts';
import { refusal } from '../platform/refusal.ts';
import { joinSeries } from './appointments.queries.ts';
import { MOST_DAYS, recordSeries, writeSessions } from './book.ts';
import { refuseMismatch } from './match.ts';
import { selectMatch } from './placing.queries.ts';
import { planDates, type PlannedDates, type Skipped } from './series-dates.ts';
import type { AppointmentContext } from './show.ts';
import { unknownAppointment } from './targets.ts';
import { readWanted, type Wanted } from './wanted.ts';
import { booking } from './write.ts';

/** A session that a series could have, and which of the days asked about it belongs to. */
type DayWanted = Wanted & { readonly day: number };

interface Asked {
  /** For each of the days, a session on its first date. */
  readonly days: readonly Wanted[];
  readonly all: readonly DayWanted[];
  readonly until: IsoDate | null;
  readonly through: IsoDate;
  /** The session that becomes the first of a series, and that series' day. */
  readonly joins: { readonly session: DatedAppointment; readonly day: number } | null;
}

/** Reads which sessions a request wants. Refuses (422) unknown people, times that overlap, and dates too far ahead. */
async function readAsked(
  db: Db,
  caller: Caller,
  body: SeriesBody,
  { now, adminClientName }: AppointmentContext,
): Promise<Asked> {
  const until = body.until ?? null;
  if (until !== null && until < body.from) throw refusal('series-ends-too-early');
  if (until !== null && daysBetween(body.from, until) > MOST_DAYS) throw refusal('series-too-long');
  const through = until ?? bookingHorizon(now.date, body.from);
  const days: Wanted[] = [];
  for (const { weekday, start, end, therapist } of body.days) {
    const date = addDays(body.from, (weekday - dayOfWeek(body.from) + 7) % 7);
    const { location, client, subject } = body;
    const one = { location, client, subject, therapist, date, start, end };
    days.push(await readWanted(db, caller, one, adminClientName));
  }
  if (body.meeting === true && days.some(({ clientId }) => clientId !== null)) throw refusal('meeting-with-client');
  for (const [i, day] of days.entries())
    if (days.slice(0, i).some((other) => isSamePerson(other, day) && meets(other, day)))
      throw refusal('series-days-overlap', weekdayName(dayOfWeek(day.date)));
  const joins = body.session === undefined ? null : await readJoining(db, caller, body.session, days);
  const all = days.flatMap((wanted, day) =>
    weeklyDates(dayOfWeek(wanted.date), body.from, through)
      .filter((date) => body.except?.includes(date) !== true)
      .filter((date) => joins?.day !== day || joins.session.date !== date)
      .map((date) => ({ ...wanted, date, day })),
  );
  return { days, all, until, through, joins };
}

const meets = (a: Wanted, b: Wanted): boolean => dayOfWeek(a.date) === dayOfWeek(b.date) && overlaps(a, b);
/** All sessions of a booking have one client; without one, it is a meeting of several people. */
const isSamePerson = (a: Wanted, b: Wanted): boolean => a.clientId !== null || a.therapistId === b.therapistId;

/** The session that becomes the first of a series. Refuses one that is in a series, or whose time no day has. */
async function readJoining(db: Db, caller: Caller, key: string, days: readonly Wanted[]): Promise<Asked['joins']> {
  const session = await selectAppointment(db, key);
  if (!session) throw unknownAppointment();
  requireLocation(caller, session.location);
  if (session.seriesId !== null) throw refusal('in-series-already');
  const day = days.findIndex(
    (each) =>
      dayOfWeek(each.date) === dayOfWeek(session.date) &&
      each.start === session.start &&
      each.end === session.end &&
      each.location === session.location &&
      each.subject === session.subject &&
      each.clientId === session.clientId &&
      each.therapistId === session.therapistId,
  );
  if (day === -1 || !session.occupies) throw refusal('series-of-other-times');
  return { session, day };
}

async function planned(
  db: Db,
  caller: Caller,
  { all, days }: Asked,
  { anyway, meeting = false }: Pick<SeriesBody, 'anyway' | 'meeting'>,
  { now }: AppointmentContext,
): Promise<PlannedDates<DayWanted>> {
  for (const { clientId, therapistId } of days)
    if (clientId !== null && therapistId !== null) refuseMismatch(await selectMatch(db, clientId, therapistId));
  return planDates(db, all, { caller, now, passes: () => anyway === true, meeting, coversAway: false });
}

/** Returns which sessions the series would have, and which dates would be skipped. Writes nothing. */
export async function previewSeries(
  db: Db,
  caller: Caller,
  body: SeriesBody,
  context: AppointmentContext,
): Promise<{ clientId: string | null; reply: SeriesPreview }> {
  return db.transaction().execute(async (trx) => {
    const asked = await readAsked(trx, caller, body, context);
    const plan = await planned(trx, caller, asked, body, context);
    const days = asked.days.map((_, day) => ({
      dates: plan.made.filter((each) => each.day === day).map(({ date }) => date),
      skipped: plan.skipped
        .filter(({ wanted }) => wanted.day === day)
        .map(({ wanted, kind, why }) => ({ date: wanted.date, kind, why })),
    }));
    const clientId = asked.days[0]?.clientId ?? null;
    return { clientId, reply: { version: versionOf(plan), through: asked.through, days } };
  });
}

/** Changes with the dates that would be booked or skipped. */
const versionOf = ({ made, skipped }: PlannedDates<DayWanted>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([made.map(({ day, date }) => [day, date]), skipped.map((each) => [each.wanted.date, each.why])]),
    )
    .digest('hex')
    .slice(0, 16);

/** What was booked of series. */
export interface BookedSeries {
  readonly sessions: number;
  readonly skipped: number;
  readonly first: IsoDate;
  readonly through: IsoDate;
  readonly keys: string[];
}

/**
 * Books weekly series, one for each day asked about, all of them or nothing. Dates that cannot be booked are skipped, as
 * the preview showed; refuses (409) if by now other dates would be booked than the preview showed.
 */
export async function bookSeries(
  db: Db,
  act: Act,
  body: SeriesBody,
  context: AppointmentContext,
): Promise<BookedSeries> {
  return booking(db, act, async (trx) => {
    const asked = await readAsked(trx, act.caller, body, context);
    const weeks = asked.all.flatMap(({ therapistId, date }) =>
      therapistId === null ? [] : [therapistWeek(therapistId, date)],
    );
    await lockAll(trx, [...locksOf([...asked.all, ...(asked.joins ? [asked.joins.session] : [])]), ...weeks]);
    const joins = asked.joins && (await stillJoins(trx, asked.joins));
    const anyway = body.anyway === true;
    const plan = await planned(trx, act.caller, asked, body, context);
    if (body.version !== undefined && body.version !== versionOf(plan)) throw refusal('series-changed');
    const first = plan.made[0];
    if (!first) throw refusal('series-without-dates', plan.skipped[0]?.why ?? null);
    const ids = new Map<number, string>();
    for (const [day, wanted] of asked.days.entries()) {
      const own = plan.made.find((each) => each.day === day);
      const begins = joins?.day === day ? { ...wanted, date: joins.session.date } : own;
      if (!begins) continue;
      const skipped = plan.skipped.filter((each) => each.wanted.day === day);
      const made = madeUntil(
        plan.made.filter((each) => each.day === day),
        skipped,
        asked,
      );
      ids.set(day, await recordSeries(trx, begins, { until: asked.until, made, meeting: body.meeting === true }));
    }
    if (joins) await joinSeries(trx, [joins.session.key], ids.get(joins.day) ?? '');
    const sessions = plan.made.map(({ day, ...wanted }) => ({
      key: randomUUID(),
      wanted,
      seriesId: ids.get(day) ?? null,
    }));
    await writeSessions(trx, act, sessions, { anyway, asks: null, now: context.now });
    return {
      sessions: plan.made.length,
      skipped: plan.skipped.length,
      first: first.date,
      through: asked.through,
      keys: [...ids.values()].flatMap((id) => sessions.find((each) => each.seriesId === id)?.key ?? []),
    };
  });
}

async function stillJoins(trx: Db, joins: NonNullable<Asked['joins']>): Promise<NonNullable<Asked['joins']>> {
  const now = await selectAppointment(trx, joins.session.key, true);
  if (!now || now.version !== joins.session.version || now.seriesId !== null) throw refusal('series-changed');
  return joins;
}

/**
 * The date up to which a series that goes on has been booked. Dates at its end that no authorization pays for yet are
 * left for later, when the authorization may have been renewed.
 */
export function madeUntil(
  made: readonly Wanted[],
  skipped: readonly Skipped<Wanted>[],
  { until, through }: Pick<Asked, 'until' | 'through'>,
): IsoDate {
  if (until !== null) return through;
  const last = made.at(-1)?.date ?? '';
  const waits = skipped.filter(({ wanted, kind }) => kind === 'authorization' && wanted.date > last);
  const [first] = waits;
  return first ? addDays(first.wanted.date, -1) : through;
}
