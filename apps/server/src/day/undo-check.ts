import { sql } from 'kysely';
import { UNASSIGNED, type Conflict } from '@clinic/contract';
import { isoDate, timeSlot, type Location } from '@clinic/domain';
import { allOf, anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { minutesAfter, timestampOf } from '../db/wall-time.ts';
import type { AppointmentChange } from './appointment-states.ts';
import { cutOf, type WallPresent } from './facts/present.ts';

/**
 * A change to the calendar that a user may want to undo: its location, and when it was made, by the clinic's clock
 * (`YYYY-MM-DD HH:MM:00`).
 */
interface Undoable {
  readonly location: Location;
  readonly wall: string;
}

/**
 * Finds what prevents an undo of a change: an appointment has changed since, its time has passed, or its people now
 * have other bookings at that time. Each conflict names the people. With `lock`, the rows stay locked, for an undo in
 * the same transaction.
 */
export async function undoConflicts(
  db: Db,
  wall: WallPresent,
  act: Undoable,
  changes: readonly AppointmentChange[],
  lock = true,
): Promise<Conflict[]> {
  return [
    ...(await changedLater(db, act, changes, lock)),
    ...(await deliveredSince(db, wall, act, changes)),
    ...(await bookedOtherwise(db, act, changes)),
  ];
}

/** Says in a sentence, for lists, why the undo would be refused; null if it would succeed. */
export function whyNotUndo([first, ...others]: readonly Conflict[]): string | null {
  if (first?.why === undefined) return null;
  return others.length === 0 ? first.why : `${first.why} (and ${others.length} more)`;
}

/** The names that a conflict shows. */
interface Names {
  readonly client: string;
  /** The therapist who had the session before the change. */
  readonly therapist: string;
}

/** Returns a function that describes a conflict and names the people involved, except other locations' clients. */
async function names(
  trx: Db,
  here: Location,
  changes: readonly AppointmentChange[],
): Promise<(c: AppointmentChange, why: (names: Names) => string) => Conflict> {
  const ids = [...new Set(changes.flatMap((c) => [c.before?.therapistId, c.after.therapistId, c.clientId]))];
  const among = anyOf(ids.filter((i) => i != null));
  const therapists = await trx.selectFrom('therapist').select(['id', 'display_name']).where('id', '=', among).execute();
  const clients = await trx.selectFrom('client').select(['id', 'display_name']).where('id', '=', among).execute();
  const nameOf = new Map([...therapists, ...clients].map((p) => [p.id, p.display_name]));
  return (c, why) => {
    const date = isoDate(c.date);
    const client = c.location === here ? nameOf.get(c.clientId ?? '') : undefined;
    return {
      date,
      time: timeSlot(minutesAfter(date, c.after.starts), minutesAfter(date, c.after.ends)),
      therapist: nameOf.get(c.after.therapistId ?? c.before?.therapistId ?? '') ?? UNASSIGNED,
      ...(client === undefined ? {} : { client }),
      why: why({
        client: client ?? 'the client',
        therapist: nameOf.get(c.before?.therapistId ?? '') ?? 'the therapist',
      }),
    };
  };
}

/** Reports a conflict for each appointment that has changed since the commit. */
async function changedLater(
  trx: Db,
  { location }: Undoable,
  changes: readonly AppointmentChange[],
  lock: boolean,
): Promise<Conflict[]> {
  const keys = changes.map((c) => c.key);
  const rows = await trx
    .selectFrom('appointment')
    .select(['id', 'version', 'subject', 'client_id', 'therapist_id', 'booked_therapist_id', 'status'])
    .select(['starts', 'ends', 'place', 'client_place', 'clash', 'commit_id'])
    .where('id', '=', anyOf(keys, 'uuid'))
    .$if(lock, (query) => query.forUpdate())
    .execute();
  const now = new Map(
    rows.map((r) => [
      r.id,
      {
        version: r.version,
        state: [r.subject, r.client_id, r.therapist_id, r.booked_therapist_id, r.status, r.starts, r.ends].concat([
          r.place,
          r.client_place,
          String(r.clash),
          r.commit_id,
        ]),
      },
    ]),
  );
  const changed = changes.filter((c) => {
    const found = now.get(c.key);
    const { after } = c;
    // A later change that was undone has raised the version, although the session is again as the commit left it.
    const state = [
      c.subject,
      c.clientId,
      after.therapistId,
      after.bookedTherapistId,
      after.status,
      after.starts,
    ].concat([after.ends, after.place, after.clientPlace, String(after.clash), after.commitId]);
    return found?.version !== after.version && JSON.stringify(found?.state) !== JSON.stringify(state);
  });
  if (changed.length === 0) return [];
  const conflict = await names(trx, location, changed);
  return changed.map((c) =>
    conflict(c, ({ client }) => `${client}'s session has changed since these changes were submitted.`),
  );
}

/**
 * Reports a conflict for each session that was given to another therapist and has begun since. A delivered session is
 * never changed.
 */
async function deliveredSince(
  trx: Db,
  wall: WallPresent,
  commit: Undoable,
  changes: readonly AppointmentChange[],
): Promise<Conflict[]> {
  // In the demo clinic, no part of today counts as past.
  if ((await cutOf(trx, wall))(wall.date) === null) return [];
  const now = timestampOf(wall.date, wall.minutes);
  const begun = changes.filter(
    (c) =>
      c.what !== 'kept' &&
      c.after.therapistId !== null &&
      c.after.status !== 'cancelled' &&
      commit.wall <= c.after.starts &&
      c.after.starts < now,
  );
  if (begun.length === 0) return [];
  const conflict = await names(trx, commit.location, begun);
  return begun.map((c) =>
    conflict(c, ({ client }) => `${client}'s session has begun since these changes were submitted.`),
  );
}

/** Reports a conflict for each appointment that overlaps an appointment that the undo would restore. */
async function bookedOtherwise(
  trx: Db,
  { location }: Undoable,
  changes: readonly AppointmentChange[],
): Promise<Conflict[]> {
  const keys = changes.map((c) => c.key);
  const restored = changes.flatMap((c) => (c.before ? [c.before] : []));
  const { rows } = await sql<{ key: string }>`
    select distinct s.key
    from jsonb_to_recordset(${JSON.stringify(restored)}::jsonb) as s(
      key uuid, "therapistId" text, status text, starts timestamp, ends timestamp, place text)
    join appointment a on a.therapist_id = s."therapistId" and a.place <> s.place and a.occupies
      and a.service <> 'admin' and tsrange(a.starts, a.ends) && tsrange(s.starts, s.ends)
    where s.status in ('pending', 'booked', 'fulfilled') and a.id <> ${allOf(keys, 'uuid')}`.execute(trx);
  const taken = changes.filter((c) => rows.some((r) => r.key === c.key));
  if (taken.length === 0) return [];
  const conflict = await names(trx, location, taken);
  return taken.map((c) =>
    conflict(
      c,
      ({ client, therapist }) =>
        `${therapist}, who had ${client}'s session before, is now booked elsewhere at that time.`,
    ),
  );
}
