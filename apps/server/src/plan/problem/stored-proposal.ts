import type { Piece, Strategy } from '@clinic/cover-engine';
import { sql } from 'kysely';
import type { Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import type { PlannedDay } from './planned-day.ts';

/** One option on one date, as it was offered. */
export interface StoredOption {
  /** The option's name, such as `Option 1`. */
  name: string;
  strategy: Strategy;
  proven: boolean;
  /** The pieces of each session, by id; sessions that are not listed stay as they are. */
  pieces: Record<string, Piece[]>;
}

/**
 * One date of a proposal: the problem that was solved and the options that were offered, enough to check what a page
 * sends back.
 */
export interface StoredDay {
  planned: PlannedDay;
  options: StoredOption[];
  /** The clients or groups in the options, each with the sessions that some option changes. */
  listed: { name: string; sessions: string[] }[];
}

/** The cells of a date by client, option and time slot. */
export type StoredCells = Record<string, Record<string, Record<string, Record<string, unknown>>>>;

export interface StoredProposal {
  id: string;
  location: Location;
  dates: string[];
  revision: number;
  /** The newest revision of the proposal. */
  latest: number;
  /** The accounts that made later revisions than this one. */
  laterBy: (string | null)[];
  queries: unknown[];
  days: Record<string, StoredDay>;
  /** The cells as they were sent, by date. */
  data: Record<string, StoredCells>;
}

/** Whether the database column can store this revision number. */
const isRevision = (n: number): boolean => Number.isSafeInteger(n) && n > 0 && n < 2 ** 31;

/** Returns a revision of a proposal; null if there is none with this number. */
export async function loadProposal(db: Db, id: string, revision: number): Promise<StoredProposal | null> {
  if (!isRevision(revision)) return null;
  const row = await db
    .selectFrom('proposal as p')
    .innerJoin('proposal_revision as r', 'r.proposal_id', 'p.id')
    .select(['p.id', 'p.location', 'p.dates', 'p.revision as latest', 'r.revision', 'r.queries', 'r.days', 'r.data'])
    .select((eb) =>
      eb
        .selectFrom('proposal_revision as l')
        .whereRef('l.proposal_id', '=', 'p.id')
        .whereRef('l.revision', '>', 'r.revision')
        .select(sql<(string | null)[]>`coalesce(array_agg(distinct l.created_by::text), '{}')`.as('by'))
        .as('later_by'),
    )
    .where('p.id', '=', id)
    .where('r.revision', '=', revision)
    // The options of a replacement for weeks are read and committed elsewhere (weeks/standing).
    .where(sql<boolean>`r.metadata->'standing' is null`)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    location: row.location,
    dates: row.dates,
    revision: row.revision,
    latest: row.latest,
    laterBy: row.later_by ?? [],
    queries: row.queries as unknown[],
    days: row.days as Record<string, StoredDay>,
    data: row.data as Record<string, StoredCells>,
  };
}

/**
 * Whether another account has refreshed these options since. If only this account has, the reply was lost on its way:
 * its page still shows these options, which can be refreshed and committed like the newest.
 */
export const isReplaced = ({ laterBy }: StoredProposal, account: string): boolean =>
  laterBy.some((by) => by !== account);

/** Makes the reference in each cell: proposal, revision and option. Pages send it back without reading it. */
export const branchState = (proposal: string, revision: number, option: number): string =>
  `${proposal}.${revision}.${option}`;

/** Returns a date's option with this name. */
export const optionOf = (day: StoredDay, name: string): StoredOption | undefined =>
  day.options.find((o) => o.name === name);
