import { IGNORE_COLUMN } from '@clinic/contract';
import { LOCATIONS, LOCATION_VALUES } from '@clinic/domain';
import { parsePlace, tidy } from './fields.ts';
import { IMPORT_KINDS, type ImportKind, type SourceRow, type SourceTable, type Tables } from './import-types.ts';
import type { UnknownWords } from './words.ts';

/** The answers to which location unknown words mean, with their labels. */
export const LOCATION_CHOICES: readonly { readonly id: string; readonly label: string }[] = [
  ...LOCATIONS.map(({ value, label }) => ({ id: value, label })),
  { id: IGNORE_COLUMN, label: 'Leave these rows out' },
];

const VALUES: ReadonlySet<string> = new Set(LOCATION_VALUES);

/**
 * Puts our locations in the place of other words that an answer says mean them, such as `Altamonte Springs`. Unknown words
 * without an answer are a question, and stay: their rows are refused.
 */
export function withLocations(tables: Tables, words: UnknownWords): Tables {
  const found: Partial<Record<ImportKind, SourceTable>> = {};
  for (const kind of IMPORT_KINDS) {
    const table = tables[kind];
    const column = kind === 'appointments' ? 'Location' : 'location';
    if (table) found[kind] = { ...table, rows: table.rows.map((row) => located(row, column, words)) };
  }
  return found;
}

function located(row: SourceRow, column: string, words: UnknownWords): SourceRow {
  const text = row.cells[column] ?? '';
  if (row.fault !== null || tidy(text) === '' || parsePlace(text)) return row;
  const answer = words.ask('location', text, VALUES);
  return answer === null || answer === IGNORE_COLUMN ? row : { ...row, cells: { ...row.cells, [column]: answer } };
}
