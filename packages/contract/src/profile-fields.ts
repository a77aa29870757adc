import * as z from 'zod/mini';
import { lineSchema } from './contacts.ts';
import { dateSchema, dateText, genderSchema, locationSchema, nameSchema, specializationSchema } from './wire.ts';

type Schema = z.ZodMiniType;

/**
 * What the two tables below hold for each field: its schema in a body, its schema in a reply, and for a field that a
 * body may leave out, a new profile's value (a stored profile keeps its own).
 */
interface Field {
  readonly body: Schema;
  readonly reply: Schema;
  readonly initial?: unknown;
}
export type ProfileFields = Readonly<Record<string, Field>>;

const required = <B extends Schema, R extends Schema>(body: B, reply: R) => ({ body, reply });
const optional = <B extends Schema, R extends Schema>(body: B, reply: R, initial: z.output<R>) => ({
  body: z.optional(body),
  reply,
  initial,
});

/** A column of schemas, for `z.object`. */
export const schemasOf = <F extends ProfileFields, Side extends 'body' | 'reply'>(fields: F, side: Side) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[side]])) as {
    -readonly [N in keyof F]: F[N][Side];
  };

const PERSON_FIELDS = {
  first_name: required(nameSchema, z.string()),
  last_name: required(nameSchema, z.string()),
  location: required(locationSchema, locationSchema),
  gender: required(genderSchema, genderSchema),
};

/**
 * The fields of a therapist; a client's follow below. A new field starts here, and the compiler asks for the rest, four
 * more edits: its column (`db/schema.ts`, which a test compares with the migrated database, so a migration), its words
 * (the web's `field-labels.ts`), its input (the web's `profiles/therapist-form.ts`, `client-form.ts`). Queries, replies,
 * the audit trail, view, comparison and draft follow from the tables. To import it as well, follow a column such as
 * `consistency` through the server's `imports/`: `columns.ts`, `import-types.ts`, `people-rows.ts`, `write-plan.ts` and
 * `imports.writes.ts`.
 */
export const THERAPIST_FIELDS = {
  ...PERSON_FIELDS,
  specialization: required(specializationSchema, specializationSchema),
  start_date: required(dateSchema, dateText),
  /** The last day, included; null: not known. */
  end_date: optional(z.nullable(dateSchema), z.nullable(dateText), null),
  /** The most hours of a week (null: the clinic's own limit) and of a day, and those that are guaranteed. */
  week_hours: optional(z.nullable(z.int().check(z.gte(1), z.lte(80))), z.nullable(z.number()), null),
  day_hours: optional(z.nullable(z.int().check(z.gte(1), z.lte(24))), z.nullable(z.number()), null),
  guaranteed_hours: optional(z.nullable(z.int().check(z.gte(1), z.lte(80))), z.nullable(z.number()), null),
  consistency: optional(z.nullable(z.int().check(z.gte(0), z.lte(100))), z.nullable(z.number()), null),
} satisfies ProfileFields;

/** The yes-or-no fields of a client; form, card, view and comparison go through this list. */
export const CLIENT_MARKS = ['care_team_only', 'rbt_or_above', 'two_to_one'] as const;
export type ClientMark = (typeof CLIENT_MARKS)[number];
/** A value for each of them. */
export const eachClientMark = <T>(of: (mark: ClientMark) => T): Record<ClientMark, T> =>
  Object.fromEntries(CLIENT_MARKS.map((mark) => [mark, of(mark)])) as Record<ClientMark, T>;

/** What someone who covers a client's session should know; form, view and the therapist's own page go through this list. */
export const COVER_NOTE = ['likes', 'helps', 'avoid'] as const;
export type CoverNotePart = (typeof COVER_NOTE)[number];
/** A value for each of them. */
export const eachNotePart = <T>(of: (part: CoverNotePart) => T): Record<CoverNotePart, T> => ({
  likes: of('likes'),
  helps: of('helps'),
  avoid: of('avoid'),
});

export const CLIENT_FIELDS = {
  ...PERSON_FIELDS,
  ...eachClientMark(() => optional(z.boolean(), z.boolean(), false)),
  ...eachNotePart(() => optional(lineSchema(300), z.string(), '')),
} satisfies ProfileFields;
