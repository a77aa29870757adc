import type { Client } from '@clinic/contract';
import type { StoredClient, StoredRestriction } from './clients.queries.ts';

/** A client as the wire has it (DATA-04): genders in lower case, therapists by id. */
export function presentClient(row: StoredClient, restrictions: readonly StoredRestriction[]): Client {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    display_name: row.display_name,
    location: row.location,
    gender: row.gender,
    restrictions: restrictions.map((restriction) =>
      restriction.requires_gender === null
        ? { type: 'therapist' as const, restriction: restriction.excludes_therapist_id ?? '' }
        : { type: 'gender' as const, restriction: restriction.requires_gender.toLowerCase() },
    ),
    care_team_only: row.care_team_only,
    rbt_or_above: row.rbt_or_above,
    two_to_one: row.two_to_one,
    version: row.version,
  };
}
