import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/connection.ts';
import { makeAuditReads } from './audit-reads.ts';
import { makeClock, type Clock } from '../platform/clock.ts';
import type { Deps } from './deps.ts';
import { CHANNEL, openEvents } from '../platform/events.ts';
import { followLocations } from '../platform/locations.ts';
import { openLink } from '../platform/link.ts';
import { makeRoom } from '../platform/room.ts';
import { makeServers } from '../platform/servers.ts';
import { wallClock } from '../platform/wall-clock.ts';
import { makeSeal } from './seal.ts';
import { keptTokenKey, makeTokens } from './tokens.ts';

/** Builds an application's dependencies on a database that is already open. Close `deps.events` before the database. */
export async function makeDeps(config: Config, database: OpenDatabase, givenClock?: Clock): Promise<Deps> {
  const { db, pool, writes } = database;
  const tokenKey = config.tokenKey ?? (await keptTokenKey(db));
  const room = makeRoom(db);
  const clock = makeClock(config.clock);
  const accessClock = givenClock ?? clock;
  const link = await openLink(database, { channel: CHANNEL });
  const events = openEvents(link);
  await followLocations(db, events);
  return {
    config,
    db,
    pool,
    writes,
    link,
    room,
    clock,
    wallOf: wallClock(clock),
    accessClock,
    events,
    auditReads: makeAuditReads(db, accessClock, room),
    tokens: makeTokens(tokenKey, accessClock),
    seal: makeSeal(tokenKey),
    servers: makeServers(db, config, accessClock),
  };
}
