import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { MOST_LOCATIONS } from '../locations.ts';
import {
  dateSchema,
  dateText,
  instantText,
  lineSchema,
  locationSchema,
  textSchema,
  timeSchema,
  timeText,
} from '../wire.ts';

/** The most dates of one closure, and the most sessions that one act cancels, so that it stays short. */
export const MOST_CLOSED_DAYS = 31;
export const MOST_CLOSED_SESSIONS = 1500;
/** The most days in a list of holidays that is saved at once. */
export const MOST_HOLIDAYS = 60;

const nameSchema = lineSchema(80).check(z.minLength(1, 'must not be empty'));

/** From when until when locations are closed, without a break. */
const closingShape = {
  locations: z
    .array(locationSchema)
    .check(z.minLength(1, 'choose a location'), z.maxLength(MOST_LOCATIONS, 'too many locations')),
  from_date: dateSchema,
  from_time: timeSchema,
  to_date: dateSchema,
  to_time: timeSchema,
  /** The name, as families will hear it. */
  name: nameSchema,
};
const closingSchema = z.object({
  ...closingShape,
  cause: z.nullable(textSchema(40)),
  /** Whether sessions by video are cancelled, too. Left out or false: they take place, since nobody comes for them. */
  cancel_video: z.optional(z.boolean()),
  /** Whether what is left of a child's time is cancelled, too, where it is under an hour. Left out or false: it stays. */
  cancel_short: z.optional(z.boolean()),
});
export type ClosingBody = z.infer<typeof closingSchema>;

const closureSchema = z.object({
  id: z.string(),
  /** The same for all locations that were closed in one act. */
  act: z.string(),
  location: locationSchema,
  from_date: dateText,
  from_time: timeText,
  to_date: dateText,
  to_time: timeText,
  name: z.string(),
  cause: z.nullable(z.string()),
  /** A day of the list of holidays: nothing is booked on it, but it cancels nothing by itself. */
  holiday: z.boolean(),
  by: z.nullable(z.string()),
  at: instantText,
  /** How many sessions it cancelled that have not been brought back. */
  cancelled: z.number(),
  /** How many sessions still take place in its time; by video, only those of a holiday count. */
  booked: z.number(),
});
export type Closure = z.infer<typeof closureSchema>;

/** One date of a closure: how busy it would have been, and what becomes of it. */
const closedDaySchema = z.object({
  location: locationSchema,
  date: dateText,
  from_time: timeText,
  to_time: timeText,
  /** How many sessions there are at once in each quarter hour from 7:00 to 19:00. */
  load: z.array(z.number()),
  sessions: z.number(),
  minutes: z.number(),
  families: z.number(),
  staff: z.number(),
  /** How many sessions of the date stay. */
  stay: z.number(),
  /** The closures and holidays that already cover a part of it, by name. */
  already: z.array(z.string()),
});

const closingPreviewSchema = z.object({
  sessions: z.number(),
  minutes: z.number(),
  families: z.number(),
  staff: z.number(),
  days: z.array(closedDaySchema),
  /** The families to ring first. */
  first: z.array(z.object({ date: dateText, time: z.string(), name: z.string(), phone: z.nullable(z.string()) })),
  /** How many sessions by video there are in this time, whether they are cancelled or not. */
  video: z.number(),
  /** How many sessions lie in what is left of a child's time where that is under an hour, whether cancelled or not. */
  short: z.number(),
  /** Absences in this time, which stay recorded. */
  absences: z.number(),
  /** What a family is told. */
  words: z.string(),
});
export type ClosingPreview = z.infer<typeof closingPreviewSchema>;

const reopenBody = z.object({
  location: locationSchema,
  /** From this date on; left out for all of the closure. */
  from_date: z.optional(dateSchema),
});

const reopenedSchema = z.object({
  /** How many sessions come back exactly as they were. */
  back: z.number(),
  /** The sessions that stay as they are now, each with the reason. */
  stays: z.array(
    z.object({
      date: dateText,
      time: z.string(),
      client: z.string(),
      therapist: z.nullable(z.string()),
      why: z.string(),
    }),
  ),
  families: z.number(),
  staff: z.number(),
});
export type Reopened = z.infer<typeof reopenedSchema>;

const holidaySchema = z.object({
  /** Null for every location of the account. */
  location: z.nullable(locationSchema),
  date: dateSchema,
  from_time: timeSchema,
  to_time: timeSchema,
  name: nameSchema,
});
export type Holiday = z.infer<typeof holidaySchema>;

const idParams = z.object({ id: z.uuid() });

export const closuresEndpoints = {
  /** The closures and holidays of the account's locations that last until today or later. */
  listClosures: endpoint('GET', '/closures', {
    access: 'signed-in',
    at: 'own',
    audit: 'none',
    summary: 'Closures and holidays from today on',
    reply: z.array(closureSchema),
  }),
  previewClosing: endpoint('POST', '/closures/preview', {
    access: 'signed-in',
    at: 'found',
    audit: 'closure.checked',
    writes: false,
    summary: 'What closing locations would cancel, and whom it concerns',
    body: closingSchema,
    reply: closingPreviewSchema,
  }),
  /**
   * Cancels every session in this time, but those by video only if asked, in one transaction: lost by the clinic, with
   * everybody on the call list. Sending the same closure again changes nothing.
   */
  close: endpoint('POST', '/closures', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Close locations for a time',
    body: closingSchema,
    reply: z.object({ closures: z.array(z.string()), sessions: z.number(), families: z.number(), staff: z.number() }),
  }),
  previewReopening: endpoint('POST', '/closures/:id/reopen-preview', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'closure.checked',
    writes: false,
    summary: 'What reopening would bring back, and what stays',
    params: idParams,
    body: reopenBody,
    reply: reopenedSchema,
  }),
  /** Brings back what the closure cancelled and nobody has changed since; a holiday is taken off the list. */
  reopen: endpoint('POST', '/closures/:id/reopen', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Reopen a location',
    params: idParams,
    body: reopenBody,
    reply: reopenedSchema,
  }),
  /** Adds days to the list of holidays; a day that is on it already stays as it is. Cancels nothing. */
  addHolidays: endpoint('POST', '/holidays', {
    access: 'signed-in',
    at: 'own',
    audit: 'change',
    summary: 'Add holidays',
    body: z.object({
      holidays: z
        .array(holidaySchema)
        .check(z.minLength(1, 'no holidays'), z.maxLength(MOST_HOLIDAYS, 'too many holidays')),
    }),
    reply: z.object({ added: z.number() }),
  }),
  /** Reads the holidays in an .ics file of the next 24 months; saves nothing. */
  readHolidays: endpoint('POST', '/holidays/read', {
    access: 'signed-in',
    at: 'none',
    audit: 'none',
    writes: false,
    summary: 'Read holidays from an .ics file',
    body: z.object({ ics: z.string().check(z.maxLength(500_000, 'the file is too large')) }),
    reply: z.object({ holidays: z.array(holidaySchema), left_out: z.array(z.string()) }),
  }),
};
