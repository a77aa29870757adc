import { defaultLocation } from '@clinic/domain';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { DEMO_LOGINS, demoLives, loadDemo } from '../db/demo/load-demo.ts';
import { isoAt, makeClock } from '../platform/clock.ts';
import { publishEvent } from '../platform/events.ts';
import { audit } from './audit.ts';
import { hashPassword } from './passwords.ts';
import { isExposed, isFromThisMachine } from './reach.ts';
import { isOfAnotherService } from './peer.ts';
import { StartError } from '../start-error.ts';
import { wallNow } from '../platform/wall-clock.ts';

/**
 * Loads the demo clinic into an empty database, or extends an existing demo clinic to today, unless the settings turn
 * the demo off. Refuses to start with demo accounts, whose passwords are public, if other machines can reach the
 * server.
 */
export async function prepareDemo(config: Config, db: Db, progress: (line: string) => void): Promise<void> {
  // An earlier version let the demo accounts live beside the clinic's own.
  await db.transaction().execute(async (trx) => {
    if (await hasOwnAccounts(trx))
      await endDemo(trx, { at: makeClock(config.clock).now(), accountId: null, requestId: null });
  });
  if (isExposed(config)) {
    if (!(await demoLives(db))) return;
    throw new StartError(
      `The database holds the demo accounts, whose passwords are public, and ${exposedBy(config)}: use another database, or serve this machine only.`,
    );
  }
  if (!config.demo) return;
  const { date: today } = wallNow(makeClock(config.clock), defaultLocation());
  const outcome = await loadDemo(db, { today, passwordHasher: hashPassword });
  if (outcome === 'loaded') {
    progress('Demo clinic loaded (first run only). Log in as:');
    for (const { email, password, role } of DEMO_LOGINS) progress(`  ${email}  ${password}  (${role})`);
  }
  if (outcome === 'carried-on') progress('Demo clinic extended to today.');
}

function exposedBy({ host, loopback, trustProxy }: Config): string {
  if (!loopback) return `HOST ${host} can be reached from other machines`;
  return trustProxy === false
    ? 'PUBLIC_URL is an address for other machines'
    : 'TRUST_PROXY lets other machines in through a proxy';
}

/**
 * Whether a request may log in to the demo accounts, whose passwords are public: only on this machine, not through a
 * proxy, and not where other machines can reach the server (docs/decisions/0267).
 */
export const mayUseDemo = (request: FastifyRequest, config: Config): boolean =>
  config.demo && !isExposed(config) && isFromThisMachine(request) && !isOfAnotherService(request.socket);

async function hasOwnAccounts(db: Db): Promise<boolean> {
  const account = await db.selectFrom('account').select('id').where('demo', '=', false).limit(1).executeTakeFirst();
  return account !== undefined;
}

interface DemoEnd {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly accountId: string | null;
  readonly requestId: string | null;
}

/**
 * Ends the demo, in the transaction that adds the first account or imports the first data: the demo accounts are
 * disabled and logged out for good. Does nothing if they have ended before.
 */
export async function endDemo(trx: Db, { at, accountId, requestId }: DemoEnd): Promise<void> {
  const now = isoAt(at);
  const ended = await trx
    .updateTable('account')
    .set({ disabled_at: now, updated_at: now })
    .where('demo', '=', true)
    .where('disabled_at', 'is', null)
    .returning(['id', 'role', 'locations'])
    .execute();
  for (const { id, role, locations } of ended) {
    await trx
      .updateTable('session')
      .set({ ended_at: now, ended_why: 'disabled' })
      .where('account_id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
    await publishEvent(trx, { kind: 'account-ended', account: id });
    await audit(trx, at, {
      action: 'account.changed',
      subjectKind: 'account',
      subjectIds: [id],
      accountId,
      requestId,
      detail: { role, locations, disabled: true, demo: 'ended' },
    });
  }
}
