import type { Db } from '../db/connection.ts';
import type { Act } from '../access/act.ts';
import { requireLocation } from '../access/caller.ts';
import type { ProfileBody, ProfileKind, StoredProfile } from './profile-kind.ts';
import { selectProfile } from './profiles.queries.ts';

/** Returns a stored profile if the account may see the person's location; refuses otherwise. */
export async function allowedRow<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  db: Db,
  kind: ProfileKind<Row, Body, Profile>,
  caller: Act['caller'],
  id: string,
  lock = false,
): Promise<Row> {
  const row = await selectProfile<Row>(db, kind, id, lock);
  if (!row) throw kind.unknown();
  requireLocation(caller, row.location);
  return row;
}
