import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { hashPassword } from './passwords.ts';
import { StartError } from './start-error.ts';

/** Who may sign in to the demo clinic. These are known to everyone, so they never leave this machine. */
const DEMO_ACCOUNTS = [
  { email: 'staff@clinic.example', name: 'Sam Staff', role: 'scheduler', password: 'demo clinic password' },
  { email: 'admin@clinic.example', name: 'Alex Admin', role: 'admin', password: 'demo admin password' },
] as const;

/**
 * Loads the demo clinic into an empty database, unless the settings say not to or other machines can reach the server.
 * A database that holds demo accounts is refused where other machines can reach it.
 */
export async function prepareDemo(config: Config, db: Db, progress: (line: string) => void): Promise<void> {
  const demo = await db.selectFrom('account').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
  if (demo && !config.loopback) {
    throw new StartError(
      `The database holds the demo accounts, whose passwords are public, and HOST ${config.host} can be reached from other machines: use another database, or HOST=127.0.0.1.`,
    );
  }
  if (!config.demo || !config.loopback || demo || !(await isEmpty(db))) return;
  progress('Loading the demo clinic (once).');
  await db.transaction().execute(async (trx) => {
    for (const { password, ...account } of DEMO_ACCOUNTS) {
      await trx
        .insertInto('account')
        .values({ ...account, locations: null, demo: true, password_hash: await hashPassword(password) })
        .execute();
    }
  });
}

async function isEmpty(db: Db): Promise<boolean> {
  for (const table of ['account', 'therapist', 'client', 'appointment'] as const) {
    const row = await db.selectFrom(table).select('id').limit(1).executeTakeFirst();
    if (row) return false;
  }
  return true;
}
