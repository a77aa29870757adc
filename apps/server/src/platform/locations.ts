import type { Db } from '../db/connection.ts';
import { loadLocations } from '../db/locations.ts';
import type { Events } from './events.ts';

/**
 * Reads the clinic's locations, and again whenever a server on this database has changed them. If the reading fails, the
 * database is away; when it is back, a `resync` follows.
 */
export async function followLocations(db: Db, events: Events): Promise<void> {
  events.subscribe(({ kind }) => {
    if (kind === 'locations' || kind === 'resync') loadLocations(db).catch(() => {});
  });
  await loadLocations(db);
}
