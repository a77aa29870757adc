import { isoDate, shortDate, toCsv } from '@clinic/domain';
import { isTaken, type ImportFileSummary, type ImportRow, type ImportSummary, type ImportTable } from './import.ts';

/**
 * The columns that a report puts before the file's own. An import takes a file with all of them for a report: it reads the
 * rows of its own kind, and leaves these columns out.
 */
export const REPORT_COLUMNS = [
  'import outcome',
  'import file',
  'import line',
  'import reason',
  'import explanation',
  'import kind',
] as const;

/**
 * An import's results as a CSV table, one line for each row: what became of it and why, then its cells under the header of
 * its file, so that the rows can be corrected and imported again. Rows whose cells are not known are left out.
 */
export function importReportCsv(
  rows: readonly ImportRow[],
  files: readonly Pick<ImportFileSummary, 'kind' | 'file'>[],
  tables: readonly ImportTable[],
): string {
  const header: string[] = [];
  const nameOf = new Map(files.map(({ kind, file }) => [kind, file]));
  const given = new Map(
    tables
      .filter(({ kind }) => rows.some((row) => row.kind === kind))
      // Two files may have a column of one name; their columns become one.
      .map(({ kind, header: own, cells }) => [kind, { cells, places: placesOf(own, header) }] as const),
  );
  const lines = rows.flatMap(({ kind, line, outcome, reason, explanation }) => {
    const { cells: known = {}, places = [] } = given.get(kind) ?? {};
    const cells = known[line];
    if (cells === undefined) return [];
    const result = isTaken(outcome) ? `imported (${outcome})` : outcome;
    const own = header.map(() => '');
    for (const [i, at] of places.entries()) own[at] = guarded(cells[i] ?? '');
    return [[result, nameOf.get(kind) ?? kind, String(line), reason, explanation, kind, ...own]];
  });
  return toCsv([[...REPORT_COLUMNS, ...header.map(guarded)], ...lines]);
}

const keyOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Adds a file's columns to the header, and returns where each of them is in it. */
function placesOf(own: readonly string[], header: string[]): number[] {
  const taken = new Set<number>();
  return own.map((name) => {
    const same =
      keyOf(name) === '' ? -1 : header.findIndex((each, at) => keyOf(each) === keyOf(name) && !taken.has(at));
    const at = same < 0 ? header.push(name) - 1 : same;
    taken.add(at);
    return at;
  });
}

/** An apostrophe that stood before a formula's first character. */
const GUARDED = /^'+(?=\s*[=+\-@]|[\t\r])/;

/**
 * `toCsv` writes an apostrophe before text that a spreadsheet would calculate. A text that begins like that itself gets
 * another one, so that `unguarded` returns every text as it was.
 */
export const guarded = (text: string): string => (GUARDED.test(text) ? `'${text}` : text);

/** A report's cell as it was in the file. */
export const unguarded = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text);

/** The dates on which sessions lie in closed time: `Altamonte on Thu, Nov 26 (Thanksgiving): 8`, at most six. */
export function closedInWords({ closed = [] }: ImportSummary): string {
  const first = closed.slice(0, 6).map(({ place, date, name, sessions }) => {
    return `${place} on ${shortDate(isoDate(date))} (${name}): ${sessions}`;
  });
  const more = closed.length - first.length;
  return [...first, ...(more > 0 ? [`${more} more ${more === 1 ? 'date' : 'dates'}`] : [])].join('; ');
}
