import { UnreadableFile } from '../import-types.ts';
import type { Archive } from './unpack.ts';

const startsWith = (bytes: Uint8Array, ...head: number[]): boolean => head.every((byte, i) => bytes[i] === byte);

/** Whether the bytes are a ZIP archive, which XLSX, XLSB and ODS workbooks are. */
export const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b, 0x03, 0x04);

/** Whether the bytes are a container of Microsoft Office: an XLS workbook, an old document, or an encrypted workbook. */
export const isOffice = (bytes: Uint8Array): boolean => startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0);

/** Whether a string has no control characters other than tabs and line breaks. */
// eslint-disable-next-line no-control-regex
export const isText = (text: string): boolean => !/[\u0000-\u0008\u000e-\u001f]/.test(text);

const SAVE = 'save it as .xlsx or CSV, and import that';
const EXPORT = 'Export the rows as CSV or Excel from the program it comes from, and import that';

const BYTES: readonly (readonly [head: readonly number[], what: string, way: string])[] = [
  [[0x25, 0x50, 0x44, 0x46, 0x2d], 'a PDF document', EXPORT],
  [[0x1f, 0x8b], 'a compressed file (.gz)', 'Unpack it, and import the file in it'],
  [[0x52, 0x61, 0x72, 0x21], 'a compressed file (.rar)', 'Unpack it, and import the file in it'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a compressed file (.7z)', 'Unpack it, and import the file in it'],
  [[0x89, 0x50, 0x4e, 0x47], 'a picture', EXPORT],
  [[0xff, 0xd8, 0xff], 'a picture', EXPORT],
];

const TEXTS: readonly (readonly [begins: RegExp, what: string, way: string])[] = [
  [
    /^(?:<!--[^>]*-->\s*)?<(?:!doctype html|html|head|body|table|meta|div|style)\b/i,
    'a web page (HTML)',
    `Open it in Excel, ${SAVE}`,
  ],
  [
    /^<\?xml[^>]*>(?:(?!<(?:\w+:)?Workbook)[\s\S]){0,2000}<(?:\w+:)?Workbook[^>]*schemas-microsoft-com:office:spreadsheet/,
    'an Excel 2003 XML file',
    `Open it in Excel, ${SAVE}`,
  ],
  [/^<(?:\?xml|[a-z][\w:.-]*[\s>])/i, 'an XML file', EXPORT],
  [/^[[{]\s*(?:["{[\]}]|$)/, 'a JSON file', EXPORT],
  [/^BEGIN:VCALENDAR\b/i, 'a calendar file (.ics)', EXPORT],
  [/^BEGIN:VCARD\b/i, 'a file of contacts (.vcf)', EXPORT],
  [/^\{\\rtf/, 'a text document (RTF)', EXPORT],
  [/^MIME-Version:/i, 'a saved web page (MHTML)', `Open it in Excel, ${SAVE}`],
  [/^ID;P/, 'a SYLK file (.slk)', `Open it in Excel, ${SAVE}`],
];

const isA = (file: string, what: string, way: string): UnreadableFile =>
  new UnreadableFile(`${file} is ${what}, which cannot be read here. ${way}.`);

/** Refuses a file that is no table by its first bytes, and says what it is. */
export function refuseBytes(bytes: Uint8Array, file: string): void {
  const found = BYTES.find(([head]) => startsWith(bytes, ...head));
  if (found) throw isA(file, found[1], found[2]);
}

/** Refuses a text that is no table, and says what it is. */
export function refuseText(text: string, file: string): void {
  const top = text.slice(0, 4096).trimStart();
  const found = TEXTS.find(([begins]) => begins.test(top));
  if (found) throw isA(file, found[1], found[2]);
  if (!isText(text)) {
    throw new UnreadableFile(
      `${file} is neither a table as text (CSV) nor a workbook (XLSX, XLS, ODS): it contains bytes that are not text. Export it again in one of these formats.`,
    );
  }
}

/** What is in an archive that is no workbook, by the name of one of its parts. */
const PARTS: readonly (readonly [part: RegExp, what: string, way: string])[] = [
  [
    /^index\/(?:document|tables\/.*)\.iwa$|^index\.zip$|^index\.apxl$/,
    'an Apple Numbers file',
    'Open it in Numbers, choose File › Export To › Excel or CSV, and import that',
  ],
  [/^word\//, 'a Word document', EXPORT],
  [/^ppt\//, 'a PowerPoint presentation', EXPORT],
  [
    /^(?:[^/]*\/)*[^/]+\.(?:csv|tsv|txt|xlsx?|xlsb|ods|pdf|json)$/,
    'a ZIP archive',
    'Unpack it, and import the file in it',
  ],
];

/** Says what an archive is that has no workbook in it. */
export function otherArchive(archive: Archive, file: string): UnreadableFile | null {
  const found = PARTS.find(([part]) => archive.names.some((name) => part.test(name)));
  return found ? isA(file, found[1], found[2]) : null;
}

export const locked = (file: string): UnreadableFile =>
  new UnreadableFile(
    `${file} is protected with a password. Open it with the password, remove the protection (in Excel: File › Info › Protect Workbook), save it, and import that.`,
  );
