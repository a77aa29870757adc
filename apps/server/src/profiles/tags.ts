import { sql } from 'kysely';
import { datesMeet, nameKey, type Dated, type DatedTag } from '@clinic/domain';
import type { CredentialRecord, Need, Tag } from '@clinic/contract';
import { selectAllTags } from '../people/therapists.queries.ts';
import type { Db } from '../db/connection.ts';
import { refusal } from '../platform/refusal.ts';
import { anyOf } from '../db/any-of.ts';
import { byPerson, profileList } from './profile-list.ts';

/** Tags by therapist, sorted by name and then by date. */
const selectTags = async (db: Db, ids: readonly string[]): Promise<Map<string, DatedTag[]>> =>
  byPerson(ids, await selectAllTags(db, ids), 'therapist_id');

/** Needs by client: required needs first, then by name. */
async function selectNeeds(db: Db, ids: readonly string[]): Promise<Map<string, Need[]>> {
  const rows = await db
    .selectFrom('client_need')
    .select(['client_id', 'tag', 'must'])
    .where('client_id', '=', anyOf(ids))
    .orderBy('must', 'desc')
    .orderBy('tag_key')
    .execute();
  return byPerson(ids, rows, 'client_id');
}

const ALWAYS: Dated = { from_date: null, until_date: null };

/**
 * Refuses (422) two entries for the same tag that are both valid on some date. The refusal gives the second entry's
 * position in the list.
 */
function refuseTwice<T extends { readonly tag: string } & Partial<Dated>>(
  field: 'tags' | 'needs',
  sent: readonly T[],
): readonly T[] {
  sent.forEach((entry, i) => {
    const earlier = sent.slice(0, i).filter(({ tag }) => nameKey(tag) === nameKey(entry.tag));
    if (!earlier.some((other) => datesMeet({ ...ALWAYS, ...other }, { ...ALWAYS, ...entry }))) return;
    throw refusal('tag-twice', field, i, entry.tag);
  });
  return sent;
}

/** The list of tags in a therapist's profile. */
export const TAGS = profileList({
  select: selectTags,
  present: (tag: DatedTag): Tag => tag,
  toStore: (sent: readonly Tag[]) => refuseTwice('tags', sent),
  table: 'therapist_tag',
  owner: 'therapist_id',
  rowOf: (tag, id) => ({ therapist_id: id, tag_key: nameKey(tag.tag), ...tag }),
});

/** Credentials by therapist, latest first. */
async function selectCredentials(db: Db, ids: readonly string[]): Promise<Map<string, CredentialRecord[]>> {
  const rows = await db
    .selectFrom('therapist_credential')
    .select(['therapist_id', 'credential', 'number', 'from_date', 'until_date'])
    .where('therapist_id', '=', anyOf(ids))
    .orderBy(sql`until_date desc nulls first`)
    .orderBy('credential')
    .orderBy('number')
    .execute();
  return byPerson(ids, rows, 'therapist_id');
}

/** The list of credentials, with their dates, in a therapist's profile. */
export const CREDENTIALS = profileList({
  select: selectCredentials,
  present: (record: CredentialRecord): CredentialRecord => record,
  toStore: (sent: readonly CredentialRecord[]) => sent,
  table: 'therapist_credential',
  owner: 'therapist_id',
  rowOf: (record, id) => ({ therapist_id: id, ...record }),
});

/** The list of needs in a client's profile. */
export const NEEDS = profileList({
  select: selectNeeds,
  present: (need: Need): Need => need,
  toStore: (sent: readonly Need[]) => refuseTwice('needs', sent),
  table: 'client_need',
  owner: 'client_id',
  rowOf: (need, id) => ({ client_id: id, tag_key: nameKey(need.tag), ...need }),
});
