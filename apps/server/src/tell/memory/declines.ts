import { sql } from 'kysely';
import { overlaps, sayTime, type IsoDate, type Location, type LossSide } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { QueryRow } from '../../db/query-row.ts';
import type { Db } from '../../db/connection.ts';
import { rootOf, type DayAppointment, type Decline } from '../../day/facts/day.ts';

/** The declines of these dates at a location, oldest first, except those taken back. */
export async function selectDeclines(
  db: Db,
  location: Location,
  from: IsoDate,
  to: IsoDate = from,
): Promise<Decline[]> {
  return (await declineQuery(db, { location, from, to }).execute()).map(declineOfRow);
}

export const declineOfRow = (row: QueryRow<typeof declineQuery>): Decline => ({
  id: row.id,
  date: row.date,
  therapistId: row.therapist_id,
  clientId: row.client_id,
  scope: row.scope,
  sessions: row.sessions,
  saidTo: row.said_to,
  away: row.away,
  until: row.until_minute,
  saidAt: row.wall_minute,
  by: row.name ?? '',
  answerId: row.answer_id,
});

export const declineQuery = (db: Db, { location, from, to }: { location: Location; from: IsoDate; to: IsoDate }) =>
  db
    .selectFrom('call_decline as d')
    .leftJoin('account as a', 'a.id', 'd.account_id')
    .select(['d.date', 'd.therapist_id', 'd.client_id', 'd.scope', 'd.sessions', 'd.until_minute', 'd.away'])
    .select(['d.wall_minute', 'd.said_to', 'a.name'])
    // In JSON, a bigint would arrive as a number.
    .select([sql<string>`d.id::text`.as('id'), sql<string | null>`d.answer_id::text`.as('answer_id')])
    .where('d.location', '=', location)
    .where('d.date', '>=', from)
    .where('d.date', '<=', to)
    .where('d.ended_at', 'is', null)
    .orderBy('d.id');

/** An appointment, or a piece of one, with its therapist. */
type Held = Pick<DayAppointment, 'key' | 'parentId' | 'therapistId'>;

/**
 * Returns the sessions that are declined together with this one, each by the key of its original appointment
 * (`rootOf`): this session, those of the other children in its group, and the same child's session at that time with a
 * second therapist.
 */
export const declinedTogether = (day: readonly DayAppointment[], session: DayAppointment): string[] => {
  const isWith = (a: DayAppointment): boolean =>
    a.clientId === session.clientId || (a.groupKey !== null && a.groupKey === session.groupKey);
  const at = day.filter((a) => a.service === session.service && a.occupies && isWith(a) && overlaps(a, session));
  return [...new Set([session, ...at].map(rootOf))];
};

/** Returns the decline that keeps an appointment's therapist from taking the appointment. */
export const declineOf = (declines: readonly Decline[], appointment: Held): Decline | undefined =>
  declines.find((d) => d.therapistId === appointment.therapistId && d.sessions.includes(rootOf(appointment)));

type Sql = ReturnType<typeof sql>;

/**
 * Defines the SQL table `refused`: the sessions that these therapists declined, each by the key of its original
 * appointment (`rootOf`). `isRefused` needs this table.
 * @param therapistIds the ids as an array, or as an SQL expression for an array
 * @param onDays the condition on `x.date`, the date of the sessions
 */
export const refusedBy = (therapistIds: readonly string[] | Sql, onDays: Sql): Sql => sql`refused as (
    select x.location, x.date, x.therapist_id, unnest(x.sessions) as root from call_decline x
    where x.ended_at is null and x.therapist_id = ${
      Array.isArray(therapistIds) ? anyOf(therapistIds) : sql`any(${therapistIds})`
    } and ${onDays}
  )`;

/**
 * Does in SQL what `declineOf` does: tells whether the therapist of a row of this table declined the session and still
 * has it.
 */
export const isRefused = (table: 's' | 'a'): Sql => {
  const of = (column: string): Sql => sql.ref(`${table}.${column}`);
  // Few therapists decline anything on a date, so this condition comes first: most rows then need no costly conversion
  // of the key to text.
  return sql`case when (${of('therapist_id')}, ${of('starts')}::date) in (select r.therapist_id, r.date from refused r)
    then (${of('location')}, ${of('starts')}::date, ${of('therapist_id')},
      coalesce(${of('parent_id')}, ${of('id')})::text) in (table refused) else false end is true`;
};

/** Returns the day as it would be if a therapist said no to these sessions. */
export function declining<Day extends DayWithDeclines>(
  day: Day,
  therapistId: string,
  sessions: readonly string[],
): Day {
  const whatever = { clientId: null, saidTo: [], away: [], until: null, saidAt: 0, by: '', answerId: null };
  const decline = { id: '', date: day.date, scope: 'session' as const, therapistId, sessions, ...whatever };
  return withDeclines({ ...day, declines: [...day.declines, decline] });
}

interface DayWithDeclines {
  readonly date: IsoDate;
  readonly declines: readonly Decline[];
  readonly appointments: readonly (Held & Pick<DayAppointment, 'clientId' | 'declined'>)[];
}

/** Marks the appointments that the booked therapist will not take, and says why. */
export function withDeclines<Day extends DayWithDeclines>(day: Day): Day {
  if (day.declines.length === 0) return day;
  const appointments = day.appointments.map((appointment) => {
    const decline = declineOf(day.declines, appointment);
    return decline ? { ...appointment, declined: declinedWords(decline, appointment) } : appointment;
  });
  return { ...day, appointments };
}

/**
 * Decides who is responsible for the lost time of a declined session that no one else took: the therapist who said no,
 * or the child's family that refused the therapist. If another family of the group refused, the clinic is responsible.
 */
export const declinedBy = (decline: Decline, clientId: string | null): LossSide => {
  if (decline.clientId === null) return 'therapist';
  return decline.clientId === clientId ? 'family' : 'clinic';
};

/**
 * Says why the therapist will not take the session, in words that follow the therapist's name: `said no at 7:12`, or
 * `was refused by the family at 7:12`. For the other children in a group, `was refused by another family`.
 */
export function declinedWords(decline: Decline, appointment?: Pick<DayAppointment, 'clientId'>): string {
  const at = sayTime(decline.saidAt);
  if (decline.clientId === null) return `said no at ${at}`;
  const other = appointment !== undefined && appointment.clientId !== decline.clientId;
  return `was refused by ${other ? 'another' : 'the'} family at ${at}`;
}
