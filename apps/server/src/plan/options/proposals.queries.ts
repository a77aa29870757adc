import { randomBytes } from 'node:crypto';
import { addDays, mondayOf, type IsoDate, type Location } from '@clinic/domain';
import type { CareSession } from '../../ledgers/count/care-hours.ts';
import { selectAbsencesOf, selectClientSessions } from '../../ledgers/count/care-hours.queries.ts';
import { selectNames } from '../../people/people.ts';
import { awayByDate, hasTherapist } from '../../day/facts/uncovered.ts';
import type { Db } from '../../db/connection.ts';
import { together } from '../../db/snapshot.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** Makes a new id for a proposal: `p_` and 16 random letters or digits that cannot be guessed. */
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

/** Stores a revision. If `of` is given, also stores the proposal, with this location and these dates. */
export async function insertRevision(
  db: Db,
  row: RevisionRow,
  of?: { readonly location: Location; readonly dates: readonly string[] },
): Promise<void> {
  const into = of
    ? db
        .with('made', (also) =>
          also
            .insertInto('proposal')
            .values({ id: row.proposal, location: of.location, dates: [...of.dates], created_by: row.accountId }),
        )
        .insertInto('proposal_revision')
    : db.insertInto('proposal_revision');
  await into
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

/** A session in the weeks that a proposal shows. */
export interface WeekSession extends Pick<CareSession, 'location' | 'date' | 'start' | 'end' | 'subject' | 'status'> {
  readonly client: string;
  readonly therapist: string | null;
  /** Whether the session has a therapist from start to end. */
  readonly hasTherapist: boolean;
}

/** Selects these clients' sessions in the weeks of these dates, without deleted sessions. */
export async function selectWeeks(
  db: Db,
  clientIds: readonly string[],
  dates: readonly IsoDate[],
): Promise<WeekSession[]> {
  const mondays = [...new Set(dates.map(mondayOf))].sort();
  const weeks = await together(...mondays.map((monday) => selectWeek(db, clientIds, monday)));
  return weeks.flat();
}

async function selectWeek(db: Db, clientIds: readonly string[], monday: IsoDate): Promise<WeekSession[]> {
  const sunday = addDays(monday, 6);
  const sessions = await selectClientSessions(db, clientIds, monday, sunday);
  const people = sessions.flatMap(({ clientId, therapistId }) => [clientId ?? '', therapistId ?? '']);
  const [absences, names] = await together(selectAbsencesOf(db, sessions, [monday, sunday]), selectNames(db, people));
  const awayOn = awayByDate(absences);
  const weeks = sessions.map((session) => ({ session, hasTherapist: hasTherapist(session, awayOn(session.date)) }));
  return weeks.map(({ session: { clientId, therapistId, ...session }, hasTherapist }) => ({
    ...session,
    client: names.get(clientId ?? '') ?? '',
    therapist: names.get(therapistId ?? '') ?? null,
    hasTherapist,
  }));
}
