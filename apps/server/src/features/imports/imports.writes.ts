import { sql } from 'kysely';
import { bumpDays } from '../../clinic-day/versions.ts';
import { timestampOf } from '../../db/wall-time.ts';
import { insertMany } from '../../db/bulk.ts';
import type { Db } from '../../db/connection.ts';
import { shownAs } from '../../db/profile-names.ts';
import type { AppointmentWrite, ImportPlan, PlaceWrite } from './plan.ts';
import type { ClientWrite, Link, TherapistWrite, Write } from './snapshot.ts';

/** Writes a plan. In a transaction, under `lockForImport`. */
export async function writePlan(trx: Db, plan: ImportPlan, accountId: string | null): Promise<void> {
  await writeTherapists(trx, plan.therapists);
  await writeClients(trx, plan.clients);
  await writeAppointments(trx, plan.appointments, plan.places, accountId);
  await remember(trx, 'therapist', [...plan.therapists.map(linkOf), ...plan.links.therapist]);
  await remember(trx, 'client', [...plan.clients.map(linkOf), ...plan.links.client]);
  await remember(trx, 'appointment', plan.appointments.map(linkOf));
  await bumpDays(trx, plan.days);
  // The planner has not seen that many rows come; until it looks, the next queries would be slow ones.
  if (plan.appointments.length > 1000) await sql`analyze appointment, therapist, client, import_row`.execute(trx);
}

const linkOf = ({ key, hash, id, replaces }: Write<unknown>): Link => ({ key, hash, id, version: (replaces ?? 0) + 1 });

const isNew = (write: Write<unknown>): boolean => write.replaces === null;

async function writeTherapists(trx: Db, writes: readonly TherapistWrite[]): Promise<void> {
  // Names that change hands within one import must not meet on the way: changed people leave theirs first.
  await leaveNames(trx, 'therapist', writes);
  const row = ({ id, displayName, record: t }: TherapistWrite) => ({
    ...{ id, first_name: t.firstName, last_name: t.lastName, ...shownAs(displayName), location: t.location },
    ...{ specialization: t.specialization, gender: t.gender, start_date: t.startDate, consistency: t.consistency },
  });
  await insertMany(trx, 'therapist', writes.filter(isNew).map(row));
  for (const write of writes.filter((w) => !isNew(w))) {
    const { id, ...values } = row(write);
    const set = { ...values, version: (write.replaces ?? 0) + 1, updated_at: sql<string>`now()` };
    await trx.updateTable('therapist').set(set).where('id', '=', id).execute();
    await trx.deleteFrom('therapist_availability').where('therapist_id', '=', id).execute();
  }
  const windows = writes.flatMap(({ id, record }) =>
    record.availability.map((w) => ({
      therapist_id: id,
      day_of_week: w.day,
      start_minute: w.start,
      end_minute: w.end,
    })),
  );
  await insertMany(
    trx,
    'therapist_availability',
    windows.map((w) => ({ id: crypto.randomUUID(), ...w })),
  );
}

async function writeClients(trx: Db, writes: readonly ClientWrite[]): Promise<void> {
  await leaveNames(trx, 'client', writes);
  const row = ({ id, displayName, record: c }: ClientWrite) => ({
    ...{ id, first_name: c.firstName, last_name: c.lastName, ...shownAs(displayName), location: c.location },
    ...{ gender: c.gender, two_to_one: c.twoToOne, care_team_only: c.careTeamOnly, rbt_or_above: c.rbtOrAbove },
  });
  await insertMany(trx, 'client', writes.filter(isNew).map(row));
  for (const write of writes.filter((w) => !isNew(w))) {
    const { id, ...values } = row(write);
    const set = { ...values, version: (write.replaces ?? 0) + 1, updated_at: sql<string>`now()` };
    await trx.updateTable('client').set(set).where('id', '=', id).execute();
    await trx.deleteFrom('client_restriction').where('client_id', '=', id).execute();
  }
  const restrictions = writes.flatMap(({ id, record }) => [
    ...record.requiresGender.map((g) => ({ client_id: id, requires_gender: g, excludes_therapist_id: null })),
    ...record.excludesTherapist.map((t) => ({ client_id: id, requires_gender: null, excludes_therapist_id: t })),
  ]);
  await insertMany(
    trx,
    'client_restriction',
    restrictions.map((r) => ({ id: crypto.randomUUID(), ...r })),
  );
}

async function leaveNames(trx: Db, kind: 'therapist' | 'client', writes: readonly Write<unknown>[]): Promise<void> {
  const ids = writes.filter((w) => !isNew(w)).map((w) => w.id);
  if (ids.length === 0) return;
  // No name has a key with a capital letter.
  await sql`update ${sql.table(kind)} set name_key = 'IMPORT ' || id where id = any(${ids}::text[])`.execute(trx);
}

