import { UnreadableFile } from './import-types.ts';

const startsWith = (bytes: Uint8Array, ...head: number[]): boolean => head.every((byte, i) => bytes[i] === byte);

/** Whether the bytes are a ZIP archive, which an XLSX workbook is. */
export const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b, 0x03, 0x04);

/**
 * Returns the text of a CSV file: UTF-8 with or without a byte order mark, UTF-16 with one, or Windows-1252.
 * (Spreadsheet programs in the US use no other encoding for CSV.) Throws UnreadableFile for anything that is not text.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw new UnreadableFile(`${name} is an old Excel file (.xls): save it as .xlsx or CSV and import that.`);
  }
  const text = decode(bytes);
  if (!isText(text)) {
    throw new UnreadableFile(
      `${name} is neither CSV nor XLSX: it contains bytes that are not text. Export it again in one of these formats.`,
    );
  }
  return text;
}

/** Whether a string has no control characters other than tabs and line breaks. */
// eslint-disable-next-line no-control-regex
export const isText = (text: string): boolean => !/[\u0000-\u0008\u000e-\u001f]/.test(text);

function decode(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes); // the decoder drops the byte order mark
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
