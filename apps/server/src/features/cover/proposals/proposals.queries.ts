import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { addDays, mondayOf, type IsoDate, type Location } from '@clinic/domain';
import { selectWithTherapist } from '../../../clinic-day/care-hours.queries.ts';
import { dateIn, minutesAfter } from '../../../db/wall-time.ts';
import type { Db } from '../../../db/connection.ts';
import type { AppointmentStatus } from '../../../db/schema.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A new id for a proposal: `p_` and 16 random letters that cannot be guessed. */
export const newProposalId = (): string =>
  `p_${[...randomBytes(16)].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;

export interface RevisionRow {
  proposal: string;
  revision: number;
  queries: unknown;
  pins: unknown;
  days: unknown;
  data: unknown;
  metadata: unknown;
  reserve: unknown;
  accountId: string;
}

/** Stores a proposal, still without a revision. */
export async function insertProposal(
  db: Db,
  row: { id: string; location: Location; dates: readonly string[]; accountId: string },
): Promise<void> {
  await db
    .insertInto('proposal')
    .values({ id: row.id, location: row.location, dates: [...row.dates], created_by: row.accountId })
    .execute();
}

export async function insertRevision(db: Db, row: RevisionRow): Promise<void> {
  await db
    .insertInto('proposal_revision')
    .values({
      proposal_id: row.proposal,
      revision: row.revision,
      queries: JSON.stringify(row.queries),
      pins: JSON.stringify(row.pins),
      days: JSON.stringify(row.days),
      data: JSON.stringify(row.data),
      metadata: JSON.stringify(row.metadata),
      backed_up_therapists: JSON.stringify(row.reserve),
      created_by: row.accountId,
    })
    .execute();
}

/** Makes `revision` the newest; returns false when another refresh was faster. */
export async function advanceRevision(db: Db, id: string, revision: number): Promise<boolean> {
  const done = await db
    .updateTable('proposal')
    .set({ revision })
    .where('id', '=', id)
    .where('revision', '=', revision - 1)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Whether the proposal has a commit that was not undone. */
export async function isCommitted(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('schedule_commit')
    .select('id')
    .where('proposal_id', '=', id)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export interface WeekSession {
  location: Location;
  client: string;
  date: string;
  start: number;
  end: number;
  therapist: string | null;
  subject: string;
  status: AppointmentStatus;
  /** Whether a therapist has all of the session's time. */
  hasTherapist: boolean;
}

/** These clients' sessions in the weeks of these dates, without deleted sessions. */
export async function selectWeeks(
  db: Db,
  clientIds: readonly string[],
  dates: readonly IsoDate[],
): Promise<WeekSession[]> {
  const mondays = [...new Set(dates.map(mondayOf))].sort();
  const rows: WeekSession[] = [];
  for (const monday of mondays) {
    const covered = await selectWithTherapist(db, clientIds, [monday, addDays(monday, 6)]);
    const found = await db
      .selectFrom('appointment as a')
      .innerJoin('client as c', 'c.id', 'a.client_id')
      .leftJoin('therapist as t', 't.id', 'a.therapist_id')
      .select(['c.display_name as client', 't.display_name as therapist'])
      .select(['a.id', 'a.location', 'a.starts', 'a.ends', 'a.subject', 'a.status'])
      .where('a.client_id', '=', sql<string>`any(${[...clientIds]}::text[])`)
      .where('a.starts', '>=', sql<string>`${monday}::timestamp`)
      .where('a.starts', '<', sql<string>`${addDays(monday, 7)}::timestamp`)
      .where('a.status', '<>', 'entered-in-error')
      .orderBy('a.starts')
      .orderBy('a.id')
      .execute();
    for (const r of found) {
      const date = dateIn(r.starts);
      const times = { start: minutesAfter(date, r.starts), end: minutesAfter(date, r.ends) };
      const { location, client, therapist, subject, status } = r;
      const hasTherapist = covered.has(r.id);
      rows.push({ location, client, therapist, hasTherapist, subject, status, date, ...times });
    }
  }
  return rows;
}
