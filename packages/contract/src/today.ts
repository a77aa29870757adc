import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { dateSchema, dateText, locationSchema, personKindSchema, tabSchema, timeText, wallText } from './wire.ts';
import { storedAbsenceSchema } from './calendar.ts';
import { commitSummarySchema } from './cover/commits.ts';

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
  away: z.array(storedAbsenceSchema),
  commits: z.array(commitSummarySchema),
  reserve: z.array(
    z.object({
      therapist: z.string(),
      credential: z.string(),
      windows: z.array(z.object({ start: timeText, end: timeText })),
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

/** What someone is working on: the options of a day, or its call list. */
const workShape = { location: locationSchema, date: dateSchema, what: z.enum(['options', 'calls']) };
const presenceSchema = z.object({ ...workShape, date: dateText, by: z.string() });
export type Presence = z.infer<typeof presenceSchema>;

export const todayEndpoints = {
  today: endpoint({
    method: 'GET',
    path: '/today',
    access: 'signed-in',
    summary: 'What needs doing at a location',
    query: z.object({ location: locationSchema, date: dateSchema }),
    reply: todayReplySchema,
  }),
  presence: endpoint({
    method: 'GET',
    path: '/presence',
    access: 'signed-in',
    summary: 'What others are working on now, at the locations of the account',
    reply: z.array(presenceSchema),
  }),
  showPresence: endpoint({
    method: 'PUT',
    path: '/presence',
    access: 'signed-in',
    summary: 'Show others what this page is being used to work on; `work` is null when the work has ended',
    body: z.object({ tab: tabSchema, work: z.nullable(z.object(workShape)) }),
    status: 204,
  }),
};
