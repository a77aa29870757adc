import { sql, type RawBuilder } from 'kysely';
import { byName, type IsoDate, type Location } from '@clinic/domain';
import { clientStays, LEFT_DAYS } from '../people/clients.queries.ts';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { shownAs } from '../db/profile-names.ts';
import type { ProfileBody, ProfileKind, StoredProfile } from './profile-kind.ts';

type Kind<Row extends StoredProfile> = Pick<
  ProfileKind<Row, ProfileBody, unknown>,
  'table' | 'fields' | 'minuteColumns' | 'leaves'
>;

const selectFrom = <Row extends StoredProfile>({ table, fields, minuteColumns, leaves }: Kind<Row>) => sql`
  select ${sql.join(['id', 'display_name', 'version', ...Object.keys(fields)].map(readField(minuteColumns)))}
  from ${sql.table(table)} where ${leaves ? sql`deleted_at is null` : sql`true`}`;

type MinuteColumns = Kind<StoredProfile>['minuteColumns'];

const readField = (minuteColumns: MinuteColumns) => (field: string) => {
  const column = minuteColumns[field];
  return column === undefined ? sql.ref(field) : sql`${sql.ref(column)} / 60::float8 as ${sql.ref(field)}`;
};

/** The columns and values that store these fields. */
const toColumns = (minuteColumns: MinuteColumns, values: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(values).map(([field, value]) => [
    minuteColumns[field] ?? field,
    minuteColumns[field] !== undefined && typeof value === 'number' ? value * 60 : value,
  ]);

/**
 * Selects all therapists or all clients at these locations (null means all), sorted by name, without deleted people.
 * @param leftBefore leaves out who has left by this date; null for none
 */
export async function selectProfiles<Row extends StoredProfile>(
  db: Db,
  kind: Kind<Row>,
  locations: readonly Location[] | null,
  leftBefore: IsoDate | null,
): Promise<Row[]> {
  const date = sql`${leftBefore}::date`;
  const stays = kind.leaves
    ? sql`(end_date is null or end_date >= ${date})`
    : clientStays(date, sql`(${date} - ${LEFT_DAYS}::int)`);
  const here = locations === null ? sql`true` : sql`location = ${anyOf(locations)}`;
  const { rows } =
    await sql<Row>`${selectFrom(kind)} and ${here} and ${leftBefore === null ? sql`true` : stays} order by id`.execute(
      db,
    );
  return byName(rows, (row) => row.display_name);
}

/**
 * Returns a person who has not been deleted. With `lock`, the row cannot change until the transaction ends. (`for
 * update` would also wait for bookings of the person.)
 */
export async function selectProfile<Row extends StoredProfile>(
  db: Db,
  kind: Kind<Row>,
  id: string,
  lock = false,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    ${selectFrom(kind)} and id = ${id} ${lock ? sql`for no key update` : sql``}`.execute(db);
  return rows[0];
}

type Values = Readonly<Record<string, unknown>> & { readonly display_name: string };

export async function insertProfile(
  trx: Db,
  { table, minuteColumns }: Pick<Kind<StoredProfile>, 'table' | 'minuteColumns'>,
  id: string,
  values: Values,
): Promise<void> {
  const columns = toColumns(minuteColumns, { id, ...values, ...shownAs(values.display_name) });
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map(([column]) => sql.ref(column)))})
    values (${sql.join(columns.map(([, value]) => value))})`.execute(trx);
}

export async function updateProfile(
  trx: Db,
  { table, minuteColumns }: Pick<Kind<StoredProfile>, 'table' | 'minuteColumns'>,
  id: string,
  values: Values,
  at: string,
): Promise<void> {
  const set: RawBuilder<unknown>[] = toColumns(minuteColumns, { ...values, ...shownAs(values.display_name) }).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  await sql`update ${sql.table(table)} set ${sql.join(set)}, version = version + 1, updated_at = ${at}
    where id = ${id}`.execute(trx);
}
