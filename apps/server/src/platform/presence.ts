import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { PresenceWhat } from '../db/schema/cover.ts';
import { isoAt } from './clock.ts';
import { publishEvent } from './events.ts';

/** How long a page's entry is shown after its event stream was last seen: three heartbeats. */
const LASTS_MS = 60_000;
/** The maximum number of open pages per account, and of its event streams, of which each visible page has one. */
export const MOST_TABS = 50;

/** An open page: the id that it chose for itself, and its account. */
export interface Tab {
  readonly tab: string;
  readonly accountId: string;
}

/** What a user has open: a day's options or its call list. */
export interface Work {
  readonly location: Location;
  readonly date: IsoDate;
  readonly what: PresenceWhat;
}

/**
 * Stores what an account is working on in this tab; null means that it no longer works on anything there. Must run in a
 * transaction.
 */
export async function showWork(trx: Db, { tab, accountId }: Tab, work: Work | null, now: number): Promise<void> {
  const before = await trx
    .deleteFrom('presence')
    .where('tab', '=', tab)
    .where('account_id', '=', accountId)
    .returning(['location', 'date'])
    .executeTakeFirst();
  if (work)
    await trx
      .insertInto('presence')
      .values({ tab, account_id: accountId, ...work, seen_at: isoAt(now) })
      // Only another account, or another request from this page, can have inserted this row meanwhile.
      .onConflict((c) => c.column('tab').doNothing())
      .execute();
  // An account has no more open pages than event streams; the oldest give way.
  await trx
    .deleteFrom('presence')
    .where('account_id', '=', accountId)
    .where('tab', 'in', (of) =>
      of
        .selectFrom('presence')
        .select('tab')
        .where('account_id', '=', accountId)
        .orderBy('seen_at', 'desc')
        .orderBy('tab')
        .offset(MOST_TABS),
    )
    .execute();
  // Removes rows of pages whose server died.
  await trx
    .deleteFrom('presence')
    .where('account_id', '=', accountId)
    .where('seen_at', '<', isoAt(now - LASTS_MS))
    .execute();
  const touched = new Map([before, work].flatMap((at) => (at ? [[`${at.location} ${at.date}`, at] as const] : [])));
  for (const { location, date } of touched.values())
    await publishEvent(trx, { kind: 'presence', location, dates: [date], by: accountId });
}

/** Marks the page as open at this moment. */
export async function seeTab(db: Db, { tab, accountId }: Tab, now: number): Promise<void> {
  await db
    .updateTable('presence')
    .set({ seen_at: isoAt(now) })
    .where('tab', '=', tab)
    .where('account_id', '=', accountId)
    .execute();
}

/** Lists what all other accounts are working on, with each account's name. */
export const selectWork = (db: Db, accountId: string, now: number) =>
  db
    .selectFrom('presence as p')
    .innerJoin('account as a', 'a.id', 'p.account_id')
    .select(['p.location', 'p.date', 'p.what', 'a.name as by'])
    .distinct()
    .where('p.account_id', '<>', accountId)
    .where('p.seen_at', '>', isoAt(now - LASTS_MS))
    .orderBy('a.name')
    .orderBy('p.location')
    .orderBy('p.date')
    .orderBy('p.what')
    .execute();
