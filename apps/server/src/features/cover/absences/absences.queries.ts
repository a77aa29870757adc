import { sql } from 'kysely';
import type { Interval, IsoDate, Location } from '@clinic/domain';
import type { PersonKind } from '../../../clinic-day/people.ts';
import type { LossValues } from '../../../clinic-day/losses.ts';
import type { DayAbsence } from '../../../clinic-day/day.ts';
import {
  absenceOf,
  appointmentOf,
  selectAbsenceRows,
  selectAppointmentRows,
} from '../../../clinic-day/clinic-day.queries.ts';
import { anyOf } from '../../../db/any-of.ts';
import type { Db } from '../../../db/connection.ts';
import { onDate, onDateAnywhere } from '../../../db/wall-time.ts';

/** The therapist or client who is away. */
export interface AbsentPerson {
  readonly kind: PersonKind;
  readonly id: string;
  readonly displayName: string;
  readonly location: Location;
}

/** The person with this id; undefined if there is none. */
export async function selectAbsentPerson(
  db: Db,
  { kind, id }: Pick<AbsentPerson, 'kind' | 'id'>,
): Promise<AbsentPerson | undefined> {
  const row = await db.selectFrom(kind).select(['display_name', 'location']).where('id', '=', id).executeTakeFirst();
  return row && { kind, id, displayName: row.display_name, location: row.location };
}

const column = (person: Pick<AbsentPerson, 'kind'>) => (person.kind === 'therapist' ? 'therapist_id' : 'client_id');

/** A person's absences on a date at any location, except withdrawn ones. */
export async function selectStored(db: Db, person: AbsentPerson, date: IsoDate): Promise<DayAbsence[]> {
  const rows = await selectAbsenceRows(db)
    .where(column(person), '=', person.id)
    .where('date', '=', date)
    .orderBy('start_minute')
    .execute();
  return rows.map(absenceOf);
}

/** Withdraws stored absences, except those already withdrawn. `at` is in ISO 8601. */
export async function withdrawAbsences(db: Db, ids: readonly string[], accountId: string, at: string): Promise<void> {
  await db
    .updateTable('absence')
    .set({ withdrawn_by: accountId, withdrawn_at: at })
    .where('id', '=', anyOf(ids, 'uuid'))
    .where('withdrawn_at', 'is', null)
    .execute();
}

/**
 * Absences to store: windows in minutes after midnight, the location that reports them, and the cause if it is known.
 */
export interface NewAbsences {
  readonly date: IsoDate;
  readonly location: Location;
  readonly windows: readonly Interval[];
  readonly loss: LossValues;
}

/** Stores a person's absences; `at` is in ISO 8601. */
export async function insertAbsences(
  db: Db,
  person: AbsentPerson,
  { date, location, windows, loss }: NewAbsences,
  accountId: string,
  at: string,
): Promise<void> {
  if (windows.length === 0) return;
  await db
    .insertInto('absence')
    .values(
      windows.map((w) => ({
        location,
        therapist_id: person.kind === 'therapist' ? person.id : null,
        client_id: person.kind === 'client' ? person.id : null,
        date,
        start_minute: w.start,
        end_minute: w.end,
        reported_by: accountId,
        reported_at: at,
        ...loss,
      })),
    )
    .execute();
}

/**
 * Finds every location where the person has an appointment on this date, or had one before a commit gave it to someone
 * else.
 */
export async function selectLocationsOf(db: Db, person: AbsentPerson, date: IsoDate): Promise<Location[]> {
  const mine =
    person.kind === 'therapist'
      ? sql<boolean>`(therapist_id = ${person.id} or booked_therapist_id = ${person.id})`
      : sql<boolean>`client_id = ${person.id}`;
  const rows = await db
    .selectFrom('appointment')
    .select('location')
    .distinct()
    .where(person.kind === 'therapist' ? onDateAnywhere(date) : onDate(date))
    .where(mine)
    .execute();
  return rows.map((r) => r.location);
}

/** A client's appointments on a date. */
export async function selectOfClient(db: Db, clientId: string, date: IsoDate) {
  const rows = await selectAppointmentRows(db).where('client_id', '=', clientId).where(onDate(date)).execute();
  return rows.map((r) => appointmentOf(r, date));
}
