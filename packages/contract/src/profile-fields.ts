import * as z from 'zod/mini';
import { USUAL_PRIORITY } from '@clinic/domain';
import { eachClientMark, eachNotePart } from './client-marks.ts';
import { hoursSchema, MOST_HOURS } from './rules.ts';
import {
  dateSchema,
  dateText,
  genderSchema,
  locationSchema,
  nameSchema,
  specializationSchema,
  lineSchema,
} from './wire.ts';

type Schema = z.ZodMiniType;

/**
 * The definition of a field: its schema in a body, its schema in a reply, and its value in a new profile when the body
 * leaves it out. (An existing profile keeps its value.)
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

/** Every field's schema for a body or for a reply, as a shape for `z.object`. */
export const schemasOf = <F extends ProfileFields, Side extends 'body' | 'reply'>(fields: F, side: Side) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[side]])) as {
    -readonly [N in keyof F]: F[N][Side];
  };

const hoursLimit = (most: number) => optional(z.nullable(hoursSchema(most)), z.nullable(z.number()), null);

const PERSON_FIELDS = {
  first_name: required(nameSchema, z.string()),
  last_name: required(nameSchema, z.string()),
  location: required(locationSchema, locationSchema),
  gender: required(genderSchema, genderSchema),
};

/**
 * The fields of a therapist; those of a client follow below. To add a field, begin here. The compiler then asks for the
 * field's column (in `db/schema/people.ts`; a test compares this file with the migrations), its label (in the web
 * pages' `field-labels.ts`) and its input (in their `profiles/therapist-form.ts` or `client-form.ts`). Queries,
 * replies, the audit trail and all views follow from these tables. To import the field as well, follow a field such as
 * `consistency` through the server's `imports/`: `columns.ts`, `import-types.ts`, `people-rows.ts`, `write-plan.ts` and
 * `imports.writes.ts`.
 */
export const THERAPIST_FIELDS = {
  ...PERSON_FIELDS,
  specialization: required(specializationSchema, specializationSchema),
  start_date: required(dateSchema, dateText),
  /** The last day at the clinic, inclusive; null when not known. */
  end_date: optional(z.nullable(dateSchema), z.nullable(dateText), null),
  /**
   * The weekly limit in hours, such as 37.5 (null for the clinic's own limit); then the daily limit and the guaranteed
   * hours. The database stores them in minutes.
   */
  week_hours: hoursLimit(MOST_HOURS.week),
  day_hours: hoursLimit(MOST_HOURS.day),
  guaranteed_hours: hoursLimit(MOST_HOURS.week),
  consistency: optional(z.nullable(z.int().check(z.gte(0), z.lte(100))), z.nullable(z.number()), null),
} satisfies ProfileFields;

export const CLIENT_FIELDS = {
  ...PERSON_FIELDS,
  ...eachClientMark(() => optional(z.boolean(), z.boolean(), false)),
  ...eachNotePart(() => optional(lineSchema(300), z.string(), '')),
  /**
   * How much an hour without a therapist weighs for the client in a plan, in percent. With the usual 100, the weight
   * depends on how much care the client has lost.
   */
  priority: optional(z.int().check(z.gte(1), z.lte(1000)), z.number(), USUAL_PRIORITY),
  /** The last day at the clinic, inclusive; null when not known. */
  end_date: optional(z.nullable(dateSchema), z.nullable(dateText), null),
} satisfies ProfileFields;
