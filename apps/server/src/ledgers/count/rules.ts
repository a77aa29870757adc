import { DEFAULT_RULES, rulesSchema, type Rules } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';

const RULES = 'rules';

/**
 * Loads the clinic's limits; a limit that the clinic has not set has its default. The weekly limit is stored both in
 * minutes and in whole hours, because a server of an older release reads and writes only whole hours.
 */
export async function loadRules(db: Db): Promise<Rules> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', RULES).executeTakeFirst();
  const stored = { ...DEFAULT_RULES, ...row?.value };
  const minutes = 'week_minutes' in stored ? Number(stored.week_minutes) : stored.week_hours * 60;
  return rulesSchema.parse({ ...stored, week_hours: minutes / 60 });
}

/** Replaces the clinic's limits. */
export async function saveRules(db: Db, rules: Rules): Promise<void> {
  const { week_hours: hours } = rules;
  const value = JSON.stringify({ ...rules, week_hours: Math.floor(hours), week_minutes: hours * 60 });
  await db
    .insertInto('setting')
    .values({ key: RULES, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute();
}
