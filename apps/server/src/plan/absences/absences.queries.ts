import { sql } from 'kysely';
import type { AuditAction } from '@clinic/contract';
import { groupBy, type Interval, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import type { AbsenceLossValues } from '../../day/facts/losses.ts';
import type { DayAbsence } from '../../day/facts/day.ts';
import {
  absenceOf,
  appointmentOf,
  selectAbsenceRows,
  selectAppointmentRows,
} from '../../day/facts/clinic-day.queries.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { onDate, onDateAnywhere } from '../../db/wall-time.ts';

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

/** A person on a date. */
export interface PersonOn {
  readonly person: AbsentPerson;
  readonly date: IsoDate;
}

/** Returns the ids of the therapists, or of the clients, among these people. */
const idsOf = (all: readonly PersonOn[], kind: PersonKind) =>
  anyOf(all.flatMap(({ person }) => (person.kind === kind ? person.id : [])));

/** For each of these people and dates, the person's absences at any location, except withdrawn ones, sorted by time. */
export async function selectStored(db: Db, all: readonly PersonOn[]): Promise<DayAbsence[][]> {
  const rows = await selectAbsenceRows(db)
    .where('date', '=', sql<IsoDate>`any(${[...new Set(all.map(({ date }) => date))]}::date[])`)
    .where((eb) =>
      eb.or([eb('therapist_id', '=', idsOf(all, 'therapist')), eb('client_id', '=', idsOf(all, 'client'))]),
    )
    .orderBy('start_minute')
    .execute();
  return all.map(({ person, date }) =>
    rows.filter((row) => row.date === date && row[column(person)] === person.id).map(absenceOf),
  );
}

const CHANGES: readonly AuditAction[] = ['absence.saved', 'absence.withdrawn', 'absence.restored'];

/**
 * Who last changed a person's absence on a date, and how, as the audit trail says: a stored absence does not say that it
 * was restored, or by whom.
 */
export async function selectLastChange(db: Db, { person, date }: PersonOn) {
  return db
    .selectFrom('audit')
    .select(['action', 'account_id'])
    .where(sql<boolean>`subject_ids @> ${[person.id]}::text[]`)
    .where('action', 'in', CHANGES)
    .where('subject_kind', '=', person.kind)
    .where(sql`detail->>'date'`, '=', date)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Withdraws stored absences, except those already withdrawn. `at` is in ISO 8601. */
export async function withdrawAbsences(db: Db, ids: readonly string[], accountId: string, at: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('absence')
    .set({ withdrawn_by: accountId, withdrawn_at: at })
    .where('id', '=', anyOf(ids, 'uuid'))
    .where('withdrawn_at', 'is', null)
    .execute();
}

/**
 * Absences to store: windows in minutes after midnight, each with its cause if that is known, and the location that
 * reports them.
 */
export interface NewAbsences extends PersonOn {
  readonly location: Location;
  readonly windows: readonly (Interval & { readonly loss: AbsenceLossValues; readonly leave: string | null })[];
}

/** Makes these stored absences dates of a leave, with its cause. */
export async function adoptAbsences(
  db: Db,
  list: readonly { readonly id: string; readonly leave: { readonly id: string; readonly loss: AbsenceLossValues } }[],
): Promise<void> {
  for (const { id, leave } of list)
    await db
      .updateTable('absence')
      .set({ leave_id: leave.id, ...leave.loss })
      .where('id', '=', id)
      .execute();
}

/** Stores people's absences; `at` is in ISO 8601. */
export async function insertAbsences(
  db: Db,
  all: readonly NewAbsences[],
  accountId: string | null,
  at: string,
): Promise<void> {
  const rows = all.flatMap(({ person, date, location, windows }) =>
    windows.map((w) => ({
      location,
      therapist_id: person.kind === 'therapist' ? person.id : null,
      client_id: person.kind === 'client' ? person.id : null,
      date,
      start_minute: w.start,
      end_minute: w.end,
      reported_by: accountId,
      reported_at: at,
      leave_id: w.leave,
      ...w.loss,
    })),
  );
  if (rows.length > 0) await db.insertInto('absence').values(rows).execute();
}

/**
 * For each of these people, every location where the person has an appointment on the date, or had an appointment that
 * a commit gave to someone else.
 */
export async function selectLocationsOf(db: Db, all: readonly PersonOn[]): Promise<Location[][]> {
  const found = new Map<PersonOn, Location[]>();
  for (const [date, people] of groupBy(all, (each) => each.date)) {
    const therapists = idsOf(people, 'therapist');
    const rows = await db
      .selectFrom('appointment')
      .select(['location', 'therapist_id', 'booked_therapist_id', 'client_id'])
      .distinct()
      .where(onDateAnywhere(date))
      .where((eb) =>
        eb.or([
          eb('therapist_id', '=', therapists),
          eb('booked_therapist_id', '=', therapists),
          eb('client_id', '=', idsOf(people, 'client')),
        ]),
      )
      .execute();
    for (const each of people) {
      const { kind, id } = each.person;
      const own = rows.filter((row) =>
        kind === 'client' ? row.client_id === id : row.therapist_id === id || row.booked_therapist_id === id,
      );
      found.set(each, [...new Set(own.map((row) => row.location))]);
    }
  }
  return all.map((each) => found.get(each) ?? []);
}

/** A client's appointments on a date. */
export async function selectOfClient(db: Db, clientId: string, date: IsoDate) {
  const rows = await selectAppointmentRows(db).where('client_id', '=', clientId).where(onDate(date)).execute();
  return rows.map((r) => appointmentOf(r, date));
}
