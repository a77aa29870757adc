import { sql } from 'kysely';
import type { IsoDate } from '@clinic/domain';
import { minutesAfter } from '../../db/wall-time.ts';
import type { Db } from '../../db/connection.ts';
import { lockProfileNames } from '../../db/profile-names.ts';
import type { Windows } from './import-types.ts';
import type { KnownRow, Snapshot, StoredAppointment } from './snapshot.ts';

/**
 * Holds, until the transaction ends, everything that an import reads and writes: no name is given and no appointment
 * written meanwhile. Readers do not wait.
 */
export async function lockForImport(trx: Db): Promise<void> {
  await lockProfileNames(trx, 'therapist');
  await lockProfileNames(trx, 'client');
  await sql`lock table therapist, client, appointment, import_row in share row exclusive mode`.execute(trx);
}

/** What the database holds of people, of earlier imports, and of the dates and Ids that a file has. */
export async function readSnapshot(
  db: Db,
  wanted: { readonly from: string | null; readonly until: string | null; readonly ids: ReadonlySet<string> },
): Promise<Snapshot> {
  const known = await selectKnown(db);
  // An Id's appointment may lie on other dates than the file now says.
  const targets = [...known.appointment]
    .filter(([key]) => wanted.ids.has(key.replace(/#\d+$/, '')))
    .map(([, row]) => row.targetId);
  return {
    known,
    therapists: await selectTherapists(db),
    clients: await selectClients(db),
    appointments:
      wanted.from === null ? [] : await selectAppointments(db, wanted.from, wanted.until ?? wanted.from, targets),
  };
}

async function selectKnown(db: Db): Promise<Snapshot['known']> {
  const known = {
    therapist: new Map<string, KnownRow>(),
    client: new Map<string, KnownRow>(),
    appointment: new Map<string, KnownRow>(),
  };
  for (const row of await db.selectFrom('import_row').selectAll().execute()) {
    known[row.kind].set(row.key, {
      hash: row.content_hash,
      targetId: row.target_id,
      targetVersion: row.target_version,
    });
  }
  return known;
}

async function selectTherapists(db: Db): Promise<Snapshot['therapists']> {
  const windows = new Map<string, Windows[]>();
  for (const w of await db.selectFrom('therapist_availability').selectAll().execute()) {
    const of = windows.get(w.therapist_id) ?? [];
    of.push({ day: w.day_of_week, start: w.start_minute, end: w.end_minute });
    windows.set(w.therapist_id, of);
  }
  const rows = await db.selectFrom('therapist').selectAll().orderBy('id').execute();
  return rows.map((t) => ({
    ...{ id: t.id, firstName: t.first_name, lastName: t.last_name, displayName: t.display_name, location: t.location },
    ...{ version: t.version, deleted: t.deleted_at !== null, windows: windows.get(t.id) ?? [] },
  }));
}

async function selectClients(db: Db): Promise<Snapshot['clients']> {
  const rows = await db.selectFrom('client').selectAll().orderBy('id').execute();
  return rows.map((c) => ({
    ...{ id: c.id, firstName: c.first_name, lastName: c.last_name, displayName: c.display_name, location: c.location },
    ...{ version: c.version, twoToOne: c.two_to_one },
  }));
}

async function selectAppointments(
  db: Db,
  from: string,
  until: string,
  targets: readonly string[],
): Promise<StoredAppointment[]> {
  const rows = await db
    .selectFrom('appointment')
    .select([
      'id',
      'version',
      'location',
      'starts',
      'ends',
      'therapist_id',
      'client_id',
      'service',
      'status',
      'occupies',
    ])
    .select(['place', 'client_place', 'seat', 'clash', 'group_key'])
    .where((eb) =>
      eb.or([
        eb.and([eb('starts', '>=', `${from} 00:00:00`), eb('starts', '<', sql<string>`${until}::date + 1`)]),
        sql<boolean>`id = any(${[...targets]}::uuid[])`,
      ]),
    )
    .execute();
  return rows.map((a) => {
    const date = a.starts.slice(0, 10) as IsoDate;
    return {
      ...{ id: a.id, version: a.version, location: a.location, date },
      ...{ start: minutesAfter(date, a.starts), end: minutesAfter(date, a.ends) },
      ...{
        therapistId: a.therapist_id,
        clientId: a.client_id,
        service: a.service,
        status: a.status,
        occupies: a.occupies,
      },
      ...{
        place: a.place,
        clientPlace: a.client_place,
        seat: a.seat === 2 ? 2 : 1,
        clash: a.clash,
        groupKey: a.group_key,
      },
    };
  });
}
