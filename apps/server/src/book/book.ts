import { randomUUID } from 'node:crypto';
import { addDays, dayOfWeek, daysBetween, type IsoDate } from '@clinic/domain';
import { type AppointmentBody, type WireAppointment } from '@clinic/contract';
import { askForBooked } from '../day/ask-extra.ts';
import { closureOf, selectClosures } from '../day/facts/closures.ts';
import { nearDays, openCallDays } from '../tell/memory/call-day.ts';
import { lockAll, locksOf } from '../db/locks.ts';
import type { Db } from '../db/connection.ts';
import type { Act } from '../access/act.ts';
import type { Writer } from '../access/audit.ts';
import { isoAt } from '../platform/clock.ts';
import type { WallPresent } from '../day/facts/present.ts';
import { refusal } from '../platform/refusal.ts';
import { insertAppointment, insertEvents, insertSeries, type AppointmentFields } from './appointments.queries.ts';
import { passRules, refuseMismatch } from './match.ts';
import { selectMatch } from './placing.queries.ts';
import { showAppointments, type AppointmentContext } from './show.ts';
import { readWanted, timesOf, type Wanted } from './wanted.ts';
import { booking, claimOf, claiming, placeOf, refuseTwice, settleWrite } from './write.ts';

/** The maximum length of a weekly series, in days. */
export const MOST_DAYS = 366;

/**
 * Books a session, or a weekly series up to `weekly_until`, all of it or nothing. Refuses a double booking (409, with
 * names and times), a therapist whom the client's restrictions rule out (422), and bookings that break rules which the
 * caller may override with `anyway` (409). People who are away can be booked; the session then needs cover, and the
 * reply says so.
 */
export async function bookAppointments(
  db: Db,
  act: Act,
  body: AppointmentBody,
  context: AppointmentContext,
): Promise<WireAppointment[]> {
  const wanted = await readWanted(db, act.caller, body, context.adminClientName);
  const until = body.weekly_until ?? null;
  const dates = await openDates(db, wanted, datesOf(wanted.date, until));
  const all = dates.map((date) => ({ key: randomUUID(), wanted: { ...wanted, date } }));
  return booking(db, act, async (trx) => {
    const last = all.at(-1)?.wanted.date ?? wanted.date;
    const seriesId =
      until === null ? null : await recordSeries(trx, wanted, { until: last, made: last, meeting: false });
    const sessions = all.map((each) => ({ ...each, seriesId }));
    const asks = body.ask === true && until === null ? act : null;
    await writeSessions(trx, act, sessions, { anyway: body.anyway === true, asks, now: context.now });
    return showAppointments(
      trx,
      all.map(({ key }) => key),
      context,
    );
  });
}

/** A session to book, and the series that it belongs to, if any. */
export interface NewSession {
  readonly key: string;
  readonly wanted: Wanted;
  readonly seriesId: string | null;
}

/**
 * Books these sessions in the caller's transaction, all of them or none, with their history and the audit trail. Runs
 * in `booking`.
 */
