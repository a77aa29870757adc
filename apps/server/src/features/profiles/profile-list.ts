import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';

/** A list of a profile that has its own table, as the API shows it. */
export interface ProfileList<Sent, Shown> {
  /** False: sent with a single profile, but not with a list of profiles. */
  readonly inLists: boolean;
  /** Each person's list, as read. */
  readonly shown: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Shown[]>>;
  /**
   * Makes a person's list the one sent. If none was sent, it stays as it is, and a new profile gets its first one.
   * @returns whether this changed it
   */
  readonly save: (
    trx: Db,
    id: string,
    sent: readonly Sent[] | undefined,
    profile: 'new' | 'stored',
  ) => Promise<boolean>;
}

/** What is special about a list; `Stored` is one of its rows without the person's id. */
interface ListSpec<Sent, Stored, Shown, ToStore> {
  readonly select: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Stored[]>>;
  readonly present: (stored: Stored) => Shown;
  /** Refuses what cannot be stored. */
  readonly toStore: (
    sent: readonly Sent[],
    stored: readonly Stored[],
    trx: Db,
  ) => readonly ToStore[] | Promise<readonly ToStore[]>;
  /** False: sent with a single profile, but not with a list of profiles. Default: with both. */
  readonly inLists?: boolean;
  /** A new profile's list, if none is sent. */
  readonly first: readonly Sent[];
  /** The form in which two lists are compared. */
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

/** Rows by person, in order; each of `ids` has a list, perhaps empty. */
export function byPerson<Row extends object, Key extends keyof Row>(
  ids: readonly string[],
  rows: readonly Row[],
  key: Key,
): Map<string, Omit<Row, Key>[]> {
  const lists = new Map<string, Omit<Row, Key>[]>(ids.map((id) => [id, []]));
  for (const { [key]: id, ...row } of rows) lists.get(id as string)?.push(row);
  return lists;
}

/** The condition that a column is one of these. */
export const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::text[])`;
