import type { ClientRecord, SourceRow, SourceTable } from '../import-types.ts';
import type { PeopleSnapshot, StoredClient } from '../plan/snapshot.ts';
import { tidy } from './fields.ts';

const STAYS_TWO_TO_ONE =
  '2:1 stays, because a second therapist is booked for this client; cancel that booking, then remove 2:1 in the profile';
const UNRESTRICTED = 'the file says nothing about restrictions, so this client has none: check the profile';

/**
 * Refuses a client's row if the next one has nothing but restrictions: they may be this client's, who would be taken
 * without them.
 */
export function withContinued<T extends Pick<SourceTable, 'rows'>>(table: T): T {
  const has = (row: SourceRow, name: string): boolean => tidy(row.cells[name] ?? '') !== '';
  const goesOn = (row: SourceRow | undefined): boolean =>
    row !== undefined && has(row, 'restrictions') && !['id', 'first_name', 'last_name'].some((name) => has(row, name));
  const faultOf = (row: SourceRow, next: SourceRow | undefined): string | null => {
    if (goesOn(row)) return 'it names nobody: write its restrictions into the cell of the client whom they are about';
    if (!next || !goesOn(next)) return null;
    return `its restrictions may go on in line ${next.line}, which names nobody: write all of them into one cell`;
  };
  const { rows } = table;
  return { ...table, rows: rows.map((row, i) => ({ ...row, fault: row.fault ?? faultOf(row, rows[i + 1]) })) };
}

/** Decides what someone should review about clients' restrictions, so that an import loosens none without a word. */
export class RestrictionReview {
  readonly #stored: ReadonlyMap<string, StoredClient>;
  readonly #therapists: ReadonlyMap<string, string>;

  constructor({ clients, therapists }: PeopleSnapshot) {
    this.#stored = new Map(clients.map((client) => [client.id, client]));
    this.#therapists = new Map(therapists.map(({ id, displayName }) => [id, displayName]));
  }

  /** Whether the client stays 2:1, although the row says otherwise, because a second therapist is booked. */
  staysTwoToOne(id: string, { twoToOne }: ClientRecord): boolean {
    return twoToOne === false && this.#stored.get(id)?.secondSeat === true;
  }

  /** @param id the stored client's id; null for a new client */
  review(id: string | null, record: ClientRecord): string | null {
    const before = id === null ? undefined : this.#stored.get(id);
    if (!before) return record.requiresGender ? null : UNRESTRICTED;
    const stays = this.staysTwoToOne(before.id, record);
    const dropped = this.#dropped(before, stays ? { ...record, twoToOne: true } : record);
    return (
      [
        ...(dropped.length > 0 ? [`no longer restricted: ${dropped.join(', ')}`] : []),
        ...(stays ? [STAYS_TWO_TO_ONE] : []),
      ].join('; ') || null
    );
  }

  /** Names the stored restrictions that the row drops. A row that says nothing about restrictions drops none. */
  #dropped(before: StoredClient, now: ClientRecord): string[] {
    const { requiresGender: genders, excludesTherapist: excludes } = now;
    if (!genders || !excludes) return [];
    const [only, ...others] = before.requiresGender;
    const kept = genders.length > 0 && genders.every((gender) => before.requiresGender.includes(gender));
    return [
      ...(only && others.length === 0 && !kept ? [`only ${only.toLowerCase()} therapists`] : []),
      ...before.excludesTherapist
        .filter((therapist) => !excludes.includes(therapist))
        .map((therapist) => `never ${this.#therapists.get(therapist) ?? therapist}`),
      ...(before.careTeamOnly && !now.careTeamOnly ? ['care team only'] : []),
      ...(before.rbtOrAbove && !now.rbtOrAbove ? ['RBT or above'] : []),
      ...(before.twoToOne && !now.twoToOne ? ['2:1'] : []),
    ];
  }
}