async function writeAppointments(
  trx: Db,
  writes: readonly AppointmentWrite[],
  places: readonly PlaceWrite[],
  accountId: string | null,
): Promise<void> {
  const changed = writes.filter((w) => !isNew(w));
  await noteChanges(trx, changed, accountId);
  // The constraints are checked row by row: whatever changes first stops taking time, and takes it again as it will be.
  const touched = [...changed.map((w) => w.id), ...places.map((p) => p.id)];
  if (touched.length > 0) {
    await sql`update appointment set status = 'entered-in-error' where id = any(${touched}::uuid[])`.execute(trx);
  }
  await insertMany(
    trx,
    'appointment',
    writes.filter(isNew).map((w) => ({ id: w.id, ...columnsOf(w) })),
  );
  await updateAppointments(trx, changed);
  await updatePlaces(trx, places);
}

const placeColumns = ({ place }: { place: AppointmentWrite['place'] }) => ({
  ...{ place: place.place, client_place: place.clientPlace, seat: place.seat, clash: place.clash },
});

const columnsOf = (write: AppointmentWrite) => {
  const { record: a } = write;
  return {
    ...{
      wire_id: a.wireId,
      location: a.location,
      client_id: a.clientId,
      therapist_id: a.therapistId,
      service: a.service,
    },
    ...{ subject: a.subject, status: a.status, starts: timestampOf(a.date, a.start), ends: timestampOf(a.date, a.end) },
    ...{ group_key: a.groupKey, ...placeColumns(write) },
  };
};

async function updateAppointments(trx: Db, writes: readonly AppointmentWrite[]): Promise<void> {
  if (writes.length === 0) return;
  const rows = JSON.stringify(writes.map((w) => ({ id: w.id, version: (w.replaces ?? 0) + 1, ...columnsOf(w) })));
  await sql`
    update appointment a set wire_id = n.wire_id, location = n.location, client_id = n.client_id,
      therapist_id = n.therapist_id, service = n.service, subject = n.subject, status = n.status, starts = n.starts,
      ends = n.ends, place = n.place, client_place = n.client_place, seat = n.seat, group_key = n.group_key,
      clash = n.clash, version = n.version, updated_at = now()
    from json_populate_recordset(null::appointment, ${rows}::json) n where a.id = n.id`.execute(trx);
}

async function updatePlaces(trx: Db, places: readonly PlaceWrite[]): Promise<void> {
  if (places.length === 0) return;
  const rows = places.map((p) => ({ id: p.id, status: p.status, version: p.replaces + 1, ...placeColumns(p) }));
  await sql`
    update appointment a set status = n.status, place = n.place, client_place = n.client_place, seat = n.seat,
      clash = n.clash, version = n.version, updated_at = now()
    from json_populate_recordset(null::appointment, ${JSON.stringify(rows)}::json) n where a.id = n.id`.execute(trx);
  // Still as imported: a later import may change them.
  await sql`
    update import_row r set target_version = n.version
    from json_to_recordset(${JSON.stringify(places.map((p) => ({ key: p.key, version: p.replaces + 1 })))}::json)
      as n (key text, version integer)
    where r.kind = 'appointment' and r.key = n.key`.execute(trx);
}

/** The history of appointments that an import changes: what they were before. */
async function noteChanges(trx: Db, writes: readonly AppointmentWrite[], accountId: string | null): Promise<void> {
  if (writes.length === 0) return;
  const rows = JSON.stringify(writes.map((w) => ({ id: w.id, after: columnsOf(w) })));
  await sql`
    insert into appointment_event (appointment_id, account_id, what, reason, before, after)
    select a.id, ${accountId}, 'changed', 'import', to_jsonb(a), n.after
    from json_to_recordset(${rows}::json) as n (id uuid, after jsonb) join appointment a on a.id = n.id`.execute(trx);
}

async function remember(trx: Db, kind: 'therapist' | 'client' | 'appointment', links: readonly Link[]): Promise<void> {
  if (links.length === 0) return;
  const rows = JSON.stringify(links.map((l) => ({ key: l.key, hash: l.hash, id: l.id, version: l.version })));
  await sql`
    insert into import_row (kind, key, content_hash, target_id, target_version)
    select ${kind}, n.key, n.hash, n.id, n.version
    from json_to_recordset(${rows}::json) as n (key text, hash text, id text, version integer)
    on conflict (kind, key) do update set content_hash = excluded.content_hash, target_id = excluded.target_id,
      target_version = excluded.target_version, imported_at = now()`.execute(trx);
}
