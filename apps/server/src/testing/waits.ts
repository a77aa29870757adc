import type { Pool } from 'pg';

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
