import { sql } from 'kysely';
import type { OwnCause } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

/** An absence that a therapist reported. Times are minutes after midnight of each date. */
export interface ReportRow {
  readonly id: string;
  readonly therapist_id: string;
  readonly display_name: string;
  readonly first_date: IsoDate;
  readonly first_minute: number;
  readonly last_date: IsoDate;
  readonly last_minute: number;
  readonly cause: OwnCause;
  /** A timestamp as PostgreSQL writes it. */
  readonly reported_at: string;
  readonly decision: 'confirmed' | 'declined' | 'withdrawn' | null;
  /** The account that decided. */
  readonly decided_by: string | null;
}

const COLUMNS = sql`r.id, r.therapist_id, t.display_name, r.first_date, r.first_minute, r.last_date, r.last_minute,
  r.cause, r.reported_at, r.decision, r.decided_by`;

/** Whether a report concerns a location: the therapist belongs there, or has a session there on the report's dates. */
const concerns = (location: Location) => sql<boolean>`(t.location = ${location} or exists (
  select from appointment a where a.therapist_id = t.id and a.location = ${location} and a.occupies
    and a.starts >= r.first_date and a.starts < r.last_date + 1))`;

/** Selects the open reports that concern a location and last until `today` or later, sorted by first date. */
export async function selectOpenReports(db: Db, location: Location, today: IsoDate): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select ${COLUMNS} from absence_report r join therapist t on t.id = r.therapist_id
    where r.decision is null and r.last_date >= ${today}::date and t.deleted_at is null and ${concerns(location)}
    order by r.first_date, r.reported_at, r.id`.execute(db);
  return rows;
}

/** Selects one report, open or not, if it concerns the location. */
export async function selectReport(db: Db, id: string, location: Location): Promise<ReportRow | undefined> {
  const { rows } = await sql<ReportRow>`
    select ${COLUMNS} from absence_report r join therapist t on t.id = r.therapist_id
    where r.id = ${id}::uuid and t.deleted_at is null and ${concerns(location)}`.execute(db);
  return rows[0];
}

/** Selects a therapist's own reports that last until `today` or later, except withdrawn reports. */
export async function selectOwnReports(db: Db, therapistId: string, today: IsoDate): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select ${COLUMNS} from absence_report r join therapist t on t.id = r.therapist_id
    where r.therapist_id = ${therapistId} and r.last_date >= ${today}::date
      and r.decision is distinct from 'withdrawn'
    order by r.first_date, r.id`.execute(db);
  return rows;
}

export async function insertReport(
  db: Db,
  row: Omit<ReportRow, 'id' | 'display_name' | 'decision' | 'decided_by'>,
  accountId: string,
): Promise<string> {
  const { id } = await db
    .insertInto('absence_report')
    .values({ ...row, reported_by: accountId, decided_by: null, decided_at: null, decision: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Records the decision about an open report. Returns false if a decision is already recorded: of several concurrent
 * calls, only one returns true.
 */
export async function decideReport(
  db: Db,
  id: string,
  decision: 'confirmed' | 'declined' | 'withdrawn',
  by: { readonly accountId: string; readonly at: string; readonly therapistId?: string },
): Promise<boolean> {
  const query = db
    .updateTable('absence_report')
    .set({ decision, decided_by: by.accountId, decided_at: by.at })
    .where('id', '=', id)
    .where('decision', 'is', null);
  const own = by.therapistId === undefined ? query : query.where('therapist_id', '=', by.therapistId);
  return (await own.returning('id').executeTakeFirst()) !== undefined;
}

/** Finds the locations to which the therapist belongs, or where they have a session on these dates. */
export async function selectReportLocations(
  db: Db,
  therapistId: string,
  from: IsoDate,
  to: IsoDate,
): Promise<Location[]> {
  const { rows } = await sql<{ location: Location }>`
    select location from therapist where id = ${therapistId}
    union select location from appointment where therapist_id = ${therapistId} and occupies
      and starts >= ${from}::date and starts < ${to}::date + 1`.execute(db);
  return rows.map((row) => row.location);
}
