import { sql } from 'kysely';
import { shortDate, timeSlot, type IsoDate, type Location } from '@clinic/domain';
import { UNASSIGNED, type Conflict } from '@clinic/contract';
import { meets, minutesAfter } from '../db/wall-time.ts';
import { allOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import type { AppointmentStatus } from '../db/schema/calendar.ts';
import { mayWorkAt } from '../access/caller.ts';
import { refusal, type Refusal } from '../platform/refusal.ts';
import type { Caller } from '../access/sessions.ts';

/** A booking that the database refused, with the values that would have been stored. */
export interface Claim {
  readonly key: string;
  readonly therapistId: string | null;
  readonly clientId: string | null;
  readonly direct: boolean;
  readonly admin: boolean;
  readonly seat: number;
  readonly place: string;
  readonly location: Location;
  readonly subject: string;
  readonly starts: string;
  readonly ends: string;
}

interface Rival {
  readonly date: IsoDate;
  readonly starts: string;
  readonly ends: string;
  readonly location: Location;
  readonly subject: string;
  readonly therapist: string | null;
  readonly client: string | null;
  readonly sameTherapist: boolean;
}

/**
 * Describes a double booking that the database has refused: for each appointment in the way, who is booked when. If no
 * appointment is in the way anymore, the refusal says so.
 */
export async function doubleBooking(
  db: Db,
  caller: Pick<Caller, 'locations'>,
  claims: readonly Claim[],
): Promise<Refusal> {
  const rivals: Rival[] = [];
  // Sessions that move together do not conflict with each other.
  const moving = claims.map((claim) => claim.key);
  for (const claim of claims) rivals.push(...(await selectRivals(db, claim, moving)));
  const conflicts = rivals.map((rival) => conflictOf(rival, caller));
  const [first] = conflicts;
  if (!first) return refusal('booked-just-now');
  return refusal('double-booked', first.why, conflicts.length - 1).with({ conflicts });
}

/**
 * Whether an appointment has the same people, times, place and subject. Its location and date lead PostgreSQL to their
 * index; without them it would walk a whole index of all years, since a person may be null here.
 */
const atSameTime = (claim: Claim) => sql<boolean>`
  (a.location = ${claim.location} and a.starts::date = ${claim.starts.slice(0, 10)}::date
    and a.starts = ${claim.starts}::timestamp and a.ends = ${claim.ends}::timestamp
    and a.subject = ${claim.subject} and a.client_id is not distinct from ${claim.clientId}::text
    and a.therapist_id is not distinct from ${claim.therapistId}::text)`;

/**
 * Whether an appointment is the same session, already booked. The database would not refuse a second copy of
 * administrative time, or of a session that overlaps direct care. Direct sessions without a therapist are left to the
 * database, because a 2:1 client may have two identical sessions.
 */
const sameSession = (claim: Claim) => sql<boolean>`
  (${atSameTime(claim)} and not (${claim.direct}::boolean and a.therapist_id is null))`;

/**
 * Whether a session is already on the calendar, for example because the request was sent again after no reply arrived.
 */
export async function isBookedAlready(trx: Db, claim: Claim): Promise<boolean> {
  const { rows } = await sql`
    select 1 from appointment a
    where a.id <> ${claim.key} and a.occupies and ${sameSession(claim)}
    limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Whether a session that takes no time, such as a cancelled one, is already on the calendar with this status. Two
 * identical sessions of a 2:1 client may both have been cancelled.
 */
export async function isRecordedAlready(trx: Db, claim: Claim, status: AppointmentStatus): Promise<boolean> {
  const { rows } = await sql`
    select 1 from appointment a left join client c on c.id = a.client_id
    where a.id <> ${claim.key} and a.status = ${status} and ${atSameTime(claim)} and not coalesce(c.two_to_one, false)
    limit 1`.execute(trx);
  return rows.length > 0;
}

/** What is in the way of a booking, in a sentence; null if nothing is. */
export async function inTheWay(db: Db, caller: Pick<Caller, 'locations'>, claim: Claim): Promise<string | null> {
  const [rival] = await selectRivals(db, claim, [claim.key]);
  return rival ? conflictOf(rival, caller).why : null;
}

async function selectRivals(db: Db, claim: Claim, moving: readonly string[]): Promise<Rival[]> {
  const { rows } = await sql<Rival>`
    select a.starts::date as date, a.starts, a.ends, a.location, a.subject, t.display_name as therapist,
      c.display_name as client, coalesce(a.therapist_id = ${claim.therapistId}::text, false) as "sameTherapist"
    from appointment a
    left join therapist t on t.id = a.therapist_id
    left join client c on c.id = a.client_id
    where a.id <> ${allOf(moving, 'uuid')} and a.occupies
      and ${meets(claim, 'a')}
      and ((a.therapist_id = ${claim.therapistId}::text and a.service <> 'admin' and not ${claim.admin}::boolean
              and a.place <> ${claim.place}::text)
        or (a.therapist_id = ${claim.therapistId}::text and a.service = 'admin' and ${claim.admin}::boolean
              and a.location <> ${claim.location}::text)
        or (a.client_id = ${claim.clientId}::text and a.service = 'direct' and ${claim.direct}::boolean
              and a.seat = ${claim.seat}::int)
        or ${sameSession(claim)})
    order by a.starts, a.id`.execute(db);
  return rows;
}

function conflictOf(rival: Rival, caller: Pick<Caller, 'locations'>): Conflict & { why: string } {
  const time = timeSlot(minutesAfter(rival.date, rival.starts), minutesAfter(rival.date, rival.ends));
  // The client's name is shown only to an account that may see the location of this appointment.
  const client = mayWorkAt(caller, rival.location) ? rival.client : null;
  const when = `on ${shortDate(rival.date)}, ${time}`;
  const why = rival.sameTherapist
    ? `${rival.therapist} is booked ${when}${client === null ? '' : ` with ${client}`}.`
    : `${client ?? 'The client'} has ${rival.subject} ${when} with ${rival.therapist ?? 'no therapist yet'}.`;
  return {
    date: rival.date,
    time,
    therapist: rival.therapist ?? UNASSIGNED,
    ...(client === null ? {} : { client }),
    location: rival.location,
    why,
  };
}
