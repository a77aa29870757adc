import fc from 'fast-check';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { keepsOf, replyCompiler } from './reply-text.ts';

const schema = z.object({
  id: z.string(),
  count: z.number(),
  kind: z.enum(['a', 'b']),
  told: z.optional(z.boolean()),
  group: z.optional(z.nullable(z.string())),
  spans: z.array(z.object({ start: z.string().check(z.meta({ format: 'time' })) })),
  free: z.optional(z.looseObject({ name: z.string() })),
  byDay: z.optional(z.record(z.string().check(z.minLength(2)), z.number())),
  whole: z.optional(z.int()),
  either: z.optional(z.union([z.string(), z.object({ text: z.string() })])),
});
const route = { schema, method: 'GET', url: '/' };
const reply = { id: 'x', count: 1, kind: 'a', spans: [{ start: '08:00' }] };

/** Values that match the schema more or less: fields may be missing, be of another type, or be too many. */
const anyReply = fc.record(
  {
    id: fc.oneof({ weight: 9, arbitrary: fc.string() }, fc.anything()),
    count: fc.oneof({ weight: 9, arbitrary: fc.integer() }, fc.double(), fc.anything()),
    kind: fc.constantFrom('a', 'b', 'a', 'b', 'c'),
    told: fc.constantFrom(true, false, undefined, null),
    group: fc.constantFrom('g', null, undefined),
    spans: fc.array(fc.record({ start: fc.string(), more: fc.boolean() }, { requiredKeys: ['start'] })),
    free: fc.record({ name: fc.string(), more: fc.jsonValue() }),
    byDay: fc.dictionary(fc.string(), fc.integer()),
    whole: fc.oneof(fc.integer(), fc.double()),
    either: fc.oneof(fc.string(), fc.record({ text: fc.string(), more: fc.string() })),
    secret: fc.string(),
  },
  { requiredKeys: ['id', 'count', 'kind', 'spans'] },
);

/** What a compiler writes: the JSON's value, or that it refuses. */
function written(compile: typeof replyCompiler, value: unknown): unknown {
  try {
    return JSON.parse(compile(route)(value));
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

describe('replyCompiler', () => {
  test('given any value, it writes or refuses what the schema itself would', () => {
    fc.assert(
      fc.property(anyReply, (value) => {
        expect(written(replyCompiler, value)).toEqual(written(serializerCompiler, value));
      }),
      { numRuns: 2000 },
    );
  });

  test('given a reply with exactly the fields of its schema, the schema makes no copy', () => {
    expect(keepsOf(schema)(reply)).toBe(true);
    expect(keepsOf(schema)({ ...reply, free: { name: 'y', more: 1 }, byDay: { mon: 1 }, whole: 3 })).toBe(true);
  });

  test.each([
    ['a field that the schema does not name', { secret: 'x' }],
    ['such a field further down', { spans: [{ start: '08:00', secret: 'x' }] }],
    ['a missing element', { spans: Array(1) }],
    ['a number that JSON cannot write', { count: NaN }],
    ['a value that a check refuses', { byDay: { m: 1 } }],
    ['an instance of a class', { free: new Date(0) }],
  ])('given %s, the schema decides', (_what, more) => {
    expect(keepsOf(schema)({ ...reply, ...more })).toBe(false);
  });
});
