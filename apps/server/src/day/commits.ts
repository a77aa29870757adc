import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { AppointmentChange } from './appointment-states.ts';
import type { WallPresent } from './facts/present.ts';
import { undoConflicts, whyNotUndo } from './undo-check.ts';

/** A commit's summary, enough for a line in a list. */
/** A weekly series that a commit gave to another therapist for good. */
export interface HandedSeries {
  readonly series: string;
  readonly from: string | null;
  readonly to: string;
}

export interface StoredSummary {
  dates: IsoDate[];
  clients: string[];
  option: string;
  changes: number;
  minutesKept: number;
  /** Commits made by older versions do not have this field or the next two. */
  sessions?: number;
  minutesNeeded?: number;
  minutesUncovered?: number;
  people?: number;
  /** When the commit was made, by the clinic's clock: `YYYY-MM-DD HH:MM:00`. */
  wall: string;
  /** How many meetings before a leave were booked with a standing replacement. */
  meetings?: number;
  /** The series that a caseload handed over brought to others; an undo takes them back. */
  handed?: readonly HandedSeries[];
}

/** A commit as shown in lists; `committedAt` and `undoneAt` are timestamps as the database writes them. */
export interface CommitRow {
  id: string;
  proposal: string;
  location: Location;
  summary: StoredSummary;
  committedAt: string;
  committedBy: string;
  undoneAt: string | null;
  undoneBy: string | null;
  /** Why the commit cannot be undone. Set only by `selectUndoableCommits`, and only when there is a reason. */
  cannotUndo?: string | null;
}

const commits = (db: Db) =>
  db
    .selectFrom('schedule_commit as s')
    .leftJoin('account as a', 'a.id', 's.committed_by')
    .leftJoin('account as u', 'u.id', 's.undone_by')
    .select(['s.id', 's.proposal_id', 's.location', 's.summary', 's.committed_at', 's.undone_at'])
    .select(['a.name as committed_by', 'u.name as undone_by']);

type CommitColumns = Awaited<ReturnType<ReturnType<typeof commits>['execute']>>[number];

const asCommit = (row: CommitColumns): CommitRow => ({
  id: row.id,
  proposal: row.proposal_id,
  location: row.location,
  summary: row.summary as StoredSummary,
  committedAt: row.committed_at,
  committedBy: row.committed_by ?? '',
  undoneAt: row.undone_at,
  undoneBy: row.undone_by,
});

/** Returns the commits that changed a date or were made on it, newest first. */
async function selectCommits(db: Db, location: Location, date: IsoDate): Promise<CommitRow[]> {
  const rows = await commits(db)
    .where('s.location', '=', location)
    .where(sql<boolean>`(s.summary->'dates' ? ${date} or left(s.summary->>'wall', 10) = ${date})`)
    .orderBy('s.committed_at', 'desc')
    .orderBy('s.id')
    .execute();
  return rows.map(asCommit);
}

/** Returns the commits that changed a date or were made on it. For a commit that cannot be undone, says why. */
export async function selectUndoableCommits(db: Db, location: Location, date: IsoDate, wall: WallPresent) {
  const list: CommitRow[] = [];
  for (const commit of await selectCommits(db, location, date)) {
    const act = { location, wall: commit.summary.wall };
    const conflicts =
      commit.undoneAt === null ? await undoConflicts(db, wall, act, await selectChanges(db, commit.id), false) : [];
    list.push({ ...commit, cannotUndo: whyNotUndo(conflicts) });
  }
  return list;
}

/** The commit with this id; null if there is none. */
export async function selectCommit(db: Db, id: string): Promise<CommitRow | null> {
  const row = await commits(db).where('s.id', '=', id).executeTakeFirst();
  return row ? asCommit(row) : null;
}

/** Returns the changes made by a commit, one for each appointment. */
export async function selectChanges(db: Db, id: string): Promise<AppointmentChange[]> {
  const row = await db.selectFrom('schedule_commit').select('changes').where('id', '=', id).executeTakeFirst();
  return (row?.changes ?? []) as AppointmentChange[];
}
