import { IGNORE_COLUMN } from '@clinic/contract';
import { clinicLocations, locationValues } from '@clinic/domain';
import { NEEDED } from '../rows/appointment-rows.ts';
import { parsePlace, tidy } from '../rows/fields.ts';
import { IMPORT_KINDS, type ImportKind, type SourceRow, type SourceTable, type Tables } from '../import-types.ts';
import type { UnknownWords } from './words.ts';

/** The answers to which location unknown words mean, with their labels. */
export const locationChoices = (): readonly { readonly id: string; readonly label: string }[] => [
  ...clinicLocations().map(({ value, label }) => ({ id: value, label })),
  { id: IGNORE_COLUMN, label: 'Leave these rows out' },
];

/** The locations as answers. */
const values = (): ReadonlySet<string> => new Set(locationValues());

/**
 * Puts our locations in the place of other words that an answer says mean them, such as `Altamonte Springs`, and in all
 * rows of a file that has none. Without an answer, words and rows stay as they are: the rows are refused.
 */
export function withLocations(tables: Tables, words: UnknownWords): Tables {
  const found: Partial<Record<ImportKind, SourceTable>> = {};
  for (const kind of IMPORT_KINDS) {
    const table = tables[kind];
    const column = kind === 'appointments' ? 'Location' : 'location';
    if (!table) continue;
    const said = table.columns.unsaid.includes(column) ? words.askOfFile('location', kind, table, values()) : null;
    const rows = table.rows.map((row) =>
      said === null || said === IGNORE_COLUMN
        ? located(row, column, words, kind)
        : { ...row, cells: { ...row.cells, [column]: said } },
    );
    found[kind] = { ...table, rows };
  }
  return found;
}

function located(row: SourceRow, column: string, words: UnknownWords, kind: ImportKind): SourceRow {
  const text = row.cells[column] ?? '';
  const isNote = kind === 'appointments' && NEEDED.every((name) => tidy(row.cells[name] ?? '') === '');
  if (row.fault !== null || isNote || tidy(text) === '' || parsePlace(text)) return row;
  const answer = words.ask('location', text, values());
  return answer === null || answer === IGNORE_COLUMN ? row : { ...row, cells: { ...row.cells, [column]: answer } };
}
