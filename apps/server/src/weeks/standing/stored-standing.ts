/** A standing replacement as it was offered: what a page may choose from, and what the calendar was then. */
import { sql } from 'kysely';
import type { StandingReply } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import { insertRevision } from '../../plan/options/proposals.queries.ts';
import type { Away } from '../problem/standing-problem.ts';

export interface StoredStanding {
  readonly reply: StandingReply;
  readonly away: Away;
  readonly replan: boolean;
  /** The appointments of each series, by date. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** Stores what was offered as a proposal, without dates: no day's options can be read from it. */
export async function insertStanding(trx: Db, stored: StoredStanding, accountId: string): Promise<void> {
  const { proposal, location } = stored.reply;
  const nothing = { queries: [], pins: [], days: {}, data: {}, reserve: {} };
  const row = { proposal, revision: 1, ...nothing, metadata: { standing: stored }, accountId };
  await insertRevision(trx, row, { location, dates: [] });
}

/** Returns what was offered under this id; null if nothing was. */
export async function loadStored(db: Db, id: string): Promise<StoredStanding | null> {
  const row = await db
    .selectFrom('proposal_revision')
    .select(sql<StoredStanding | null>`metadata->'standing'`.as('standing'))
    .where('proposal_id', '=', id)
    .executeTakeFirst();
  return row?.standing ?? null;
}
