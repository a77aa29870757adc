/** The most that a JSON text may contain. */
export interface JsonLimits {
  /** Objects and lists nested in each other. */
  readonly depth: number;
  /** Values of all kinds, keys included. */
  readonly values: number;
  /** Bytes of one text, key or number, as written. */
  readonly text: number;
}

/** The limit that a JSON text exceeds: nested too deep, too many values, or one text too long. */
export type JsonExcess = 'depth' | 'values' | 'text';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts what a parser would build from the bytes of a JSON text, in one pass that builds nothing and stops at the
 * first excess. It does not check the grammar: that is left to the parser. In valid JSON it counts every value and key,
 * including those that a later key of the same name replaces.
 */
export function scanJson(bytes: Uint8Array, limits: JsonLimits): JsonExcess | null {
  let values = 0;
  let depth = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === LIST_END || byte === OBJECT_END) depth--;
    else if (!isBetween(byte)) {
      if (++values > limits.values) return 'values';
      if (byte === LIST || byte === OBJECT) {
        if (++depth > limits.depth) return 'depth';
      } else {
        const end = byte === QUOTE ? endOfText(bytes, at) : endOfWord(bytes, at);
        if (end - at > limits.text) return 'text';
        at = end;
        continue;
      }
    }
    at++;
  }
  return null;
}

/** The position after the closing quote of the text that begins at `start`, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

/** The position after the number, or the word such as `true`, that begins at `start`. */
function endOfWord(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && !endsWord(bytes[at] ?? 0)) at++;
  return at;
}

const isBetween = (byte: number): boolean => byte <= 0x20 || byte === COMMA || byte === COLON;

const endsWord = (byte: number): boolean =>
  isBetween(byte) || byte === QUOTE || byte === LIST || byte === LIST_END || byte === OBJECT || byte === OBJECT_END;
