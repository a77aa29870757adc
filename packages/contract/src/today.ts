import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateSchema, dateText, locationSchema, personKindSchema, tabSchema, timeText, wallText } from './wire.ts';
import { storedAbsenceSchema } from './calendar.ts';
import { commitSummarySchema } from './plan/commits.ts';
import { MOST_UNASSIGNED } from './profiles.ts';

/** A time range, `HH:MM`. */
const windowSchema = z.object({ start: timeText, end: timeText });

/**
 * One thing that is wrong on a day: someone is booked twice (`twice`), a session breaks a rule (`rule`), or a client is
 * away and the cancellation is not submitted (`to-submit`).
 */
const wrongSchema = z.object({
  kind: z.enum(['twice', 'rule', 'to-submit']),
  /** The sessions that it is about: those of this location first, the names of others only if the account may see them. */
  sessions: z.array(
    z.object({
      key: z.string(),
      location: locationSchema,
      start: timeText,
      end: timeText,
      client: z.nullable(z.string()),
      therapist: z.nullable(z.string()),
    }),
  ),
  /** When someone is booked twice, or the client is away. */
  times: z.optional(z.array(windowSchema)),
  /** Who is booked twice. */
  person: z.optional(z.object({ type: personKindSchema, name: z.string() })),
  /** How the session breaks the rules, in sentences. */
  why: z.optional(z.array(z.string())),
  /** Set if another therapist would settle it. */
  by_cover: z.optional(z.boolean()),
});
export type Wrong = z.infer<typeof wrongSchema>;

/** The data of the Today page, where every figure is a link to what it counts. Times are `HH:MM`. */
export const todayReplySchema = z.object({
  now: wallText,
  needs_cover: z.array(
    z.object({
      key: z.string(),
      /** The key of the session, which its pieces share. */
      session: z.string(),
      client: z.string(),
      start: timeText,
      end: timeText,
      subject: z.string(),
      why: z.string(),
    }),
  ),
  /**
   * How many sessions are still booked although their client is away: options would cancel them. Not sent by a server
   * that is older than the page.
   */
  to_cancel: z.optional(z.number()),
  /** What else is wrong, the first first. Not sent by a server that is older than the page. */
  wrong: z.optional(z.array(wrongSchema)),
  away: z.array(storedAbsenceSchema),
  commits: z.array(commitSummarySchema),
  reserve: z.array(
    z.object({
      therapist: z.string(),
      credential: z.string(),
      windows: z.array(windowSchema),
      minutes: z.number(),
    }),
  ),
  /** The days from Monday to Sunday, in minutes of client care. */
  week: z.array(z.object({ date: dateText, booked: z.number(), kept: z.number(), lost: z.number(), open: z.number() })),
  /** The week's absences and cancellations that have no recorded cause. */
  not_said: z.array(
    z.object({
      kind: z.enum(['absence', 'session']),
      key: z.string(),
      name: z.string(),
      type: personKindSchema,
      date: dateText,
      start: timeText,
      end: timeText,
    }),
  ),
});
export type TodayReply = z.infer<typeof todayReplySchema>;

/** Whether all is well at a location on a date: how many sessions need cover, and how many other things are open. */
const wellDaySchema = z.object({
  location: locationSchema,
  date: dateText,
  /** Whether the date is past. */
  over: z.boolean(),
  booked: z.number(),
  needs_cover: z.number(),
  to_submit: z.number(),
  wrong: z.number(),
  /** How many therapists reported an absence that nobody has confirmed or declined yet. */
  reported: z.number(),
});
export type WellDay = z.infer<typeof wellDaySchema>;

/** Sessions from the list of what is wrong, for which someone else is to be found. */
const coverWrongBody = z.object({
  location: locationSchema,
  date: dateSchema,
  sessions: z.array(z.string().check(z.uuid())).check(z.minLength(1), z.maxLength(MOST_UNASSIGNED)),
});
export type CoverWrongBody = z.infer<typeof coverWrongBody>;

/** What someone is working on: the options of a day, or its call list. */
const workShape = { location: locationSchema, date: dateSchema, what: z.enum(['options', 'calls']) };
const presenceSchema = z.object({ ...workShape, date: dateText, by: z.string() });
export type Presence = z.infer<typeof presenceSchema>;

export const todayEndpoints = {
  today: endpoint('GET', '/today', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'today.read',
    summary: 'What needs doing at a location',
    query: z.object({ location: locationSchema, date: dateSchema }),
    reply: todayReplySchema,
  }),
  week: endpoint('GET', '/today/week', {
    access: 'signed-in',
    at: 'own',
    audit: 'none',
    summary: 'Whether all is well on seven days, at every location of the account',
    query: z.object({ from: dateSchema }),
    reply: z.object({ days: z.array(wellDaySchema) }),
  }),
  weekToTell: endpoint('GET', '/calls/week', {
    access: 'signed-in',
    at: 'own',
    audit: 'none',
    summary: 'How many people must be told about each of seven days, at every location of the account',
    query: z.object({ from: dateSchema }),
    reply: z.object({ days: z.array(z.object({ location: locationSchema, date: dateText, to_tell: z.number() })) }),
  }),
  /** Sessions that keep every rule by now stay as they are. */
  coverWrong: endpoint('POST', '/today/cover', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Take the therapists off sessions that break a rule, so that cover is found for them',
    body: coverWrongBody,
    reply: z.object({ taken_off: z.number() }),
  }),
  presence: endpoint('GET', '/presence', {
    access: 'signed-in',
    at: 'own',
    audit: 'none',
    summary: 'What others are working on now, at the locations of the account',
    reply: z.array(presenceSchema),
  }),
  showPresence: endpoint('PUT', '/presence', {
    access: 'signed-in',
    at: 'body.work.location',
    audit: 'none',
    summary: 'Show others what this page is being used to work on; `work` is null when the work has ended',
    body: z.object({ tab: tabSchema, work: z.nullable(z.object(workShape)) }),
    status: 204,
  }),
};
