import { DEFAULT_RULES, rulesSchema, type Rules } from '@clinic/contract';
import type { Db } from '../db/connection.ts';

const RULES = 'rules';

/** The clinic's own limits, with the default for each limit that it has not set. */
export async function loadRules(db: Db): Promise<Rules> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', RULES).executeTakeFirst();
  return rulesSchema.parse({ ...DEFAULT_RULES, ...row?.value });
}

/** Replaces the clinic's limits. */
export async function saveRules(db: Db, rules: Rules): Promise<void> {
  const value = JSON.stringify(rules);
  await db
    .insertInto('setting')
    .values({ key: RULES, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute();
}
