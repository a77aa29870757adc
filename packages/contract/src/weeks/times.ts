import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, dateText, locationSchema, personNameSchema, timeSchema, timeText } from '../wire.ts';

/** When the family can come on a day of the week, from Sunday, which is 0. */
const windowSchema = z.object({
  weekday: z.int().check(z.minimum(0), z.maximum(6)),
  start: timeSchema,
  end: timeSchema,
});

/** What is wanted: how many sessions a week, how long, when the family can come, and with whom. */
export const timesWishSchema = z.object({
  location: locationSchema,
  client: personNameSchema,
  sessions: z.int().check(z.minimum(1), z.maximum(7)),
  /** The length of each session in minutes, in half hours. */
  minutes: z.int().check(z.minimum(30), z.maximum(360), z.multipleOf(30)),
  people: z.int().check(z.minimum(1), z.maximum(3)),
  service: z.enum(['direct', 'supervision', 'parent-training']),
  from: dateSchema,
  until: z.optional(z.nullable(dateSchema)),
  windows: z.array(windowSchema).check(z.minLength(1, 'say when the family can come'), z.maxLength(28)),
  /** Dates on which no session is wanted. */
  except: z.optional(z.array(dateSchema).check(z.maxLength(60))),
  /** Only therapists whom the client knows. */
  known: z.optional(z.boolean()),
  /** Only these therapists, by name. */
  only: z.optional(z.array(personNameSchema).check(z.maxLength(40))),
});
export type TimesWish = z.infer<typeof timesWishSchema>;

const wayDaySchema = z.object({ weekday: z.number(), start: timeText, end: timeText, therapist: z.string() });

const waySchema = z.object({
  days: z.array(wayDaySchema),
  /** Each therapist's hours in an ordinary week, before and with these sessions, and the most they may have. */
  people: z.array(
    z.object({
      therapist: z.string(),
      knows: z.enum(['new', 'known', 'team']),
      before: z.number(),
      after: z.number(),
      most: z.number(),
    }),
  ),
  why: z.string(),
  first: z.nullable(dateText),
  /** How many dates are held, of how many. */
  held: z.number(),
  dates: z.number(),
  missed: z.array(z.object({ date: dateText, why: z.string() })),
  /** Whether it is proven that no way is better, given the ones before. */
  proven: z.boolean(),
});
export type TimesWay = z.infer<typeof waySchema>;

export const timesReplySchema = z.object({
  /** The last date that was counted. */
  through: dateText,
  /** The last date up to which the calendar is filled as usual; null if that is all of these dates. */
  filled_until: z.nullable(dateText),
  /** How many of the location's therapists may serve the client, and why the others may not. */
  may: z.number(),
  of: z.number(),
  mayNot: z.array(z.object({ why: z.string(), therapists: z.number() })),
  ways: z.array(waySchema),
  /** Why the best way does not begin when the family's time does; null if it does. */
  earlier: z.nullable(
    z.object({
      start: timeText,
      /** Of the therapists who may, how many cannot for which reason. */
      reasons: z.array(z.object({ why: z.string(), therapists: z.number() })),
    }),
  ),
});
export type TimesReply = z.infer<typeof timesReplySchema>;

/** One change of the wish, and the best way that it would give. */
const changeSchema = z.object({ what: z.string(), wish: timesWishSchema, way: waySchema });
export type TimesChange = z.infer<typeof changeSchema>;

const couldSchema = z.object({
  client: z.string(),
  start: timeText,
  end: timeText,
  knows: z.enum(['new', 'known', 'team']),
  /** The minutes of care that the client lost in the last four weeks. */
  lost: z.number(),
});

export const timesEndpoints = {
  findTimes: endpoint('POST', '/times', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'times.read',
    writes: false,
    summary: 'The best weekly times and therapists for new sessions of a client',
    body: timesWishSchema,
    reply: timesReplySchema,
    refusals: ['solver-failed'],
  }),
  timesChanges: endpoint('POST', '/times/changes', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'times.read',
    writes: false,
    summary: 'Single changes of a wish that would give a better time',
    body: timesWishSchema,
    reply: z.object({ changes: z.array(changeSchema) }),
    refusals: ['solver-failed'],
  }),
  whoCould: endpoint('GET', '/times/who', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'times.read',
    summary: 'Which clients could use a therapist’s free time on a day of the week',
    query: z.object({
      location: locationSchema,
      therapist: personNameSchema,
      weekday: z.enum(['0', '1', '2', '3', '4', '5', '6']),
    }),
    reply: z.object({ free: z.array(z.object({ start: timeText, end: timeText })), could: z.array(couldSchema) }),
  }),
};
export type Could = z.infer<typeof couldSchema>;
