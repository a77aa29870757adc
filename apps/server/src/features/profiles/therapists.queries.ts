import { sql } from 'kysely';
import { byName, type IsoDate, type Location } from '@clinic/domain';
import type { TherapistBody } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import { shownAs } from '../../db/profile-names.ts';

const COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'display_name',
  'location',
  'specialization',
  'gender',
  'start_date',
  'consistency',
  'version',
] as const;

/** A weekly window as it is stored; minutes after midnight. */
export interface StoredWindow {
  readonly id: string;
  readonly day_of_week: number;
  readonly start_minute: number;
  readonly end_minute: number;
}

/** The therapists who are with the clinic, by display name. `locations` null: all. */
export async function selectTherapists(db: Db, locations: readonly Location[] | null) {
  const rows = await db
    .selectFrom('therapist')
    .select(COLUMNS)
    .where('deleted_at', 'is', null)
    .$if(locations !== null, (query) =>
      query.where('location', '=', sql<Location>`any(${[...(locations ?? [])]}::text[])`),
    )
    .orderBy('id')
    .execute();
  return byName(rows, (row) => row.display_name);
}
export type StoredTherapist = Awaited<ReturnType<typeof selectTherapists>>[number];

/**
 * One therapist who is with the clinic; `lock` keeps the row as it is until the transaction ends. Not `for update`,
 * which would also wait for every booking of the therapist that is being written.
 */
export function selectTherapist(db: Db, id: string, lock = false): Promise<StoredTherapist | undefined> {
  return db
    .selectFrom('therapist')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** Weekly windows by therapist, in the week's order. */
export async function selectWindows(db: Db, ids: readonly string[]): Promise<Map<string, StoredWindow[]>> {
  const rows = await db
    .selectFrom('therapist_availability')
    .select(['id', 'therapist_id', 'day_of_week', 'start_minute', 'end_minute'])
    .where('therapist_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy('day_of_week')
    .orderBy('start_minute')
    .execute();
  const windows = new Map<string, StoredWindow[]>(ids.map((id) => [id, []]));
  for (const { therapist_id, ...window } of rows) windows.get(therapist_id)?.push(window);
  return windows;
}

type Fields = Pick<
  TherapistBody,
  'first_name' | 'last_name' | 'location' | 'specialization' | 'gender' | 'start_date'
> & { display_name: string; consistency: number | null };

export async function insertTherapist(trx: Db, id: string, fields: Fields): Promise<void> {
  await trx
    .insertInto('therapist')
    .values({ id, ...fields, ...shownAs(fields.display_name) })
    .execute();
}

export async function updateTherapist(trx: Db, id: string, fields: Fields, at: string): Promise<void> {
  await trx
    .updateTable('therapist')
    .set({ ...fields, ...shownAs(fields.display_name), version: sql`version + 1`, updated_at: at })
    .where('id', '=', id)
    .execute();
}

/** Replaces the windows with exactly these; windows with an id keep it. */
export async function replaceWindows(
  trx: Db,
  therapistId: string,
  windows: readonly (Omit<StoredWindow, 'id'> & { id: string | null })[],
): Promise<void> {
  await trx.deleteFrom('therapist_availability').where('therapist_id', '=', therapistId).execute();
  for (const { id, ...window } of windows) {
    await trx
      .insertInto('therapist_availability')
      .values({ ...(id === null ? {} : { id }), therapist_id: therapistId, ...window })
      .execute();
  }
}

/**
 * The days from `from` on whose plans a change of this therapist can affect: every day with sessions at these locations
 * (the therapist could cover there), and every day and location with a booking of the therapist.
 */
export async function selectTouchedDays(trx: Db, id: string, locations: readonly Location[], from: IsoDate) {
  const { rows } = await sql<{ location: Location; date: string }>`
    select location, starts::date as date from appointment
    where location = any(${[...locations]}::text[]) and starts::date >= ${from}::date
    union
    select location, starts::date from appointment where therapist_id = ${id} and starts >= ${from}::timestamp`.execute(
    trx,
  );
  return rows;
}
