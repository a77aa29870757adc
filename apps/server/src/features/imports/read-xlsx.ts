import readXlsxFile from 'read-excel-file/universal';
import { listWords } from '@clinic/domain';
import { HEADER_WITHIN, headerAt, knownColumns } from './columns.ts';
import { isText } from './decode.ts';
import { quote, wholeMinutes } from './fields.ts';
import { UnreadableFile, type ImportFile, type ImportKind, type RawRow } from './import-types.ts';
import { unescapedHtml } from './html-text.ts';
import { beyond, LIMITS, Meter } from './limits.ts';
import { columnNumber, fillMerged, hiddenSheets, mergedRanges, readable, unescapedText } from './sheet-xml.ts';
import { packStored, unpackXml } from './unpack.ts';

/** Reads the rows of the sheet that contains the export. Throws UnreadableFile. */
export async function readXlsx(file: ImportFile, kind: ImportKind, mostRows: number): Promise<RawRow[]> {
  const parts = unpackXml(file.bytes);
  if (!parts) throw beyond.workbook(file.name);
  for (const part of parts.values()) checkDimensions(part, file.name, mostRows);
  const rewritten = readable(parts);
  for (const [path, part] of rewritten) if (part !== parts.get(path)) checkDimensions(part, file.name, mostRows);
  const sheets = await readSheets(rewritten, file.name);
  // A workbook can have other sheets, so this reads the sheet whose header fits best. A hidden sheet, which may be an
  // old copy, is read only if no visible one fits at all.
  const hidden = hiddenSheets(parts);
  const fit = ({ data }: Sheet): number => {
    const top = data.slice(0, HEADER_WITHIN).map((row) => row.slice(0, LIMITS.columns).map(cellText));
    return knownColumns(top[headerAt(top, kind)] ?? [], kind);
  };
  const visible = sheets.filter((sheet, at) => hidden[at] !== true && fit(sheet) > 0);
  const among = visible.length > 0 ? visible : sheets;
  const first = among.reduce<Sheet | null>((so, sheet) => (so === null || fit(sheet) > fit(so) ? sheet : so), null);
  const alike = among.filter((sheet) => first && fit(first) > 0 && fit(sheet) === fit(first) && hasRows(sheet));
  if (alike.length > 1)
    throw new UnreadableFile(
      `${file.name} has several sheets with the same columns: ${listWords(alike.map(({ sheet }) => quote(sheet)))}. Put all rows on one sheet, or import each sheet as a file of its own.`,
    );
  const best = alike[0] ?? first;
  const meter = new Meter(file.name, mostRows);
  const rows = (best?.data ?? []).map((cells) => cells.map(cellText));
  fillMerged(rows, best ? (mergedRanges(parts)[sheets.indexOf(best)] ?? []) : []);
  return rows.map((texts, i): RawRow => {
    meter.take(texts, i + 1);
    const original = texts.map(quoted).join(',');
    if (!isText(original))
      throw new UnreadableFile(`${file.name} is damaged: it contains characters that are not allowed in text.`);
    return { line: i + 1, cells: texts, original };
  });
}

/** Whether a sheet has rows below its header. */
const hasRows = ({ data }: Sheet): boolean =>
  data.filter((row) => row.some((cell) => cellText(cell) !== '')).length > 1;

interface Sheet {
  readonly sheet: string;
  readonly data: readonly (readonly unknown[])[];
}

async function readSheets(parts: ReadonlyMap<string, Buffer>, name: string): Promise<readonly Sheet[]> {
  const archive = packStored(parts);
  const bytes = archive.buffer.slice(archive.byteOffset, archive.byteOffset + archive.byteLength) as ArrayBuffer;
  try {
    return await readXlsxFile(bytes, { trim: false });
  } catch {
    throw new UnreadableFile(
      `${name} is damaged or not an XLSX workbook: it cannot be opened. Save it again as XLSX or CSV.`,
    );
  }
}

/**
 * Refuses a sheet that claims to be larger than an import accepts: the library fills the rectangle up to the last cell,
 * so a single cell in the last corner would become 17 billion cells. If a sheet gets past this check, the limits on the
 * import's thread stop it.
 */
function checkDimensions(part: Buffer, file: string, mostRows: number): void {
  const xml = part.toString('latin1');
  if (isTooLong(xml)) throw beyond.xml(file);
  let rows = 0;
  let columns = 0;
  for (const [, letters = '', digits = ''] of xml.matchAll(/\sr\s*=\s*["']\s*([A-Za-z]*)(\d+)/g)) {
    rows = Math.max(rows, Number(digits));
    if (rows > mostRows + 1) throw beyond.lastRow(file, rows, mostRows);
    if (letters.length > 3) throw beyond.columns(file, 26 ** 4, rows);
    columns = Math.max(columns, columnNumber(letters));
    if (columns > LIMITS.columns) throw beyond.columns(file, columns, rows);
  }
  let elements = 0;
  for (const _ of xml.matchAll(/<(?:\w{1,20}:)?row[\s/>]/g))
    if (++elements > mostRows + 1) throw beyond.rows(file, mostRows);
  if (Math.max(rows, elements) * columns > LIMITS.cells) throw beyond.cells(file);
}

/** What begins and ends each kind of text in pointed brackets that is not an element. */
const TEXTS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/** Whether an element, a comment or a text between elements is so long that the library would need minutes for it. */
function isTooLong(xml: string): boolean {
  for (let at = 0; at < xml.length;) {
    const [, ends] = xml[at] === '<' ? (TEXTS.find(([begins]) => xml.startsWith(begins, at)) ?? ['', '>']) : ['', '<'];
    const found = xml.indexOf(ends, at + 1);
    const end = found < 0 ? xml.length : ends === '<' ? found : found + ends.length;
    if (end - at > (ends === '>' ? LIMITS.xmlElement : LIMITS.xmlText)) return true;
    at = end;
  }
  return false;
}

/**
 * Returns a cell's value as text. A date cell is the wall time that the sheet shows; the library returns it as if it
 * were UTC. Half a surrogate pair becomes U+FFFD, as it also would in a CSV file and on the way to the database.
 * Otherwise every import would count the row as changed.
 */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    const minute = new Date(wholeMinutes(value.getTime() / 60_000) * 60_000);
    return Number.isNaN(minute.getTime()) ? '' : minute.toISOString().slice(0, 16).replace('T', ' ');
  }
  return typeof value === 'string'
    ? unescapedHtml(unescapedText(value)).replace(/\p{Surrogate}/gu, '\ufffd')
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
