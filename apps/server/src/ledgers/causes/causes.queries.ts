import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Cause } from '@clinic/contract';
import { byName, plainName, type IsoDate, type Location, type LossSide, type PersonKind } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { versionOf } from '../../platform/content-version.ts';

/** The values that make up a cause's version. */
export const editable = ({ label, lost_by, retired }: Omit<Cause, 'id' | 'version'>): unknown[] => [
  label,
  lost_by,
  retired,
];

/** All causes sorted by label; retired causes come last. */
export async function selectCauses(db: Db): Promise<Cause[]> {
  const rows = await db.selectFrom('cause').select(['id', 'label', 'lost_by', 'retired_at']).execute();
  const causes = rows.map(({ retired_at, ...row }) => {
    const cause = { ...row, retired: retired_at !== null };
    return { ...cause, version: versionOf(editable(cause)) };
  });
  return byName(causes, ({ label }) => label).sort((a, b) => Number(a.retired) - Number(b.retired));
}

/**
 * Adds a cause and returns its id: its label and random characters. No id is given twice, because the remembered answers
 * of imports and open pages may still name a deleted cause.
 */
export async function insertCause(db: Db, label: string, lost_by: LossSide | null): Promise<string> {
  const made = plainName(label)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 30);
  const id = `${made || 'cause'}-${randomBytes(4).toString('hex')}`;
  await db.insertInto('cause').values({ id, label, lost_by }).execute();
  return id;
}

/** Changes a cause's label and `lost_by`, and offers a retired cause again. */
export async function updateCause(db: Db, id: string, label: string, lost_by: LossSide | null): Promise<void> {
  await db.updateTable('cause').set({ label, lost_by, retired_at: null }).where('id', '=', id).execute();
}

/** Deletes a cause, or retires it if it is used. Returns null if there is no such reason. */
export async function removeCause(db: Db, id: string, at: string): Promise<'deleted' | 'retired' | null> {
  const found = await db.selectFrom('cause').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  if (!found) return null;
  const { rows } = await sql<{ used: boolean }>`
    select exists (select 1 from absence where cause_id = ${id})
      or exists (select 1 from appointment where cause_id = ${id}) as used`.execute(db);
  if (rows[0]?.used === true) {
    await db.updateTable('cause').set({ retired_at: at }).where('id', '=', id).execute();
    return 'retired';
  }
  await db.deleteFrom('cause').where('id', '=', id).execute();
  return 'deleted';
}

/** An absence whose cause can be recorded. `known` is when the clinic learned of the absence, by the clinic's clock. */
export interface AbsenceToSay {
  readonly kind: PersonKind;
  readonly personId: string;
  readonly location: Location;
  readonly date: IsoDate;
  readonly known: string | null;
}

export async function selectAbsenceToSay(db: Db, id: string): Promise<AbsenceToSay | undefined> {
  const row = await db
    .selectFrom('absence')
    .select(['therapist_id', 'client_id', 'location', 'date', 'known_at as known'])
    .where('id', '=', id)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { therapist_id: therapist, client_id: client, location, date, known } = row;
  return {
    kind: therapist === null ? 'client' : 'therapist',
    personId: therapist ?? client ?? '',
    location,
    date,
    known,
  };
}

/** A cancelled session or a no-show whose cause can be recorded. */
export async function selectSessionToSay(db: Db, id: string) {
  const row = await db
    .selectFrom('appointment')
    .select(['location', 'client_id', 'known_at', sql<IsoDate>`starts::date`.as('date')])
    .where('id', '=', id)
    .where('status', 'in', ['cancelled', 'noshow'])
    .executeTakeFirst();
  return row && { location: row.location, clientId: row.client_id, known: row.known_at, date: row.date };
}
