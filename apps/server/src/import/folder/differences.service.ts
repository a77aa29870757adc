import { sql } from 'kysely';
import { MOST_DIFFERENCES, wireStatus, type DifferenceSide, type ImportDifference } from '@clinic/contract';
import { formatTime, groupBy, type Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import { audit } from '../../access/audit.ts';
import type { Act } from '../../access/act.ts';
import { isoAt, isoOf } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';

/** A difference, with the clients whom it names. */
export interface ListedDifference {
  readonly shown: ImportDifference;
  readonly clients: readonly { readonly id: string; readonly location: Location }[];
}

interface Side {
  date: string;
  start: number;
  end: number;
  location: Location;
  client: string | null;
  therapist: string | null;
  subject: string;
  status: AppointmentStatus;
}

const presentSide = ({ start, end, status, ...rest }: Side): DifferenceSide => ({
  ...rest,
  start: formatTime(start),
  end: formatTime(end),
  status: wireStatus(status),
});

/** Counts the differences that nobody has decided about. */
export async function countDifferences(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from import_difference d join appointment a on a.id = d.appointment_id
    where d.decision is null and d.version = a.version`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Lists the differences that nobody has decided about, the nearest dates first. A session that was changed again since
 * its files were compared is left out until they are compared again.
 */
export async function listDifferences(db: Db): Promise<ListedDifference[]> {
  const { rows } = await sql<{
    key: string;
    version: number;
    both: boolean;
    theirs: Side;
    ours: Side;
    changed_at: string | null;
    changed_by: string | null;
    clients: { id: string; location: Location }[];
  }>`
    select d.key, d.version, d.both_changed as "both", e.at as changed_at, e.name as changed_by,
      d.theirs || jsonb_build_object('client', tc.display_name, 'therapist', tt.display_name) as theirs,
      jsonb_build_object('date', a.starts::date, 'start', (extract(epoch from a.starts - a.starts::date) / 60)::int,
        'end', (extract(epoch from a.ends - a.starts::date) / 60)::int, 'location', a.location,
        'client', oc.display_name, 'therapist', ot.display_name, 'subject', a.subject, 'status', a.status) as ours,
      (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'location', c.location)), '[]') from client c
        where c.id in (a.client_id, d.theirs ->> 'clientId')) as clients
    from import_difference d join appointment a on a.id = d.appointment_id
      left join client tc on tc.id = d.theirs ->> 'clientId' left join therapist tt on tt.id = d.theirs ->> 'therapistId'
      left join client oc on oc.id = a.client_id left join therapist ot on ot.id = a.therapist_id
      left join lateral (
        select v.at, w.name from appointment_event v left join account w on w.id = v.account_id
        where v.appointment_id = a.id order by v.id desc limit 1) e on true
    where d.decision is null and d.version = a.version
    order by a.starts, d.key limit ${MOST_DIFFERENCES}`.execute(db);
  return rows.map(({ key, version, both, theirs, ours, changed_at: at, changed_by, clients }) => ({
    clients,
    shown: {
      key,
      version,
      both,
      theirs: presentSide(sideOf(theirs)),
      ours: presentSide(ours),
      changed_at: at === null ? null : isoOf(at),
      changed_by,
    },
  }));
}

const sideOf = ({ date, start, end, location, client, therapist, subject, status }: Side): Side => ({
  date,
  start,
  end,
  location,
  client,
  therapist,
  subject,
  status,
});

interface Asked {
  readonly take: 'theirs' | 'ours';
  readonly rows: readonly { readonly key: string; readonly version: number }[];
}

/**
 * Decides about differences, all of them or none: refuses if a session was changed since it was shown. *Theirs* is
 * written by the next import of the same files, under all rules of an import; it begins within a minute, unless the
 * files wait for another decision.
 */
export async function decideDifferences(db: Db, { take, rows }: Asked, act: Act): Promise<number> {
  const asked = JSON.stringify(rows);
  return inTransaction(db, async (trx) => {
    const found = await sql<{ key: string; id: string; location: Location; isNew: boolean }>`
      select d.key, a.id, a.location, d.decision is null as "isNew"
      from json_to_recordset(${asked}::json) as n (key text, version integer)
        join import_difference d on d.key = n.key and d.version = n.version
          and coalesce(d.decision, ${take}) = ${take}
        join appointment a on a.id = d.appointment_id and a.version = d.version
      order by a.id for update of a, d`.execute(trx);
    if (found.rows.length !== new Set(rows.map(({ key }) => key)).size) throw new Refusal('stale-version');
    // A request that is sent once more decides nothing again.
    const decided = found.rows.filter(({ isNew }) => isNew);
    if (decided.length === 0) return found.rows.length;
    const keys = JSON.stringify(decided.map(({ key }) => key));
    const given = sql`(select json_array_elements_text(${keys}::json))`;
    await sql`update import_difference set decision = ${take}, decided_by = ${act.caller.id}, decided_at = ${isoAt(act.at)}
      where key in ${given}`.execute(trx);
    if (take === 'theirs') {
      // Now it counts as the import left it, from a row with other contents: so the import writes the file's.
      await sql`update import_row r set target_version = d.version, content_hash = ''
        from import_difference d
        where d.key in ${given} and r.kind = 'appointment' and r.key = d.key`.execute(trx);
      await sql`update folder_import set wanted_at = ${isoAt(act.at)}, wanted_by = ${act.caller.id}
        where id = (select id from folder_import order by at desc limit 1) and state = 'imported'`.execute(trx);
    }
    const { caller, requestId, at } = act;
    const entries = [...groupBy(decided, (row) => row.location)].map(([location, those]) => ({
      action: 'difference.decided' as const,
      subjectKind: 'appointment',
      subjectIds: those.map(({ id }) => id),
      location,
      detail: { take },
      accountId: caller.id,
      requestId,
    }));
    await audit(trx, at, ...entries);
    return found.rows.length;
  });
}

/** Asks for a set that waits to be imported, without the rows that are refused. Does nothing if it waits no longer. */
export async function importWaiting(db: Db, id: string, { caller, requestId, at }: Act): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('folder_import')
      .set({ wanted_at: isoAt(at), wanted_by: caller.id })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const entry = { action: 'folder-import.wanted', subjectKind: 'folder-import', subjectIds: [id] } as const;
    await audit(trx, at, { ...entry, accountId: caller.id, requestId });
  });
}
