import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';

/** A list of a profile that is stored in a table of its own. */
export interface ProfileList<Sent, Shown> {
  /** False: lists of profiles leave it out; only a single profile has it. */
  readonly inLists: boolean;
  /** The list of each person, as the API shows it. */
  readonly shown: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Shown[]>>;
  /**
   * Replaces a person's list by the one sent. If none was sent, it stays; a new profile gets its first one.
   * @returns whether it changed
   */
  readonly save: (
    trx: Db,
    id: string,
    sent: readonly Sent[] | undefined,
    profile: 'new' | 'stored',
  ) => Promise<boolean>;
}

/** What differs between lists; `Stored` is a row without the person's id. */
interface ListSpec<Sent, Stored, Shown, ToStore> {
  readonly select: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Stored[]>>;
  readonly present: (stored: Stored) => Shown;
  /** Refuses what cannot be stored. */
  readonly toStore: (
    sent: readonly Sent[],
    stored: readonly Stored[],
    trx: Db,
  ) => readonly ToStore[] | Promise<readonly ToStore[]>;
  /** False: lists of profiles leave it out; only a single profile has it. By default both have it. */
  readonly inLists?: boolean;
  /** The list of a new profile when none is sent. */
  readonly first: readonly Sent[];
  /** A text that two equal lists share. */
  readonly keyOf: (list: readonly (Stored | ToStore)[]) => string;
  readonly replace: (trx: Db, id: string, list: readonly ToStore[]) => Promise<void>;
}

export const profileList = <Sent, Stored, Shown, ToStore>(
  spec: ListSpec<Sent, Stored, Shown, ToStore>,
): ProfileList<Sent, Shown> => ({
  inLists: spec.inLists ?? true,
  shown: async (db, ids) =>
    new Map([...(await spec.select(db, ids))].map(([id, list]) => [id, list.map(spec.present)])),
  save: async (trx, id, given, profile) => {
    const sent = given ?? (profile === 'new' ? spec.first : null);
    if (sent === null) return false;
    const stored = (await spec.select(trx, [id])).get(id) ?? [];
    const list = await spec.toStore(sent, stored, trx);
    if (spec.keyOf(list) === spec.keyOf(stored)) return false;
    await spec.replace(trx, id, list);
    return true;
  },
});

/** The rows of each person, in order; every id has a list, perhaps an empty one. */
export function byPerson<Row extends object, Key extends keyof Row>(
  ids: readonly string[],
  rows: readonly Row[],
  key: Key,
): Map<string, Omit<Row, Key>[]> {
  const lists = new Map<string, Omit<Row, Key>[]>(ids.map((id) => [id, []]));
  for (const { [key]: id, ...row } of rows) lists.get(id as string)?.push(row);
  return lists;
}

/** The condition that a column has one of these ids. */
export const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;
