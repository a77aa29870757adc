import { sql } from 'kysely';
import type { Gender } from '@clinic/domain';
import type { WireRestriction } from '@clinic/contract';
import type { Db } from '../db/connection.ts';
import { refusal } from '../platform/refusal.ts';
import { anyOf } from '../db/any-of.ts';
import { byPerson, profileList } from './profile-list.ts';

/** A restriction: either a required gender or an excluded therapist. */
export interface StoredRestriction {
  readonly requires_gender: Gender | null;
  readonly excludes_therapist_id: string | null;
}

/**
 * Turns the API's restrictions into rows to store, without repetitions: a required gender, in upper or lower case, or
 * the id of a therapist to exclude.
 */
export function restrictionsToStore(list: readonly WireRestriction[]): StoredRestriction[] {
  const stored = new Map<string, StoredRestriction>();
  for (const { type, restriction } of list) {
    const value = restriction.trim();
    if (type === 'gender') {
      const requires_gender = value.toLowerCase() === 'female' ? 'Female' : 'Male';
      stored.set(`gender ${requires_gender}`, { requires_gender, excludes_therapist_id: null });
    } else {
      stored.set(`therapist ${value}`, { requires_gender: null, excludes_therapist_id: value });
    }
  }
  return [...stored.values()];
}

/** Returns the ids of the therapists whom restrictions exclude. */
export function excludedTherapists(list: readonly StoredRestriction[]): string[] {
  return list.flatMap((restriction) => restriction.excludes_therapist_id ?? []);
}

/** Refuses (422) the first restriction whose therapist is not in `known`, with its position in the list. */
function refuseUnknownTherapists(list: readonly WireRestriction[], known: ReadonlySet<string>): void {
  list.forEach(({ type, restriction }, i) => {
    if (type !== 'therapist' || known.has(restriction.trim())) return;
    throw refusal('excluded-therapist-unknown', i, restriction.trim());
  });
}

/** Restrictions by client: genders first, then therapists by id. */
async function selectRestrictions(db: Db, ids: readonly string[]): Promise<Map<string, StoredRestriction[]>> {
  const rows = await db
    .selectFrom('client_restriction')
    .select(['client_id', 'requires_gender', 'excludes_therapist_id'])
    .where('client_id', '=', anyOf(ids))
    .orderBy(sql`requires_gender nulls last`)
    .orderBy('excludes_therapist_id')
    .execute();
  return byPerson(ids, rows, 'client_id');
}

/** Returns the ids in this list that belong to therapists who have not been deleted. */
async function selectKnownTherapists(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('therapist')
    .select('id')
    .where('id', '=', anyOf(ids))
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map((row) => row.id);
}

/** The list of restrictions in a client's profile. A restriction may stay when its therapist has been deleted. */
export const RESTRICTIONS = profileList({
  select: selectRestrictions,
  present: (restriction: StoredRestriction): WireRestriction =>
    restriction.requires_gender === null
      ? { type: 'therapist', restriction: restriction.excludes_therapist_id ?? '' }
      : { type: 'gender', restriction: restriction.requires_gender.toLowerCase() },
  toStore: async (sent: readonly WireRestriction[], stored, trx) => {
    const list = restrictionsToStore(sent);
    const known = await selectKnownTherapists(trx, excludedTherapists(list));
    refuseUnknownTherapists(sent, new Set([...known, ...excludedTherapists(stored)]));
    return list;
  },
  table: 'client_restriction',
  owner: 'client_id',
  rowOf: (restriction, id) => ({ client_id: id, ...restriction }),
});
