import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, StartError } from '../start-error.ts';
import type { BoundedClient } from './bounded-client.ts';
import type { OpenDatabase } from './connection.ts';

const ROUNDS = 3;
const PATIENCE_MS = 5000;

/**
 * Refuses a pooler that may give each transaction a different connection: events, locks and settings belong to a
 * session and would be lost or mixed up. To detect such a pooler, a second session begins a transaction. Behind such a
 * pooler, the first session then gets another connection or has to wait.
 */
export async function refuseSharedSessions(database: Pick<OpenDatabase, 'connect'>): Promise<void> {
  const first = await database.connect();
  try {
    const second = await database.connect();
    try {
      const kept = await Promise.race([staysItself(first, second), delay(PATIENCE_MS, false, { ref: false })]);
      if (!kept)
        throw new StartError(
          'DATABASE_URL points to a pooler that shares connections between sessions (pool_mode transaction or statement in PgBouncer): set the pooler to session mode, or connect to PostgreSQL directly.',
        );
    } finally {
      second.cut('no longer needed');
    }
  } finally {
    first.cut('no longer needed');
  }
}

async function staysItself(first: BoundedClient, second: BoundedClient): Promise<boolean> {
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      await first.query("select set_config('clinic.mark', $1, false)", [String(round)]);
      await second.query('begin');
      await second.query('select 1');
      const { rows } = await first.query<{ mark: string | null; backend: number }>(
        "select current_setting('clinic.mark', true) as mark, pg_backend_pid() as backend",
      );
      await second.query('commit');
      if (rows[0]?.mark !== String(round) || rows[0].backend !== first.backend) return false;
    }
    return true;
  } catch (error) {
    // A pooler in statement mode refuses transactions with an error code. An error without a code means that the
    // connection broke.
    if (codeOf(error) !== undefined) return false;
    throw error;
  }
}
