import { beforeAll, afterAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeIssue } from './schema-texts.ts';

beforeAll(() => void z.config({ customError: describeIssue }));
afterAll(() => void z.config({ customError: undefined }));

const said = (schema: z.ZodMiniType, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message;

const union = z.discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })]);

test.each<[z.ZodMiniType, unknown, string]>([
  [z.string(), undefined, 'is missing'],
  [z.enum(['RBT', 'BT']), undefined, 'is missing'],
  [z.string(), 7, 'must be a text'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.object({}), 'x', 'must be an object'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.date(), 'x', 'must be of another kind'],
  [z.enum(['BCBA', 'RBT', 'BT']), 'MD', 'must be BCBA, RBT or BT'],
  [z.literal('a'), 'b', 'must be a'],
  [z.number().check(z.lte(100)), 101, 'is more than 100'],
  [z.number().check(z.gte(0)), -1, 'is less than 0'],
  [z.int().check(z.lte(100)), 1e300, 'is too large'],
  [z.int(), -1e300, 'is too small'],
  [z.string().check(z.maxLength(2)), 'abc', 'is longer than 2 characters'],
  [z.array(z.number()).check(z.maxLength(1)), [1, 2], 'is more than 1 entries'],
  [z.string().check(z.minLength(1)), '', 'must not be empty'],
  [union, { type: 'c' }, 'must be a or b'],
  [union, {}, 'is missing'],
  [union, 'x', 'must be an object'],
  [z.record(z.string().check(z.refine((key) => key !== 'x', 'not a date')), z.string()), { x: 'a' }, 'not a date'],
  [z.union([z.string(), z.number()]), true, 'is not of the right kind'],
  [z.uuid(), 'x', 'is not of the right kind'],
])('[DATA-06] a field that fails its schema is refused with the reason (%#)', (schema, value, text) => {
  expect(said(schema, value)).toBe(text);
});
