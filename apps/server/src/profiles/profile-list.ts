import { sql, type Insertable } from 'kysely';
import type { PersonKind } from '@clinic/domain';
import { insertMany } from '../db/bulk.ts';
import type { Db } from '../db/connection.ts';
import type { Database } from '../db/schema.ts';

/** A list in a profile. Each kind of list has its own table. */
export interface ProfileList<Sent, Shown> {
  /** If false, this list is returned only with a single profile, not with lists of profiles. */
  readonly inLists: boolean;
  /** Returns each person's list by their id, as the API shows it. */
  readonly shown: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Shown[]>>;
  /**
   * Replaces a person's list with the one in the request. If the request has none, a stored list stays, and a new
   * profile gets `first`.
   * @returns whether the list changed
   */
  readonly save: (
    trx: Db,
    id: string,
    sent: readonly Sent[] | undefined,
    profile: 'new' | 'stored',
  ) => Promise<boolean>;
}

/** Everything that differs from list to list; `Stored` is a row without the person's id. */
interface ListSpec<Sent, Stored extends object, Shown, ToStore extends object, Table extends keyof Database> {
  readonly table: Table;
  /** The column with the person's id. */
  readonly owner: `${PersonKind}_id`;
  readonly select: (db: Db, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly Stored[]>>;
  readonly present: (stored: Stored) => Shown;
  /** The rows to store; refuses entries that cannot be stored. */
  readonly toStore: (
    sent: readonly Sent[],
    stored: readonly Stored[],
    trx: Db,
  ) => readonly ToStore[] | Promise<readonly ToStore[]>;
  /**
   * If false, this list is returned only with a single profile; by default, it is also returned with lists of profiles.
   */
  readonly inLists?: boolean;
  /** The list that a new profile gets if the request has none; by default, an empty one. */
  readonly first?: readonly Sent[];
  /** Makes a string that is the same for two equal lists; by default, the order does not matter. */
  readonly keyOf?: (list: readonly (Stored | ToStore)[]) => string;
  /** An entry as a row of the table. All rows have the same columns. */
  readonly rowOf: (entry: ToStore, id: string, i: number) => Insertable<Database[Table]>;
}

/** Makes a string that is the same for two lists that differ only in order. */
const inAnyOrder = (list: readonly object[]): string =>
  list
    .map((entry) => JSON.stringify(Object.entries(entry).sort()))
    .sort()
    .join();

export function profileList<Sent, Stored extends object, Shown, ToStore extends object, Table extends keyof Database>(
  spec: ListSpec<Sent, Stored, Shown, ToStore, Table>,
): ProfileList<Sent, Shown> {
  const { table, owner, select, keyOf = inAnyOrder } = spec;
  return {
    inLists: spec.inLists ?? true,
    shown: async (db, ids) => new Map([...(await select(db, ids))].map(([id, list]) => [id, list.map(spec.present)])),
    save: async (trx, id, given, profile) => {
      const sent = given ?? (profile === 'new' ? (spec.first ?? []) : null);
      if (sent === null) return false;
      const stored = (await select(trx, [id])).get(id) ?? [];
      const list = await spec.toStore(sent, stored, trx);
      if (keyOf(list) === keyOf(stored)) return false;
      await sql`delete from ${sql.table(table)} where ${sql.ref(owner)} = ${id}`.execute(trx);
      await insertMany(
        trx,
        table,
        list.map((entry, i) => spec.rowOf(entry, id, i)),
      );
      return true;
    },
  };
}

/**
 * Groups rows by person: returns a map from each id to that person's rows, in order. Every id has a list, which may be
 * empty.
 */
export function byPerson<Row extends object, Key extends keyof Row>(
  ids: readonly string[],
  rows: readonly Row[],
  key: Key,
): Map<string, Omit<Row, Key>[]> {
  const lists = new Map<string, Omit<Row, Key>[]>(ids.map((id) => [id, []]));
  for (const { [key]: id, ...row } of rows) lists.get(id as string)?.push(row);
  return lists;
}
