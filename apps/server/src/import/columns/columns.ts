import { mapValues } from '@clinic/domain';
import { CONTACT_COLUMNS } from './contact-columns.ts';
import { readTable } from './tables.ts';
import { LIMITS } from '../read/limits.ts';
import type { ImportKind } from '../import-types.ts';

export interface Column {
  readonly name: string;
  /** Other names that exports use for the column. */
  readonly also?: readonly string[];
  /** `if-all-known`: a file may lack the column, but only if none of the file's columns is unknown and could hold it. */
  readonly optional?: true | 'if-all-known';
  /** The columns that together can take its place (`composed.ts`). */
  readonly from?: readonly string[];
  /** The columns of which each can take its place. */
  readonly orAny?: readonly string[];
  /** If the file has this column, then `from` cannot take this one's place. */
  readonly unless?: string;
  /** Read only when someone has said that a column holds it: its name alone only suggests that. */
  readonly byAnswer?: true;
  /** Someone can say it once for all rows of a file that lacks it. */
  readonly sayable?: true;
}

/** What the table says in `use`, beside nothing for a column that a file must have. */
const USES: Readonly<Record<string, Pick<Column, 'optional' | 'byAnswer' | 'sayable'>>> = {
  optional: { optional: true },
  'if all known': { optional: 'if-all-known' },
  'by answer': { optional: true, byAnswer: true },
  sayable: { sayable: true },
};

/** Reads the table of columns; DATA-01 names the columns of appointments. */
function readColumns(): readonly (Column & { readonly kind: string })[] {
  const listed = (text = ''): string[] => text.split('|').filter(Boolean);
  return readTable('columns').map(([kind = '', name = '', use = '', from, orAny, unless, also]) => {
    if (use !== '' && !USES[use]) throw new Error(`columns.csv does not know the use '${use}' of ${name}`);
    return {
      kind,
      name,
      ...USES[use],
      ...(from ? { from: listed(from) } : {}),
      ...(orAny ? { orAny: listed(orAny) } : {}),
      ...(unless ? { unless } : {}),
      also: listed(also),
    };
  });
}

/**
 * The columns of each export, with the other names that exports use for them. Without Ids, sessions are found again by
 * their content. `Time` holds both ends of a session; beside a `Date`, start and end are only times of day; without an
 * end, a column says how long the session takes, or how many 15-minute units are billed for it.
 */
export const COLUMNS = columnsByKind(readColumns());

function columnsByKind(all: ReturnType<typeof readColumns>): Readonly<Record<ImportKind, readonly Column[]>> {
  const of = (kind: ImportKind): Column[] => all.filter((column) => column.kind === kind);
  return {
    therapists: [...of('therapists'), ...CONTACT_COLUMNS],
    clients: [...of('clients'), ...CONTACT_COLUMNS],
    appointments: of('appointments'),
    authorizations: of('authorizations'),
    credentials: of('credentials'),
  };
}

/** For each kind of file, the columns in which a cell may say that it has no value. */
export const EMPTIABLE: Readonly<Record<ImportKind, ReadonlySet<string>>> = mapValues(
  COLUMNS,
  (columns) =>
    new Set(
      columns.flatMap(({ name, optional }) => (optional || name === 'Id' || name === 'availability' ? [name] : [])),
    ),
);

/** How many characters of a column's name are read. */
export const LONGEST_NAME = 100;

/** Reduces a name to letters and digits in one case, for comparison. Text too long for a column's name is cut. */
export const headerKey = (text: string): string =>
  text
    .slice(0, LONGEST_NAME)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Counts how many of the columns of this kind of export the header contains. */
export function knownColumns(header: readonly string[], kind: ImportKind): number {
  const keys = new Set(header.map(headerKey));
  return COLUMNS[kind].filter(({ name, also = [] }) => [name, ...also].some((each) => keys.has(headerKey(each))))
    .length;
}

/** The header is looked for in this many rows, because files often have titles above it. */
export const HEADER_WITHIN = 20;

/**
 * Finds the index of the header: the row with the most known columns, if everything above it is nearly empty, such as a
 * title or `sep=;`. The row right above it may also name groups of columns, without a figure and with few columns of ours.
 * Otherwise the first row, so that no row of a table is taken for a title.
 */
export function headerAt(rows: readonly (readonly string[])[], kind: ImportKind): number {
  const top = rows.slice(0, HEADER_WITHIN).map((row) => row.slice(0, LIMITS.columns));
  const known = top.map((row) => knownColumns(row, kind));
  const at = known.indexOf(Math.max(...known));
  const filled = top.map((row) => row.filter((cell) => cell.trim() !== '').length);
  const isTitle = (cells: number, row: number): boolean =>
    cells * 2 < (filled[at] ?? 0) ||
    (row === at - 1 && (known[row] ?? 0) * 2 < (known[at] ?? 0) && !/\d/.test(top[row]?.join('') ?? ''));
  return at > 0 && filled.slice(0, at).every(isTitle) ? at : 0;
}

/** Makes the key of the answer about a column. */
export const columnKey = (kind: ImportKind, key: string): string => `column ${kind} ${key}`;

/** Our name for a column and its other names, as `headerKey` reduces them. */
export const namesOf = ({ name, also = [] }: Column): string[] => [name, ...also].map(headerKey);
