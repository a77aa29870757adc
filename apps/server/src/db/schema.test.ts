import { join } from 'node:path';
import { sql } from 'kysely';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LOCATIONS } from '@clinic/domain';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

/**
 * A column as both the database and the types describe it: its JavaScript type, whether it can be null, and whether an
 * insert may omit it.
 */
interface Column {
  readonly arrives: string;
  readonly nullable: boolean;
  readonly optional: boolean;
}
type Tables = Record<string, Record<string, Column>>;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** The JavaScript type of each PostgreSQL type's values (connection.ts); dates, times and bigint arrive as strings. */
const ARRIVES: Readonly<Record<string, string>> = {
  text: 'string',
  uuid: 'string',
  date: 'string',
  timestamp: 'string',
  tstzrange: 'string',
  timestamptz: 'string',
  int8: 'string',
  xid8: 'string',
  int2: 'number',
  int4: 'number',
  float8: 'number',
  bool: 'boolean',
  jsonb: 'json',
  bytea: 'Buffer',
  _int2: 'number[]',
  _text: 'string[]',
  _date: 'string[]',
  _bytea: 'Buffer[]',
};

async function tablesOfTheDatabase(): Promise<Tables> {
  const { rows } = await sql<{ table: string; column: string; type: string; nullable: boolean; optional: boolean }>`
    select table_name as table, column_name as column, udt_name as type, is_nullable = 'YES' and is_generated = 'NEVER' as nullable,
      column_default is not null or is_nullable = 'YES' or is_identity = 'YES' or is_generated = 'ALWAYS' as optional
    from information_schema.columns
    where table_schema = current_schema() and table_name <> 'migrations'`.execute(database.db);
  const tables: Tables = {};
  for (const { table, column, type, nullable, optional } of rows)
    (tables[table] ??= {})[column] = { arrives: ARRIVES[type] ?? `unknown type ${type}`, nullable, optional };
  return tables;
}

/** The tables of `Database` (schema.ts and schema/), as the compiler reads them. */
function tablesOfTheTypes(): Tables {
  const file = join(import.meta.dirname, 'schema.ts');
  const program = ts.createProgram([file], {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  if (!source) throw new Error('schema.ts was not read');
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol);
  const root = exported.find((symbol) => symbol.name === 'Database');
  if (!root) throw new Error('schema.ts exports no Database');
  const typeOf = (symbol: ts.Symbol): ts.Type => checker.getTypeOfSymbolAtLocation(symbol, source);
  const side = (type: ts.Type, name: string): ts.Type | undefined => {
    const found = checker.getPropertyOfType(checker.getNonNullableType(type), name);
    return found && typeOf(found);
  };
  const isNull = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Null) !== 0;
  const mayBe = (type: ts.Type, test: (type: ts.Type) => boolean): boolean =>
    type.isUnion() ? type.types.some(test) : test(type);
  const columnOf = (type: ts.Type): Column => {
    const selected = side(type, '__select__') ?? type;
    const inserted = side(type, '__insert__');
    const nullable = mayBe(selected, isNull) || mayBe(type, isNull);
    const leftOut =
      inserted !== undefined && mayBe(inserted, (t) => (t.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Never)) !== 0);
    return { arrives: arrivesAs(checker.getNonNullableType(selected)), nullable, optional: leftOut || nullable };
  };
  const arrivesAs = (type: ts.Type): string => {
    // A branded string, such as a date, is an intersection of a string and its brand.
    const is = (t: ts.Type, flag: ts.TypeFlags): boolean =>
      t.isIntersection() ? t.types.some((part) => is(part, flag)) : (t.flags & flag) !== 0;
    const every = (flag: ts.TypeFlags): boolean =>
      type.isUnion() ? type.types.every((t) => is(t, flag)) : is(type, flag);
    if (every(ts.TypeFlags.StringLike)) return 'string';
    if (every(ts.TypeFlags.NumberLike)) return 'number';
    if (every(ts.TypeFlags.BooleanLike)) return 'boolean';
    if (checker.isArrayType(type))
      return `${arrivesAs(checker.getTypeArguments(type as ts.TypeReference)[0] as ts.Type)}[]`;
    return type.symbol?.name === 'Buffer' ? 'Buffer' : 'json';
  };
  return Object.fromEntries(
    checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(root))
      .map((table) => [
        table.name,
        Object.fromEntries(
          checker.getPropertiesOfType(typeOf(table)).map((column) => [column.name, columnOf(typeOf(column))]),
        ),
      ]),
  );
}

test('the table types match the migrated database: tables, columns, types, nulls and optional insert columns', async () => {
  const types = tablesOfTheTypes();
  const stored = await tablesOfTheDatabase();
  expect(Object.keys(types).length).toBeGreaterThan(20);
  expect(types).toEqual(stored);
}, 60_000);

test('the database has the locations of the domain, each with its label, group and time zone', async () => {
  const stored = await sql<Record<string, string>>`
    select value, label, group_name as group, zone, hours, closed_from as "closedFrom" from location order by value`.execute(
    database.db,
  );
  expect(stored.rows).toEqual([...DEFAULT_LOCATIONS].sort((a, b) => (a.value < b.value ? -1 : 1)));
});
