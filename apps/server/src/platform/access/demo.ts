import { DEFAULT_LOCATION } from '@clinic/domain';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/connection.ts';
import { loadDemo } from '../../db/demo/load-demo.ts';
import { makeClock } from '../clock.ts';
import { hashPassword } from './passwords.ts';
import { isExposed } from './reach.ts';
import { StartError } from '../../start-error.ts';
import { wallNow } from '../wall-clock.ts';

/**
 * Loads the demo clinic into an empty database, or extends an existing demo clinic to today, unless the settings turn
 * the demo off. Refuses to start with demo accounts, whose passwords are public, if other machines can reach the
 * server.
 */
export async function prepareDemo(config: Config, db: Db, progress: (line: string) => void): Promise<void> {
  if (isExposed(config)) {
    const demo = await db.selectFrom('account').select('id').where('demo', '=', true).limit(1).executeTakeFirst();
    if (!demo) return;
    throw new StartError(
      `The database holds the demo accounts, whose passwords are public, and ${exposedBy(config)}: use another database, or serve this machine only.`,
    );
  }
  if (!config.demo) return;
  const { date: today } = wallNow(makeClock(config.clock), DEFAULT_LOCATION);
  const outcome = await loadDemo(db, { today, passwordHasher: hashPassword });
  if (outcome === 'loaded') progress('Demo clinic loaded (first run only).');
  if (outcome === 'carried-on') progress('Demo clinic extended to today.');
}

function exposedBy({ host, loopback, trustProxy }: Config): string {
  if (!loopback) return `HOST ${host} can be reached from other machines`;
  return trustProxy === false
    ? 'PUBLIC_URL is an address for other machines'
    : 'TRUST_PROXY lets other machines in through a proxy';
}
