import { sql } from 'kysely';
import type { IsoDate } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { isSnapshot } from '../../db/snapshot.ts';
import { keepLatest } from '../../platform/keep-latest.ts';
import { selectKinds } from './authorization-kinds.ts';
import { selectUsesOf, type Uses } from './authorizations.ts';

/** Returns a sign that is the same only if none of these dates has changed: every change to a date raises its version. */
async function selectSign(db: Db, from: IsoDate, before: IsoDate): Promise<string> {
  const { rows } = await sql<{ sign: string }>`
    select concat_ws(' ', current_database(), pg_postmaster_start_time(), count(*), coalesce(sum(version), 0)) as sign
    from location, lateral (
      select version from location_day
      where location = location.value and date >= ${from}::date and date < ${before}::date
      offset 0
    ) d`.execute(db);
  return rows[0]?.sign ?? '';
}

/** How many results are kept: those of the dates that people look at. */
const MOST_KEPT = 32;
const kept = new Map<string, { readonly sign: string; readonly uses: Uses }>();

/**
 * Returns what `selectUses` does. What a morning changes is on its own date, so what was used before is kept, while the
 * authorizations are the same, and no date that counts for them has changed, in the same snapshot in which the rest is
 * read.
 */
export async function loadUses(
  db: Db,
  clientIds: readonly string[],
  dates: readonly [IsoDate, ...IsoDate[]],
  open: string | null,
): Promise<Uses> {
  const kinds = await selectKinds(db, clientIds, dates);
  const since = kinds.map((kind) => kind.since).reduce((a, b) => (a < b ? a : b), dates[0]);
  if (since === dates[0] || !isSnapshot(db)) return selectUsesOf(db, kinds, dates[0], open);
  const sign = await selectSign(db, since, dates[0]);
  const key = JSON.stringify([kinds, dates[0], open]);
  const known = kept.get(key);
  const uses = known?.sign === sign ? known.uses : await selectUsesOf(db, kinds, dates[0], open);
  keepLatest(kept, key, { sign, uses }, MOST_KEPT);
  return uses;
}