export async function writeSessions(
  trx: Db,
  act: Writer,
  all: readonly NewSession[],
  how: { readonly anyway: boolean; readonly asks: Act | null; readonly now: WallPresent },
): Promise<void> {
  const wanted = all.map((each) => each.wanted);
  await lockAll(trx, locksOf(wanted));
  for (const [clientId, therapistId] of pairsOf(wanted)) refuseMismatch(await selectMatch(trx, clientId, therapistId));
  await openCallDays(trx, [...nearDays(wanted, how.now.date), ...(how.asks === null ? [] : wanted)]);
  const placed: Placed[] = [];
  for (const each of all) placed.push({ ...each, placed: await placeOf(trx, each.key, each.wanted) });
  const claims = placed.map((each) => claimOf(each.key, each.wanted, each.placed));
  await refuseTwice(trx, claims, wanted[0]?.status ?? undefined);
  await claiming(claims, async () => {
    for (const each of placed) await insertAppointment(trx, each.key, fieldsOf(each), each.seriesId);
  });
  // Asked last: nobody should book anyway what is then refused.
  const bookings = all.map(({ key, wanted: own }) => ({ ...own, key }));
  const passed = await passRules(trx, bookings, { ...how, asks: how.asks !== null }, how.now);
  const events = placed.map((each) => ({
    key: each.key,
    what: 'booked',
    reason: passed?.reason ?? null,
    before: null,
    after: { ...each.wanted, status: each.wanted.status ?? 'pending' },
  }));
  await insertEvents(trx, act.caller.id, isoAt(act.at), events);
  if (how.asks) for (const each of all) await askForBooked(trx, { ...each.wanted, session: each.key }, how.asks);
  const series = [...new Set(all.map((each) => each.seriesId))];
  await settleWrite(trx, act, {
    action: 'appointment.booked',
    keys: all.map((each) => each.key),
    touched: wanted,
    detail: {
      series: series.length > 1 ? series : (series[0] ?? null),
      ...(passed === null ? {} : { passed: passed.rules }),
    },
  });
}

/** Each client and therapist of these sessions, once. */
function pairsOf(wanted: readonly Wanted[]): (readonly [client: string, therapist: string])[] {
  const pairs = new Map<string, readonly [string, string]>();
  for (const { clientId, therapistId } of wanted)
    if (clientId !== null && therapistId !== null) pairs.set(`${clientId} ${therapistId}`, [clientId, therapistId]);
  return [...pairs.values()];
}

/** Returns the first date, and the same day of each following week up to `until`. */
function datesOf(first: IsoDate, until: IsoDate | null): IsoDate[] {
  if (until === null) return [first];
  const days = daysBetween(first, until);
  if (days < 0) throw refusal('series-ends-too-early');
  if (days > MOST_DAYS) throw refusal('series-too-long');
  return Array.from({ length: Math.floor(days / 7) + 1 }, (_, week) => addDays(first, 7 * week));
}

/**
 * The dates of a series on which its location is open: holidays and closures are skipped. The first date stays, so that a
 * booking in a closed time is asked about like any other.
 */
async function openDates(db: Db, wanted: Wanted, dates: readonly IsoDate[]): Promise<IsoDate[]> {
  const closures = await selectClosures(db, wanted.date, dates.at(-1) ?? wanted.date);
  return dates.filter((date, week) => week === 0 || closureOf(closures, { ...wanted, date }) === undefined);
}

/**
 * Stores a weekly series that begins with this session; returns its id.
 * @param until its last date; null if it goes on
 * @param made the date up to which its sessions exist
 * @param meeting whether it is a meeting's
 */
export function recordSeries(
  trx: Db,
  wanted: Wanted,
  { until, made, meeting }: { readonly until: IsoDate | null; readonly made: IsoDate; readonly meeting: boolean },
): Promise<string> {
  return insertSeries(trx, {
    location: wanted.location,
    client_id: wanted.clientId,
    therapist_id: wanted.therapistId,
    service: wanted.service,
    subject: wanted.subject,
    day_of_week: dayOfWeek(wanted.date),
    start_minute: wanted.start,
    end_minute: wanted.end,
    from_date: wanted.date,
    until_date: until,
    made_until: made,
    meeting,
  });
}

interface Placed extends NewSession {
  readonly placed: Awaited<ReturnType<typeof placeOf>>;
}

function fieldsOf({ key, wanted, placed }: Placed): AppointmentFields {
  return {
    location: wanted.location,
    client_id: wanted.clientId,
    therapist_id: wanted.therapistId,
    booked_therapist_id: null,
    service: wanted.service,
    subject: wanted.subject,
    status: wanted.status ?? ('pending' as const),
    ...timesOf(wanted),
    ...placed,
    client_place: key,
    clash: false,
    commit_id: null,
  };
}
