import { addDays, CARE_DAYS, type IsoDate, type RecentCare } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { together } from '../../db/snapshot.ts';
import { selectAuthorizations, type Authorizations } from './authorizations.ts';
import { selectCare } from './care.ts';
import { selectFamiliarity } from './familiarity.queries.ts';

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
export async function selectLedgers(db: Db, people: LedgerPeople): Promise<Ledgers> {
  const { date, therapistIds, clientIds, booked, expected, open } = people;
  const [care, authorizations, familiarity] = await together(
    selectCare(db, clientIds, [addDays(date, -CARE_DAYS), date], open),
    selectAuthorizations(db, expected, date, open),
    selectFamiliarity(db, booked, therapistIds, date),
  );
  return { care, authorizations, familiarity };
}
