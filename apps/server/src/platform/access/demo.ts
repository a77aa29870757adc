import { DEFAULT_LOCATION } from '@clinic/domain';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connection.ts';
import { loadDemo } from '../../db/demo/load-demo.ts';
import { makeClock } from '../clock.ts';
import { hashPassword } from './passwords.ts';
import { StartError } from '../../start-error.ts';
import { wallNow } from '../wall-clock.ts';

/**
 * Loads the demo clinic into an empty database and carries it on to today in one that holds it, unless the settings say
 * not to. A database with demo accounts, whose passwords are public, is refused where other machines can reach the
 * server.
 */
export async function prepareDemo(config: Config, db: Db, progress: (line: string) => void): Promise<void> {
  if (!config.loopback) {
    const demo = await db.selectFrom('account').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
    if (!demo) return;
    throw new StartError(
      `The database holds the demo accounts, whose passwords are public, and HOST ${config.host} can be reached from other machines: use another database, or HOST=127.0.0.1.`,
    );
  }
  if (!config.demo) return;
  const { date: today } = wallNow(makeClock(config.clock), DEFAULT_LOCATION);
  const outcome = await loadDemo(db, { today, passwordHasher: hashPassword });
  if (outcome === 'loaded') progress('Demo clinic loaded (once).');
  if (outcome === 'carried-on') progress('Demo clinic carried on to today.');
}
