import { sql } from 'kysely';
import type { BillingCode, IsoDate, LossSide } from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import type { AppointmentRow } from '../db/schema/calendar.ts';
import { codeColumn } from '../ledgers/count/authorizations.ts';
import { countedSessions } from '../ledgers/count/care.ts';
import { isoOf } from '../platform/clock.ts';
import type { AuditRecord } from '../access/audit.ts';
import type { RecordState } from './chains.ts';

/** A past session of a client, as the calendar has it now. */
export type PastSession = Pick<
  AppointmentRow,
  | 'id'
  | 'wire_id'
  | 'location'
  | 'therapist_id'
  | 'booked_therapist_id'
  | 'service'
  | 'subject'
  | 'status'
  | 'starts'
  | 'ends'
  | 'parent_id'
  | 'series_id'
  | 'commit_id'
> & {
  readonly code: BillingCode | null;
  readonly booked: number;
  readonly delivered: number;
  /** When it ended. */
  readonly ended: string;
  readonly created_at: string;
  readonly imported: boolean;
  readonly cause: string | null;
  readonly lost_by: LossSide | null;
};

/** The client's sessions that begin in the range and had ended by `now` (ISO 8601), in chronological order. */
export async function selectPastSessions(
  db: Db,
  client: string,
  [from, to]: readonly [IsoDate, IsoDate],
  now: string,
): Promise<PastSession[]> {
  const sessions = sql`
    select id, parent_id, client_id, therapist_id, service, starts, ends, occupies, location, subject from appointment
    where client_id = ${client} and status <> 'entered-in-error'
      and starts >= ${from}::timestamp and starts < ${to}::date + 1`;
  const { rows } = await sql<PastSession>`
    with ${countedSessions(sessions, sql`x.date between ${from}::date and ${to}::date`)}
    select a.id, a.wire_id, a.location, a.therapist_id, a.booked_therapist_id, a.service, a.subject, a.status, a.starts,
      a.ends, a.parent_id, a.series_id, a.commit_id, c.code, c.booked, c.delivered, upper(a.instants)::text as ended,
      a.created_at, k.label as cause, coalesce(a.lost_by, k.lost_by) as lost_by,
      exists (select from import_row r where r.kind = 'appointment' and r.target_id = a.id::text) as imported
    from (select id, booked, delivered, ${codeColumn} as code from counted) c join appointment a on a.id = c.id
      left join cause k on k.id = a.cause_id
    where upper(a.instants) <= ${now}::timestamptz
    order by a.starts, a.service, a.id`.execute(db);
  return rows;
}

/** The chains of states of these records, in the order in which they are checked. */
export async function selectStates(
  db: Db,
  records: Readonly<Record<RecordState['kind'], Iterable<string>>>,
): Promise<RecordState[]> {
  const { rows } = await sql<RecordState>`${states}
    where (kind = 'client' and subject = ${anyOf(records.client)})
      or (kind = 'therapist' and subject = ${anyOf(records.therapist)})
      or (kind = 'account' and subject = ${anyOf(records.account)})
      or (kind = 'location' and subject = ${anyOf(records.location)})
    order by kind, subject, number`.execute(db);
  return rows;
}

const states = sql`
  select kind, subject, number, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, state,
    encode(prev_hash, 'hex') as prev, encode(hash, 'hex') as hash
  from record_state`;

/** The next states of all records after this one, ordered by record and number. */
export async function selectStatesAfter(db: Db, last: RecordState | undefined, most: number): Promise<RecordState[]> {
  const { kind, subject, number } = last ?? { kind: '', subject: '', number: 0 };
  const { rows } = await sql<RecordState>`${states}
    where (kind, subject, number) > (${kind}, ${subject}, ${number})
    order by kind, subject, number limit ${most}`.execute(db);
  return rows;
}

/** An entry of the trail, with the hash before it and its own, in hexadecimal. */
export interface TrailEntry {
  readonly record: AuditRecord;
  readonly prev: string;
  readonly hash: string;
}

const entriesQuery = (db: Db) =>
  db
    .selectFrom('audit')
    .select(['chain', 'number', 'at', 'account_id', 'action', 'subject_kind', 'subject_ids', 'location', 'detail'])
    .select(['request_id', 'prev_hash', 'hash']);

type EntryRow = Awaited<ReturnType<ReturnType<typeof entriesQuery>['execute']>>[number];

const entryOf = (row: EntryRow): TrailEntry => ({
  record: {
    chain: row.chain,
    number: Number(row.number),
    at: isoOf(row.at),
    accountId: row.account_id,
    action: row.action,
    subjectKind: row.subject_kind,
    subjectIds: row.subject_ids,
    location: row.location,
    detail: Object.fromEntries(Object.entries(row.detail ?? {})),
    requestId: row.request_id,
  },
  prev: row.prev_hash.toString('hex'),
  hash: row.hash.toString('hex'),
});

/** The trail's entries about these records, in the order of the trail, without what was only read. */
export async function selectTrail(db: Db, subjects: readonly string[]): Promise<TrailEntry[]> {
  const rows = await entriesQuery(db)
    .where(sql<boolean>`subject_ids && ${[...subjects]}::text[]`)
    .where(sql<boolean>`action !~ '[.](read|listed|checked|explained|saved)$'`)
    .where('subject_kind', 'in', ['appointment', 'client', 'therapist', 'commit'])
    .orderBy('at')
    .orderBy('chain')
    .orderBy('number')
    .execute();
  return rows.map(entryOf);
}

/** An entry of the trail by its place in it. */
export async function selectEntry(db: Db, chain: number, number: number): Promise<TrailEntry> {
  const row = await entriesQuery(db)
    .where('chain', '=', chain)
    .where('number', '=', String(number))
    .executeTakeFirstOrThrow();
  return entryOf(row);
}

/** The newest entry of each chain of the trail, as `chain:number:hash`. */
export async function selectHeads(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('audit_head').selectAll().orderBy('chain').execute();
  return rows.map(({ chain, number, hash }) => `${chain}:${number}:${hash.toString('hex')}`);
}
