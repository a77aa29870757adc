import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Db } from '../db/connection.ts';
import { endSessions } from '../admin/accounts.queries.ts';
import { isoAt } from '../platform/clock.ts';
import type { Deps } from '../access/deps.ts';

/**
 * Waits until this many connections to the database wait for a lock, or until one of the requests has its reply.
 * Returns true if the locks came first.
 */
export async function waitsOrReplied(
  pool: Pick<Pool, 'query'>,
  requests: readonly Promise<unknown>[],
  waiting = 1,
): Promise<boolean> {
  let replied = false;
  for (const request of requests) void request.finally(() => (replied = true));
  for (;;) {
    const { rows } = await pool.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    if (rows.length >= waiting) return true;
    if (replied) return false;
  }
}

/** Whether anything waits for a lock that this transaction holds. */
export async function blocks(trx: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(trx);
  return rows.length > 0;
}

/** Sends a request at the moment when an administrator sets a new password for the account, which ends its sessions. */
export async function whileAccountIsReset<T>(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  accountId: string,
  send: () => Promise<T>,
): Promise<T> {
  const sent = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute();
    const reply = send();
    await waitsOrReplied(pool, [reply]);
    await endSessions(trx, accountId, 'password', isoAt(Date.now()));
    return { reply };
  });
  return sent.reply;
}
