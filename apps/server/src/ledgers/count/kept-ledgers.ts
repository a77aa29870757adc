import { sql } from 'kysely';
import { addDays, CARE_DAYS, type IsoDate, type RecentCare } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { isSnapshot, together } from '../../db/snapshot.ts';
import { keepLatest } from '../../platform/keep-latest.ts';
import { selectAuthorizations, type Authorizations } from './authorizations.ts';
import { selectCare } from './care.ts';
import { selectFamiliarity } from './familiarity.queries.ts';
import { KNOWN_DAYS } from '../../day/facts/day.ts';

/** The people for whom a date's plans need to know what happened on earlier dates. */
export interface LedgerPeople {
  readonly date: IsoDate;
  readonly therapistIds: readonly string[];
  /** All clients of the day. */
  readonly clientIds: readonly string[];
  /** The clients with a session that day, even if it was cancelled. */
  readonly booked: readonly string[];
  /** The clients with a session that takes place. */
  readonly expected: readonly string[];
  /** What `openFrom` returned for the days before the date. */
  readonly open: string | null;
}

/** What a date's plans need to know from earlier dates. */
export interface Ledgers {
  readonly care: ReadonlyMap<string, RecentCare>;
  readonly authorizations: Authorizations;
  readonly familiarity: Awaited<ReturnType<typeof selectFamiliarity>>;
}

/** Adds up the ledgers. They read only appointments, absences, declines and authorizations. */
async function selectLedgers(db: Db, people: LedgerPeople): Promise<Ledgers> {
  const { date, therapistIds, clientIds, booked, expected, open } = people;
  const [care, authorizations, familiarity] = await together(
    selectCare(db, clientIds, [addDays(date, -CARE_DAYS), date], open),
    selectAuthorizations(db, expected, date, open),
    selectFamiliarity(db, booked, therapistIds, date),
  );
  return { care, authorizations, familiarity };
}

/** The rows from which ledgers were added up: those of these clients, each from a first date on. */
interface ReadRows {
  readonly date: IsoDate;
  readonly clientIds: readonly string[];
  readonly since: readonly IsoDate[];
  readonly first: IsoDate;
}

function rowsOf({ date, clientIds, booked }: LedgerPeople, { authorizations }: Ledgers): ReadRows {
  const since = new Map(clientIds.map((id) => [id, addDays(date, -CARE_DAYS)]));
  const readFrom = (id: string, from: IsoDate): void => {
    if (from < (since.get(id) ?? date)) since.set(id, from);
  };
  for (const id of booked) readFrom(id, addDays(date, -KNOWN_DAYS));
  for (const [id, from] of authorizations.since) readFrom(id, from);
  const first = [...since.values()].reduce((a, b) => (a < b ? a : b), date);
  return { date, clientIds: [...since.keys()], since: [...since.values()], first };
}

const HASH = sql`count(*) || '/' || coalesce(sum(hashtidextended(x.ctid, x.xmin::text::bigint)), 0)`;

/**
 * Returns a sign that is the same only if these rows are: the numbers and hashes of their versions. PostgreSQL never
 * changes a row in place. Each change, by anyone, makes a version with another place (`ctid`) or by another transaction
 * (`xmin`), and a snapshot sees one version of a row. Absences and declines of everyone count, since looking for those
 * of the sessions' therapists would cost more.
 */
async function selectSign(db: Db, { date, clientIds, since, first }: ReadRows): Promise<string> {
  const { rows } = await sql<{ sign: string }>`
    select concat_ws(' ', current_database(), pg_postmaster_start_time(),
      (select ${HASH} from unnest(${[...clientIds]}::text[], ${[...since]}::date[]) c (id, since), lateral (
        select ctid, xmin from appointment
        where client_id = c.id and starts >= c.since::timestamp and starts < ${date}::timestamp
        offset 0
      ) x),
      (select ${HASH} from absence x where withdrawn_at is null and date >= ${first}::date and date < ${date}::date),
      (select ${HASH} from call_decline x where ended_at is null and date >= ${first}::date and date < ${date}::date),
      (select ${HASH} from unnest(${[...clientIds]}::text[]) c (id), lateral (
        select ctid, xmin from client_authorization where client_id = c.id offset 0
      ) x)
    ) as sign`.execute(db);
  return rows[0]?.sign ?? '';
}

interface Kept {
  readonly rows: ReadRows;
  readonly sign: string;
  readonly ledgers: Ledgers;
  readonly until: number;
}

/** How many results are kept, each some 50 kB, and for how many milliseconds. */
const MOST_KEPT = 64;
const KEPT_MS = 10 * 60_000;

/**
 * Makes a function that returns a date's ledgers, and keeps them. Kept ledgers are returned only while the sign of their
 * rows is the same, in the same snapshot in which the rest of the day is read. Outside a snapshot, nothing is kept.
 * @param now returns the time in milliseconds, by a clock that never goes back
 */
export function makeKeptLedgers(
  now: () => number = () => performance.now(),
): (db: Db, people: LedgerPeople) => Promise<Ledgers> {
  /** By the people and the date; the most recently used result is last. */
  const kept = new Map<string, Kept>();

  return async (db, people) => {
    if (!isSnapshot(db)) return selectLedgers(db, people);
    const key = JSON.stringify(people);
    const known = kept.get(key);
    if (known && now() < known.until && (await selectSign(db, known.rows)) === known.sign) {
      keepLatest(kept, key, known, MOST_KEPT);
      return known.ledgers;
    }
    const ledgers = await selectLedgers(db, people);
    const rows = rowsOf(people, ledgers);
    const sign = await selectSign(db, rows);
    keepLatest(kept, key, { rows, sign, ledgers, until: now() + KEPT_MS }, MOST_KEPT);
    return ledgers;
  };
}

/** Returns a date's ledgers, kept or added up. */
export const loadLedgers = makeKeptLedgers();
