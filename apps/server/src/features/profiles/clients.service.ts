import { fullName, nameKey, type IsoDate, type Location } from '@clinic/domain';
import type { Client, ClientBody } from '@clinic/contract';
import { bumpDays, firstDayPlanned } from '../../clinic-day/versions.ts';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import { freeDisplayName, lockProfileNames, nextProfileId } from '../../db/profile-names.ts';
import { requireLocation } from '../../platform/access/caller.ts';
import type { Act } from '../../platform/access/act.ts';
import { atEach, audit } from '../../platform/access/audit.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { publishEvent } from '../../platform/events.ts';
import { presentClient } from './clients.presenter.ts';
import {
  hasSecondSeats,
  insertClient,
  replaceRestrictions,
  selectClient,
  selectClients,
  selectKnownTherapists,
  selectRestrictions,
  selectTouchedDays,
  updateClient,
  type StoredClient,
  type StoredRestriction,
} from './clients.queries.ts';
import { excludedTherapists, refuseUnknownTherapists, restrictionsToStore } from './restrictions.ts';

/** What a save needs besides the body. */
export interface SaveContext {
  /** The date at the clinic. */
  readonly today: IsoDate;
  /** No client may have the name of administrative time. */
  readonly adminClientName: string;
}

/** All clients at these locations (null: all), by name. */
export async function listClients(db: Db, locations: readonly Location[] | null): Promise<Client[]> {
  const rows = await selectClients(db, locations);
  const restrictions = await selectRestrictions(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => presentClient(row, restrictions.get(row.id) ?? []));
}

/** One client, for an account with access to the client's location. Unknown: `not-found`. */
export async function readClient(db: Db, caller: Act['caller'], id: string): Promise<Client> {
  const row = await selectClient(db, id);
  if (!row) throw unknownClient();
  requireLocation(caller, row.location);
  return presentClient(row, (await selectRestrictions(db, [id])).get(id) ?? []);
}

/** Adds a client under the next free id and a unique display name. */
export async function createClient(db: Db, act: Act, body: ClientBody, context: SaveContext): Promise<Client> {
  requireLocation(act.caller, body.location);
  refuseAdministrativeName(body, context.adminClientName);
  const restrictions = restrictionsToStore(body.restrictions ?? []);
  return inTransaction(db, async (trx) => {
    refuseUnknownTherapists(
      body.restrictions ?? [],
      await selectKnownTherapists(trx, excludedTherapists(restrictions)),
    );
    await lockProfileNames(trx, 'client');
    const id = await nextProfileId(trx, 'client');
    await insertClient(trx, id, await fieldsOf(trx, body, null));
    await replaceRestrictions(trx, id, restrictions);
    await recordChange(trx, act, id, 'client.created', [body.location], []);
    return showStored(trx, id);
  });
}

/**
 * Saves over the version that was edited; refuses a newer one with `stale-version`, which carries the newest version.
 * Restrictions become exactly those sent; when none are sent they stay. One that excludes a therapist deleted since may
 * stay.
 */
export async function saveClient(
  db: Db,
  act: Act,
  id: string,
  body: ClientBody,
  context: SaveContext,
): Promise<Client> {
  refuseAdministrativeName(body, context.adminClientName);
  return inTransaction(db, async (trx) => {
    await lockProfileNames(trx, 'client');
    const before = await selectClient(trx, id, true);
    if (!before) throw unknownClient();
    requireLocation(act.caller, before.location);
    requireLocation(act.caller, body.location);
    if (body.version !== undefined && body.version !== before.version) {
      throw new Refusal('stale-version', { extra: { version: before.version } });
    }
    const stored = (await selectRestrictions(trx, [id])).get(id) ?? [];
    const restrictions = body.restrictions ? restrictionsToStore(body.restrictions) : stored;
    const known = await selectKnownTherapists(trx, excludedTherapists(restrictions));
    refuseUnknownTherapists(body.restrictions ?? [], new Set([...known, ...excludedTherapists(stored)]));
    const fields = await fieldsOf(trx, body, before);
    if (before.two_to_one && !fields.two_to_one && (await hasSecondSeats(trx, id, context.today))) {
      throw refusal('second-therapist-booked');
    }
    await updateClient(trx, id, fields, new Date(act.at).toISOString());
    await replaceRestrictions(trx, id, restrictions);
    const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter((field) => before[field] !== fields[field]);
    const all = sameRestrictions(stored, restrictions) ? changed : [...changed, 'restrictions'];
    const days = all.length > 0 ? await selectTouchedDays(trx, id, firstDayPlanned(context.today)) : [];
    await bumpDays(trx, days);
    await recordChange(trx, act, id, 'client.changed', [before.location, body.location], all, days);
    return showStored(trx, id);
  });
}

export function unknownClient(): Refusal {
  return refusal('no-such-client');
}

/** On the wire only the name tells administrative time from a client's session. */
function refuseAdministrativeName(body: ClientBody, adminClientName: string): void {
  if (nameKey(fullName(body.first_name, body.last_name)) !== nameKey(adminClientName)) return;
  throw refusal('name-is-administrative', adminClientName);
}

function sameRestrictions(a: readonly StoredRestriction[], b: readonly StoredRestriction[]): boolean {
  const keys = (list: readonly StoredRestriction[]): string =>
    list
      .map((restriction) => JSON.stringify([restriction.requires_gender, restriction.excludes_therapist_id]))
      .sort()
      .join();
  return keys(a) === keys(b);
}

async function recordChange(
  trx: Db,
  act: Act,
  id: string,
  action: string,
  locations: readonly Location[],
  changed: readonly string[],
  days: readonly { location: Location }[] = [],
): Promise<void> {
  for (const location of new Set(locations)) {
    await publishEvent(trx, { kind: 'profiles', location, dates: [], by: act.caller.id });
  }
  const entries = atEach([...locations, ...days.map((day) => day.location)], {
    action,
    subjectKind: 'client',
    subjectIds: [id],
    accountId: act.caller.id,
    detail: changed.length > 0 ? { changed } : {},
    requestId: act.requestId,
  });
  await audit(trx, act.at, ...entries);
}

async function fieldsOf(trx: Db, body: ClientBody, before: StoredClient | null) {
  const person = { first: body.first_name, last: body.last_name };
  const sameName =
    before !== null && fullName(person.first, person.last) === fullName(before.first_name, before.last_name);
  return {
    first_name: body.first_name,
    last_name: body.last_name,
    // An unchanged name keeps its number, even when others with that name have left.
    display_name: sameName ? before.display_name : await freeDisplayName(trx, 'client', person, before?.id ?? null),
    location: body.location,
    gender: body.gender,
    care_team_only: body.care_team_only ?? before?.care_team_only ?? false,
    rbt_or_above: body.rbt_or_above ?? before?.rbt_or_above ?? false,
    two_to_one: body.two_to_one ?? before?.two_to_one ?? false,
  };
}

async function showStored(trx: Db, id: string): Promise<Client> {
  const row = await selectClient(trx, id);
  if (!row) throw new Error('a client just written is gone');
  return presentClient(row, (await selectRestrictions(trx, [id])).get(id) ?? []);
}
