import * as z from 'zod/mini';
import {
  FIRST_YEAR,
  GENDERS,
  LAST_YEAR,
  LOCATION_VALUES,
  SPECIALIZATIONS,
  isLocation,
  parseDate,
  parseTime,
  tidyText,
  type IsoDate,
} from '@clinic/domain';

/** Small schemas that all features share. Their messages appear in `detail`, which users read. */
export const locationSchema = z.enum(LOCATION_VALUES, {
  error: (issue) =>
    typeof issue.input === 'string' && !isLocation(issue.input)
      ? `no such location '${issue.input.slice(0, 40)}'`
      : 'a location is needed: altamonte, deerfield, orlando, palm beach or tampa',
});

const isOfAnotherAge = (value: unknown): boolean => {
  const year = typeof value === 'string' ? /^(\d{4})-\d{2}-\d{2}$/.exec(value)?.[1] : undefined;
  return year !== undefined && (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR);
};

/** A date as a string, for the keys of records. */
export const dateKeySchema = z.string('a date is needed, written YYYY-MM-DD').check(
  z.refine((text) => parseDate(text) !== null, {
    error: ({ input }) =>
      isOfAnotherAge(input)
        ? `not a date in the years ${FIRST_YEAR} to ${LAST_YEAR}`
        : 'not a date that exists, written YYYY-MM-DD',
  }),
  z.meta({ format: 'date' }),
);

/** A date. A string that passed the check is an `IsoDate`, which the check's type cannot say. */
export const dateSchema = dateKeySchema as unknown as z.ZodMiniType<IsoDate, string>;

const TIME = { pattern: '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', description: 'Wall time, HH:MM' };

/** A time as `HH:MM`, from 00:00 to 24:00. */
export const timeSchema = z.string('a time is needed, written HH:MM').check(
  z.refine((text) => parseTime(text) !== null, { error: 'not a time, written HH:MM' }),
  z.meta(TIME),
);

// A date or time in a reply. The server made it, so its format is documented but not checked again.
export const dateText = z.string().check(z.meta({ format: 'date' }));
export const timeText = z.string().check(z.meta(TIME));
export const instantText = z.string().check(z.meta({ format: 'date-time', description: 'ISO 8601, UTC' }));
export const wallText = z.string().check(
  z.meta({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$',
    description: "The clinic's wall time, without a zone",
  }),
);

export const genderSchema = z.enum(GENDERS);
export const specializationSchema = z.enum(SPECIALIZATIONS);
export const personKindSchema = z.enum(['therapist', 'client']);

const writtenName = (most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'contains a control character'),
      z.overwrite(tidyText),
      z.minLength(1, 'must not be empty'),
      z.maxLength(most, `is longer than ${most} characters`),
    );

/**
 * A name that a person typed. It is stored without invisible characters (`tidyText`); control characters and names
 * that are too long are refused.
 */
export const nameSchema = writtenName(80);
/** A person's name as shown: first and last name, and a number if several people have that name. */
export const personNameSchema = writtenName(200);

/** Text in a person's own words, on one line. Control characters become spaces; invisible characters are removed. */
export const noteSchema = (most: number) =>
  z.string().check(
    z.regex(/^[^\p{Cs}]*$/u, 'contains half a character'),
    z.overwrite((text) => tidyText(text.replace(/\p{Cc}+/gu, ' '))),
    z.maxLength(most, `is longer than ${most} characters`),
  );

/** Text that a page received from the server and sends back unchanged, such as an id. */
export const textSchema = (most: number) => z.string().check(z.maxLength(most));
/**
 * The version that was edited, for data whose version is a string. If someone has saved a newer version, the reply is a
 * 409.
 */
export const EDITED_VERSION = { version: z.optional(textSchema(64)) };
/** The id that a page made for itself. */
export const tabSchema = z.string().check(z.minLength(8), z.maxLength(64));

export const detailSchema = z.object({ detail: z.union([z.string(), z.looseObject({ message: z.string() })]) });

/** A conflict between a choice and the calendar, or between two pins (DATA-06). `time` is a time slot. */
export const conflictSchema = z.looseObject({
  date: dateText,
  time: z.string(),
  therapist: z.string(),
  client: z.optional(z.string()),
  option: z.optional(z.string()),
  /** A sentence that says what has changed, or what conflicts. */
  why: z.optional(z.string()),
});
export type Conflict = z.infer<typeof conflictSchema>;
