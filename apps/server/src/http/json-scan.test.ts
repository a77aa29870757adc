import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanJson } from './json-scan.ts';

const ENDLESS = { depth: Infinity, values: Infinity, text: Infinity };
const bytesOf = (text: string): Uint8Array => Buffer.from(text);
/** Finds the smallest value for one kind of limit at which a JSON text still passes. */
function needs(kind: 'depth' | 'values' | 'text', text: string): number {
  const passes = (limit: number): boolean => scanJson(bytesOf(text), { ...ENDLESS, [kind]: limit }) === null;
  let [no, yes] = [-1, text.length * 4 + 1];
  while (yes - no > 1) {
    const middle = (no + yes) >> 1;
    if (passes(middle)) yes = middle;
    else no = middle;
  }
  return yes;
}

interface Size {
  values: number;
  depth: number;
}
function sizeOf(value: unknown): Size {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 };
  const inner = Object.values(value).map(sizeOf);
  const keys = Array.isArray(value) ? 0 : inner.length;
  return {
    values: 1 + keys + inner.reduce((sum, each) => sum + each.values, 0),
    depth: 1 + Math.max(0, ...inner.map((each) => each.depth)),
  };
}

/** Strings with many quotes, backslashes and brackets. */
const awkward = fc.string({
  unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', 'u', 'é', '😀', '\n', ' '),
});
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(null, true, false, 0, -1.5e300),
    awkward,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 5 }),
  ),
})).value;

test('given any JSON text from a serializer, scanJson counts exactly the values, keys and levels that a parser builds', () => {
  fc.assert(
    fc.property(anyJson, fc.constantFrom('', ' ', '\t', '\n  '), (value, space) => {
      const text = JSON.stringify(value, null, space);
      const { values, depth } = sizeOf(JSON.parse(text));
      expect(needs('values', text)).toBe(values);
      expect(needs('depth', text)).toBe(depth);
    }),
    { numRuns: 2000 },
  );
});

test('given any text that a parser accepts, scanJson counts at least as much as the parser builds, and finds long strings', () => {
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '\\"', '\\\\', '\\u0041', 'a', ' ', '\n', '1', '-2.5e3', 'true', 'null'],
    ...['"a":', '"a":1,', '[1,', '""', '{}', '[]'],
  );
  let taken = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const text = pieces.join('');
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch {
        return;
      }
      taken++;
      const { values, depth } = sizeOf(parsed);
      expect(needs('values', text)).toBeGreaterThanOrEqual(values);
      expect(needs('depth', text)).toBeGreaterThanOrEqual(depth);
      if (typeof parsed === 'string') expect(needs('text', text)).toBe(Buffer.byteLength(text.trim()));
    }),
    { numRuns: 60_000 },
  );
  expect(taken).toBeGreaterThan(1000);
});

test('given any bytes, scanJson reads them to their end in one pass', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      let reads = 0;
      const counted = new Proxy(bytes, {
        get(target, key): unknown {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
          return Reflect.get(target, key, target);
        },
      });
      expect(scanJson(counted, ENDLESS)).toBeNull();
      expect(reads).toBeLessThanOrEqual(4 * bytes.length);
    }),
  );
});

test.each([
  ['[1,1,1]', { depth: 9, values: 3, text: 9 }, 'values'],
  ['[[[1]]]', { depth: 2, values: 9, text: 9 }, 'depth'],
  ['{"abcdefgh":1}', { depth: 9, values: 9, text: 9 }, 'text'],
  ['[12345678901]', { depth: 9, values: 9, text: 9 }, 'text'],
  ['{"a":[1,"b"]}', { depth: 2, values: 5, text: 3 }, null],
] as const)('given %s and the limits %o, the exceeded limit is: %s', (text, limits, excess) => {
  expect(scanJson(bytesOf(text), limits)).toBe(excess);
});
