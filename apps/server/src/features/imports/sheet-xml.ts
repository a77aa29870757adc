import { LIMITS } from './limits.ts';

/** What a merged range covers, in rows and columns of its sheet that count from 0. */
interface Merged {
  readonly row: number;
  readonly column: number;
  readonly lastRow: number;
}

/**
 * Rewrites what the library would lose or misread, without a word: CDATA and the text before a comment become empty, an
 * error such as `#N/A` becomes an empty cell, `t="d"` is read in the zone of this machine, and `date1904="true"`, as
 * LibreOffice writes it, counts as false. The parts are handled byte by byte (`latin1`), so their encoding does not matter.
 */
export function readable(parts: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map(
    [...parts].map(([path, part]) => {
      const xml = part.toString('latin1');
      const better = withDates(withErrors(withoutSections(xml)));
      const whole = path === 'xl/workbook.xml' ? better.replace(/(\sdate1904\s*=\s*["'])true(?=["'])/, '$11') : better;
      return [path, whole === xml ? part : Buffer.from(whole, 'latin1')];
    }),
  );
}

const SECTIONS = [
  { begins: '<!--', ends: '-->', text: () => '' },
  { begins: '<![CDATA[', ends: ']]>', text: (inside: string) => escaped(inside) },
] as const;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Writes CDATA as ordinary text, and leaves comments out. */
function withoutSections(xml: string): string {
  let from = 0;
  let done = '';
  for (let at = xml.indexOf('<!'); at >= 0; at = xml.indexOf('<!', at)) {
    const section = SECTIONS.find(({ begins }) => xml.startsWith(begins, at));
    if (!section) {
      at += 2;
      continue;
    }
    const end = xml.indexOf(section.ends, at + section.begins.length);
    if (end < 0) break;
    done += xml.slice(from, at) + section.text(xml.slice(at + section.begins.length, end));
    from = at = end + section.ends.length;
  }
  return from === 0 ? xml : done + xml.slice(from);
}

/** An error stays as the text that the sheet shows. Empty, it would be a session without a therapist. */
const withErrors = (xml: string): string => xml.replace(/(<(?:\w{1,20}:)?c\s[^<>]*?\bt\s*=\s*["'])e(?=["'])/g, '$1str');

const DATE_CELL =
  /(<(?:\w{1,20}:)?c\s[^<>]*?\bt\s*=\s*["'])d(["'][^<>]*>(?:<(?:\w{1,20}:)?f[^<>]*>[^<]*(?:<\/(?:\w{1,20}:)?f>)?)?<(?:\w{1,20}:)?v[^<>]*>)([^<]*?)Z?(?=<)/g;

/** A date as text is the wall time that the sheet shows, with `Z` behind it or without. */
const withDates = (xml: string): string => xml.replace(DATE_CELL, '$1str$2$3');

/** Decodes what a workbook writes for characters that XML cannot hold or would change, such as `_x000D_`. */
export const unescapedText = (text: string): string =>
  text.replace(/_x([0-9a-f]{4})_/gi, (as, code: string) => {
    const char = String.fromCharCode(Number.parseInt(code, 16));
    // eslint-disable-next-line no-control-regex
    return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(char) ? as : char;
  });

/** The merged ranges of each sheet that cover several rows, by the position of the sheet in the workbook. */
export function mergedRanges(parts: ReadonlyMap<string, Buffer>): readonly (readonly Merged[])[] {
  const textOf = (path: string): string => parts.get(path)?.toString('latin1') ?? '';
  const targets = new Map(
    elements(textOf('xl/_rels/workbook.xml.rels'), 'Relationship').map((tag) => [
      attribute(tag, 'Id'),
      attribute(tag, 'Target'),
    ]),
  );
  return elements(textOf('xl/workbook.xml'), 'sheet').map((tag) => {
    const target = targets.get(attribute(tag, '\\w{1,20}:id')) ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    return elements(textOf(path), 'mergeCell').flatMap((cell) => {
      const [, letters = '', row = '', lastRow = ''] =
        /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(attribute(cell, 'ref')) ?? [];
      const range = { row: Number(row) - 1, column: columnNumber(letters) - 1, lastRow: Number(lastRow) - 1 };
      return letters !== '' && range.row < range.lastRow ? [range] : [];
    });
  });
}

/** Whether each sheet is hidden, by its position in the workbook. */
export const hiddenSheets = (parts: ReadonlyMap<string, Buffer>): readonly boolean[] =>
  elements(parts.get('xl/workbook.xml')?.toString('latin1') ?? '', 'sheet').map((tag) =>
    /^(?:hidden|veryHidden)$/.test(attribute(tag, 'state')),
  );

const elements = (xml: string, name: string): readonly string[] =>
  xml.match(new RegExp(`<(?:\\w{1,20}:)?${name}\\s[^<>]*>`, 'g')) ?? [];

const attribute = (tag: string, name: string): string =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"'<>]*)["']`).exec(tag)?.[1] ?? '';

/** Returns the number of a column: `A` is 1, `XFD` 16,384. */
export const columnNumber = (letters: string): number =>
  [...letters.toUpperCase()].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0);

/** Gives each row of a merged range its value, which the workbook stores only in the first: it holds for all of them. */
export function fillMerged(rows: string[][], ranges: readonly Merged[]): void {
  let left = LIMITS.cells;
  for (const { row, column, lastRow } of ranges) {
    const value = rows[row]?.[column] ?? '';
    if (value === '') continue;
    for (const cells of rows.slice(row + 1, lastRow + 1)) {
      if (--left < 0) return;
      while (cells.length < column) cells.push('');
      cells[column] ||= value;
    }
  }
}
