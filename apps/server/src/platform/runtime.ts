import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { makeAuditReads } from './access/audit-reads.ts';
import { makeClock } from './clock.ts';
import type { Deps } from './deps.ts';
import { openEvents } from './events.ts';
import { keptTokenKey, makeTokens } from './access/tokens.ts';

/** What an application needs around an open database. `deps.events` must be closed before the database is. */
export async function makeDeps(config: Config, db: Db, pool: pg.Pool, machineClock = makeClock()): Promise<Deps> {
  return {
    config,
    db,
    pool,
    clock: makeClock(config.clock),
    machineClock,
    events: await openEvents(pool),
    auditReads: makeAuditReads(db, machineClock),
    tokens: makeTokens(config.tokenKey ?? (await keptTokenKey(db)), machineClock),
  };
}
