import { refuseText } from './file-kinds.ts';
import { UnreadableFile } from '../import-types.ts';

/**
 * Returns the text of a CSV file: UTF-8 with or without a byte order mark, UTF-16 with one, or Windows-1252.
 * (Spreadsheet programs in the US use no other encoding for CSV.) Throws UnreadableFile for anything that is not such a
 * text, and says what it is.
 */
export function decodeText(bytes: Uint8Array, name: string): string {
  const text = decode(bytes, name);
  refuseText(text, name);
  return text;
}

function decode(bytes: Uint8Array, name: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (isUnmarkedUtf16(bytes))
    throw unknownLetters(name, 'it contains bytes that are not text, as UTF-16 does without the mark that says so');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes); // the decoder drops the byte order mark
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    const wrong = WRONG_LETTERS.exec(text);
    if (wrong) throw unknownLetters(name, `read as Windows text, it has words like '${wordAround(text, wrong.index)}'`);
    return text;
  }
}

/** Whether every second byte of the beginning is zero, as in English text in UTF-16. */
function isUnmarkedUtf16(bytes: Uint8Array): boolean {
  const top = bytes.subarray(0, 64);
  const zeros = (odd: number): number => top.filter((byte, at) => at % 2 === odd && byte === 0).length;
  return (
    top.length >= 4 && [0, 1].some((odd) => zeros(odd) * 2 === top.length - (top.length % 2) && zeros(1 - odd) === 0)
  );
}

/**
 * What Windows shows for letters with accents of DOS and of old Macs, behind a letter. In a name, it would be stored without
 * a word.
 */
const WRONG_LETTERS = /\p{L}[¡-¥§†‡ˆ‰‚„ƒ\u0080-\u009f]|\p{Ll}[ŠŽŸŒ]/u;

const wordAround = (text: string, at: number): string =>
  `${/[^\s,;"]*$/.exec(text.slice(Math.max(0, at - 20), at))?.[0] ?? ''}${/^[^\s,;"]*/.exec(text.slice(at, at + 20))?.[0] ?? ''}`;

const unknownLetters = (name: string, why: string): UnreadableFile =>
  new UnreadableFile(
    `${name} is in an encoding that is not known here: ${why}. Open it in Excel, and save it as CSV UTF-8 or .xlsx.`,
  );
