import type { Blob } from 'node:buffer';
import type { Stream } from 'node:stream';
import writeXlsxFile, { type Feature, type Row, type Sheet } from 'write-excel-file/node';

type FileContent = Stream | Buffer | Blob;

/**
 * Writes an XLSX file. Each sheet has a header that stays in place, filters and column widths. Strings are always
 * written as text, so that no cell becomes a formula or a link.
 */
export function writeWorkbook(sheets: readonly ReturnType<typeof sheetPlan>[]): Promise<Buffer> {
  return writeXlsxFile(
    sheets.map((s) => s.sheet),
    { features: [filters(sheets.map((s) => s.area))] },
  ).toBuffer();
}

/** A sheet with its rows and columns. A column has a title, a width, and a function for its cells. */
export function sheetPlan<T>(
  name: string,
  rows: readonly T[],
  columns: readonly (readonly [string, number, (row: T) => string | number])[],
) {
  const header: Row = columns.map(([title]) => ({ value: title, fontWeight: 'bold', backgroundColor: '#e8eef5' }));
  const body = rows.map((row): Row => columns.map(([, , of]) => cell(of(row))));
  const sheet: Sheet<FileContent> = {
    sheet: name,
    data: [header, ...body],
    columns: columns.map(([, width]) => ({ width })),
    stickyRowsCount: 1,
  };
  const last = String.fromCharCode('A'.charCodeAt(0) + columns.length - 1);
  return { sheet, area: `A1:${last}${rows.length + 1}` };
}

function cell(value: string | number): Row[number] {
  if (typeof value === 'number') return { value, type: Number };
  return { value: inert(value), type: String, wrap: true, alignVertical: 'top' };
}

const MOST_CHARACTERS = 32_000; // a spreadsheet's cell can hold slightly more

/**
 * Returns a version of the string that a cell can hold: no control characters, no invalid characters, and not too long.
 */
export function inert(text: string): string {
  const clean = text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\p{Cs}\p{Noncharacter_Code_Point}]/gu, '')
    .slice(0, MOST_CHARACTERS);
  // The library uses strings as keys of a plain object, which already has keys such as `constructor`; a space avoids a
  // clash.
  return clean in {} ? `${clean} ` : clean;
}

/** Adds filter arrows to each sheet's header. */
function filters(areas: readonly string[]): Feature<FileContent> {
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml, _options, { sheetIndex }) =>
            xml.replace('</sheetData>', `</sheetData><autoFilter ref="${areas[sheetIndex] ?? 'A1'}"/>`),
        },
      },
    },
  };
}
