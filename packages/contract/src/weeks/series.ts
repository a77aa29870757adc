import * as z from 'zod/mini';
import { LONGEST_SUBJECT } from '../book.ts';
import { endpoint } from '../endpoint.ts';
import {
  dateSchema,
  dateText,
  locationSchema,
  noteSchema,
  personNameSchema,
  textSchema,
  timeSchema,
  timeText,
} from '../wire.ts';

/** The most series that one booking can have: a client's days of the week, or a meeting's people on its days. */
export const MOST_SERIES_DAYS = 60;

/** Why a date of a series has no session. */
const skippedKindSchema = z.enum(['booked', 'away', 'rule', 'hours', 'authorization']);
export type SkippedKind = z.infer<typeof skippedKindSchema>;

export const seriesDaySchema = z.object({
  /** The day of the week, from Sunday, which is 0. */
  weekday: z.int().check(z.minimum(0), z.maximum(6)),
  start: timeSchema,
  end: timeSchema,
  /** The therapist's name; null when no therapist is assigned yet. */
  therapist: z.nullable(personNameSchema),
});

export const seriesBodySchema = z.object({
  location: locationSchema,
  client: personNameSchema,
  subject: noteSchema(LONGEST_SUBJECT),
  days: z
    .array(seriesDaySchema)
    .check(z.minLength(1, 'choose at least one weekday'), z.maxLength(MOST_SERIES_DAYS, 'are too many times')),
  from: dateSchema,
  /** The last date; left out or null for series that go on. */
  until: z.optional(z.nullable(dateSchema)),
  /** Dates on which no session is wanted. */
  except: z.optional(z.array(dateSchema).check(z.maxLength(60))),
  /**
   * Whether this is a meeting: administrative time of several people at once. Whoever has a session with a client then is
   * left out on that date; other administrative time may lie beside a session.
   */
  meeting: z.optional(z.boolean()),
  /** A session on the calendar that becomes the first of its weekday's series. */
  session: z.optional(z.uuid()),
  /** Also books the dates on which a rule would be broken that may be overridden. */
  anyway: z.optional(z.boolean()),
  /** The version of the preview that was shown; if other dates would be booked by now, nothing is. */
  version: z.optional(textSchema(64)),
});
export type SeriesBody = z.infer<typeof seriesBodySchema>;

export const seriesPreviewSchema = z.object({
  version: z.string(),
  /** The date up to which sessions are booked now. */
  through: dateText,
  /** For each of the days asked about: the dates that are booked, and those that are not. */
  days: z.array(
    z.object({
      dates: z.array(dateText),
      skipped: z.array(z.object({ date: dateText, kind: skippedKindSchema, why: z.string() })),
    }),
  ),
});
export type SeriesPreview = z.infer<typeof seriesPreviewSchema>;

const seriesBookedSchema = z.object({
  sessions: z.number(),
  skipped: z.number(),
  first: dateText,
  through: dateText,
  /** The key of the first booked session of each series, by which the booking can be taken back. */
  keys: z.array(z.string()),
});

export const recognisedSchema = z.object({
  /** The key of its last session. */
  key: z.uuid(),
  client: z.string(),
  therapist: z.string(),
  subject: z.string(),
  weekday: z.number(),
  start: timeText,
  end: timeText,
  first: dateText,
  last: dateText,
  /** How many dates the weekday has from the first to the last, and on how many the therapist had the session. */
  weeks: z.number(),
  held: z.number(),
  cancelled: z.number(),
  covered: z.array(z.object({ therapist: z.string(), dates: z.number() })),
});
export type Recognised = z.infer<typeof recognisedSchema>;

export const seriesEndpoints = {
  preview: endpoint('POST', '/series/preview', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'series.read',
    writes: false,
    summary: 'Which sessions weekly series would have, and which dates are skipped and why',
    body: seriesBodySchema,
    reply: seriesPreviewSchema,
  }),
  book: endpoint('POST', '/series', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Book weekly series on several days of the week, all or none',
    body: seriesBodySchema,
    reply: seriesBookedSchema,
    status: 201,
  }),
  recognised: endpoint('GET', '/series/recognised', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'series.read',
    summary: 'Sessions on the calendar that repeat every week but are in no series yet',
    /** With `session`, only what this session repeats in. */
    query: z.object({ location: locationSchema, session: z.optional(z.uuid()) }),
    reply: z.object({ series: z.array(recognisedSchema) }),
  }),
  accept: endpoint('POST', '/series/recognised', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Make series of sessions that repeat every week; no session changes',
    body: z.object({
      location: locationSchema,
      /** The keys of the series as `recognised` gave them. */
      keys: z.array(z.uuid()).check(z.minLength(1), z.maxLength(5000)),
    }),
    /** How many series were made, and how many are no longer there as they were. */
    reply: z.object({ series: z.number(), changed: z.number() }),
  }),
};
