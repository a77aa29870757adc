import { fullName, type IsoDate, type Location } from '@clinic/domain';
import { NEW_THERAPIST_WEEK, type Therapist, type TherapistBody } from '@clinic/contract';
import { bumpDays, firstDayPlanned } from '../../clinic-day/versions.ts';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import { freeDisplayName, lockProfileNames, nextProfileId } from '../../db/profile-names.ts';
import { requireLocation } from '../../platform/access/caller.ts';
import type { Act } from '../../platform/access/act.ts';
import { atEach, audit } from '../../platform/access/audit.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { publishEvent } from '../../platform/events.ts';
import { sameWindows, windowsToStore } from './availability.ts';
import { presentTherapist } from './therapists.presenter.ts';
import {
  insertTherapist,
  replaceWindows,
  selectTherapist,
  selectTherapists,
  selectTouchedDays,
  selectWindows,
  updateTherapist,
  type StoredTherapist,
} from './therapists.queries.ts';

/** Everyone with the clinic at these locations (null: all), by name. */
export async function listTherapists(db: Db, locations: readonly Location[] | null): Promise<Therapist[]> {
  const rows = await selectTherapists(db, locations);
  const windows = await selectWindows(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => presentTherapist(row, windows.get(row.id) ?? []));
}

/** One therapist, for an account with access to the therapist's location. Unknown or deleted: `not-found`. */
export async function readTherapist(db: Db, caller: Act['caller'], id: string): Promise<Therapist> {
  const row = await selectTherapist(db, id);
  if (!row) throw unknownTherapist();
  requireLocation(caller, row.location);
  return show(db, row);
}

/** Adds a therapist under the next free id and a unique display name. */
export async function createTherapist(db: Db, act: Act, body: TherapistBody, today: IsoDate): Promise<Therapist> {
  requireLocation(act.caller, body.location);
  const windows = windowsToStore(body.availability ?? NEW_THERAPIST_WEEK, []);
  return inTransaction(db, async (trx) => {
    await lockProfileNames(trx, 'therapist');
    const id = await nextProfileId(trx, 'therapist');
    await insertTherapist(trx, id, await fieldsOf(trx, body, null));
    await replaceWindows(trx, id, windows);
    await settleChange(trx, act, {
      id,
      action: 'therapist.created',
      locations: [body.location],
      touchesPlans: true,
      today,
    });
    return showStored(trx, id);
  });
}

/**
 * Saves over the version that was edited; refuses a newer one with `stale-version`, which carries the newest version.
 * Weekly windows become exactly those sent; when none are sent they stay.
 */
export async function saveTherapist(
  db: Db,
  act: Act,
  id: string,
  body: TherapistBody,
  today: IsoDate,
): Promise<Therapist> {
  return inTransaction(db, async (trx) => {
    await lockProfileNames(trx, 'therapist');
    const before = await selectTherapist(trx, id, true);
    if (!before) throw unknownTherapist();
    requireLocation(act.caller, before.location);
    requireLocation(act.caller, body.location);
    if (body.version !== undefined && body.version !== before.version) {
      throw new Refusal('stale-version', { extra: { version: before.version } });
    }
    const stored = (await selectWindows(trx, [id])).get(id) ?? [];
    const windows = body.availability ? windowsToStore(body.availability, stored) : stored;
    const fields = await fieldsOf(trx, body, before);
    await updateTherapist(trx, id, fields, new Date(act.at).toISOString());
    const windowsChanged = !sameWindows(stored, windows);
    await replaceWindows(trx, id, windows);
    const changed = changedFields(before, fields);
    if (windowsChanged) changed.push('availability');
    const touchesPlans = changed.some((field) =>
      ['location', 'specialization', 'gender', 'availability', 'display_name'].includes(field),
    );
    await settleChange(trx, act, {
      id,
      action: 'therapist.changed',
      locations: [before.location, body.location],
      touchesPlans,
      today,
      detail: { changed },
    });
    return showStored(trx, id);
  });
}

export function unknownTherapist(): Refusal {
  return refusal('no-such-therapist');
}

/** Ends every write of a therapist: day versions, the event, the audit trail. */
async function settleChange(
  trx: Db,
  act: Act,
  change: {
    id: string;
    action: string;
    locations: readonly Location[];
    touchesPlans: boolean;
    today: IsoDate;
    detail?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const locations = [...new Set(change.locations)];
  const days = change.touchesPlans
    ? await selectTouchedDays(trx, change.id, locations, firstDayPlanned(change.today))
    : [];
  await bumpDays(trx, days);
  for (const location of locations) {
    await publishEvent(trx, { kind: 'profiles', location, dates: [], by: act.caller.id });
  }
  const entries = atEach([...locations, ...days.map((day) => day.location)], {
    action: change.action,
    subjectKind: 'therapist',
    subjectIds: [change.id],
    accountId: act.caller.id,
    detail: change.detail ?? {},
    requestId: act.requestId,
  });
  await audit(trx, act.at, ...entries);
}

async function fieldsOf(trx: Db, body: TherapistBody, before: StoredTherapist | null) {
  const person = { first: body.first_name, last: body.last_name };
  const sameName =
    before !== null && fullName(person.first, person.last) === fullName(before.first_name, before.last_name);
  return {
    first_name: body.first_name,
    last_name: body.last_name,
    // An unchanged name keeps its number, even when others with that name have left.
    display_name: sameName ? before.display_name : await freeDisplayName(trx, 'therapist', person, before?.id ?? null),
    location: body.location,
    specialization: body.specialization,
    gender: body.gender,
    start_date: body.start_date,
    consistency: body.consistency === undefined ? (before?.consistency ?? null) : body.consistency,
  };
}

function changedFields(before: StoredTherapist, after: Awaited<ReturnType<typeof fieldsOf>>): string[] {
  return (Object.keys(after) as (keyof typeof after)[]).filter((field) => before[field] !== after[field]);
}

async function show(db: Db, row: StoredTherapist): Promise<Therapist> {
  return presentTherapist(row, (await selectWindows(db, [row.id])).get(row.id) ?? []);
}

async function showStored(trx: Db, id: string): Promise<Therapist> {
  const row = await selectTherapist(trx, id);
  if (!row) throw new Error('a therapist just written is gone');
  return show(trx, row);
}
