import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import {
  dateSchema,
  lineSchema,
  locationSchema,
  nameSchema,
  noteSchema,
  personNameSchema,
  timeSchema,
} from './wire.ts';

const firstError = (schema: z.ZodMiniType, value: unknown): string | undefined =>
  schema.safeParse(value).error?.issues[0]?.message;

test('given an unknown location, the refusal names it; given none, the refusal lists the locations', () => {
  expect(locationSchema.safeParse('palm beach').success).toBe(true);
  expect(firstError(locationSchema, 'miami')).toBe("no such location 'miami'");
  expect(firstError(locationSchema, undefined)).toMatch(/altamonte, deerfield, orlando, palm beach or tampa/);
  expect(firstError(locationSchema, 'x'.repeat(500))).toHaveLength("no such location ''".length + 40);
});

test('impossible dates and times are refused with a sentence', () => {
  expect(dateSchema.safeParse('2026-11-20').success).toBe(true);
  expect(firstError(dateSchema, '2026-02-30')).toBe('not a date that exists, written YYYY-MM-DD');
  expect(firstError(dateSchema, '1999-02-29')).toBe('not a date that exists, written YYYY-MM-DD');
  for (const text of ['0001-01-01', '1899-12-31', '3000-01-01'])
    expect(firstError(dateSchema, text)).toBe('not a date in the years 1900 to 2999');
  expect(firstError(dateSchema, 20261120)).toBe('a date is needed, written YYYY-MM-DD');
  expect(['00:00', '23:59', '24:00'].every((time) => timeSchema.safeParse(time).success)).toBe(true);
  expect(firstError(timeSchema, '24:01')).toBe('not a time, written HH:MM');
});

test('a name is trimmed and limited in length; markup in a name is allowed, but control characters are refused', () => {
  expect(nameSchema.parse('  Ana Ruiz ')).toBe('Ana Ruiz');
  expect(nameSchema.parse('<b>Ana</b>')).toBe('<b>Ana</b>');
  expect(nameSchema.parse('李'.repeat(80))).toHaveLength(80);
  expect(firstError(nameSchema, '   ')).toBe('must not be empty');
  expect(firstError(nameSchema, 'x'.repeat(81))).toBe('is longer than 80 characters');
  expect(nameSchema.parse('\u202eMa\u200bria\u00a0\u2003Ze\u00adro\ufe0f')).toBe('Maria Zero');
  expect(firstError(nameSchema, '\u200b\u3164 \u2800')).toBe('must not be empty');
  for (const text of ['Ana\nRuiz', 'Ana\u0000', '\u007f', '\u0085x', 'Ana\ud800'])
    expect(firstError(nameSchema, text)).toBe('contains a control character');
});

test('a character that some screens cannot show, and more accents than an import takes, are refused at every door', () => {
  const accents = `e${'\u0301'.repeat(79)}`;
  for (const door of [nameSchema, lineSchema(200)]) {
    for (const text of ['An\ue000a', 'An\u0378a', 'An\uffffa'])
      expect(firstError(door, text)).toBe('contains a character that most screens cannot show');
    expect(firstError(door, accents)).toBe('has more than 30 accents on one letter');
    expect(door.parse('An\ufffca\u{e0fff}')).toBe('Ana');
  }
  expect(noteSchema(200).parse('late\uf0b7call\u0001 back\ufffc')).toBe('late call back');
  expect(firstError(noteSchema(200), accents)).toBe('has more than 30 accents on one letter');
  expect(firstError(noteSchema(200), 'a\ud800')).toBe('contains half a character');
  // Someone who is stored under such a name can still be named.
  expect(personNameSchema.parse('An\ue000a')).toBe('An\ue000a');
});

test('a person’s name is accepted even with the longest allowed first and last name', () => {
  const name = `${'x'.repeat(80)} ${'y'.repeat(80)} (2)`;
  expect(personNameSchema.parse(` ${name} `)).toBe(name);
  expect(firstError(personNameSchema, 'x'.repeat(201))).toBe('is longer than 200 characters');
});
