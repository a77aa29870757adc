/** Limits on a JSON text. */
export interface JsonLimits {
  /** How deep objects and lists may be nested. */
  readonly depth: number;
  /** How many values of any type there may be, including keys. */
  readonly values: number;
  /** How many bytes a single string, key or number may have, as written. */
  readonly text: number;
}

/** The limit that a JSON text exceeds: it is nested too deep, has too many values, or contains too long a string. */
export type JsonExcess = 'depth' | 'values' | 'text';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the values that a parser would build from a JSON text, without building them. Returns the first limit that is
 * exceeded, or null if none is. Does not check the grammar, which the parser does. In valid JSON, it also counts keys
 * and values that a later key of the same name replaces.
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

/**
 * Returns the position after the quote that ends the string beginning at `start`, or the end of the bytes if there is
 * none.
 */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

/** Returns the position after the number, or the word such as `true`, that begins at `start`. */
function endOfWord(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && !endsWord(bytes[at] ?? 0)) at++;
  return at;
}

const isBetween = (byte: number): boolean => byte <= 0x20 || byte === COMMA || byte === COLON;

const endsWord = (byte: number): boolean =>
  isBetween(byte) || byte === QUOTE || byte === LIST || byte === LIST_END || byte === OBJECT || byte === OBJECT_END;
