import { sql } from 'kysely';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { isoAt } from '../clock.ts';

/** How many days unneeded data is kept. The record of who did what stays in the audit trail. */
const KEPT_DAYS = { session: 30, loginBudget: 60, idempotencyKey: 7, proposal: 30 } as const;

/** How many rows of each type were removed. */
export interface CleanedUp {
  sessions: number;
  loginBudgets: number;
  idempotencyKeys: number;
  proposals: number;
}

/**
 * Removes data that is no longer needed: ended sessions, unused login limits, options that were never submitted, and
 * idempotency keys too old to be sent again. The commits that were made with these keys stay, and are still found if
 * the same choice is submitted again.
 * @param now milliseconds since 1970, by the access clock
 */
export async function cleanUp(db: Db, now: number): Promise<CleanedUp> {
  const before = (days: number): string => isoAt(now - days * 86_400_000);
  const count = async (query: { execute(on: Db): Promise<{ numAffectedRows?: bigint | undefined }> }, on: Db) =>
    Number((await query.execute(on)).numAffectedRows ?? 0n);
  const sessions = await count(
    sql`delete from session where coalesce(ended_at, expires_at) < ${before(KEPT_DAYS.session)}`,
    db,
  );
  const loginBudgets = await count(
    sql`delete from login_budget where refilled_at < ${before(KEPT_DAYS.loginBudget)}`,
    db,
  );
  const idempotencyKeys = await count(
    sql`delete from idempotency_key where created_at < ${before(KEPT_DAYS.idempotencyKey)}`,
    db,
  );
  const proposals = await db.transaction().execute(async (trx) => {
    // The proposal's row is locked first. So a simultaneous refresh or commit of the same proposal either locks the row
    // first, and the proposal stays, or no longer finds the proposal.
    const { rows } = await sql<{ id: string }>`
      select id from proposal p
      where created_at < ${before(KEPT_DAYS.proposal)}
        and not exists (select from schedule_commit c where c.proposal_id = p.id)
        and not exists (select from proposal_revision r
          where r.proposal_id = p.id and r.created_at >= ${before(KEPT_DAYS.proposal)})
      for update skip locked`.execute(trx);
    const ids = rows.map((row) => row.id);
    await sql`delete from proposal_revision where proposal_id = ${anyOf(ids)}`.execute(trx);
    return count(sql`delete from proposal where id = ${anyOf(ids)}`, trx);
  });
  return { sessions, loginBudgets, idempotencyKeys, proposals };
}
