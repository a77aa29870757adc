import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, dateText, locationSchema, textSchema, timeSchema } from '../wire.ts';
import { joinSchema, MOST_JOINS, standingChoiceSchema } from './warm.ts';

/** Times are minutes after midnight. */
const seriesSchema = z.object({
  id: z.string(),
  weekday: z.number(),
  start: z.number(),
  end: z.number(),
  service: z.string(),
  dates: z.array(dateText),
});
export type StandingSeries = z.infer<typeof seriesSchema>;

const childSchema = z.object({
  id: z.string(),
  /** A child, or all children of a group. */
  name: z.string(),
  series: z.array(seriesSchema),
});
export type StandingChild = z.infer<typeof childSchema>;

const knowsSchema = z.enum(['team', 'known', 'new']);
export type StandingKnows = z.infer<typeof knowsSchema>;

const runSchema = z.object({
  therapist: z.string(),
  knows: knowsSchema,
  /** The dates on which the therapist takes the session. */
  dates: z.array(dateText),
  /** Why this therapist, in sentences. */
  why: z.array(z.string()),
});
export type StandingRun = z.infer<typeof runSchema>;

const planSchema = z.object({
  runs: z.array(runSchema),
  /** The dates that are left to their day, and why. */
  open: z.array(z.object({ date: dateText, why: z.string() })),
});
export type StandingPlan = z.infer<typeof planSchema>;

const optionSchema = z.object({
  name: z.string(),
  label: z.string(),
  strategy: z.string(),
  proven: z.boolean(),
  /** By the id of each series. */
  series: z.record(z.string(), planSchema),
});
export type StandingOption = z.infer<typeof optionSchema>;

const personSchema = z.object({
  name: z.string(),
  bcba: z.boolean(),
  /** The minutes that may be added to each week, by its Monday. */
  room: z.record(z.string(), z.number()),
});

export const standingReplySchema = z.object({
  proposal: z.string(),
  location: locationSchema,
  therapist: z.object({ id: z.string(), name: z.string() }),
  from: dateText,
  until: dateText,
  /** Whether the sessions are handed over for good; `until` is then the last date on the calendar. */
  for_good: z.boolean(),
  /** The last date up to which the calendar is filled as usual; null if that is all of these dates. */
  filled_until: z.nullable(dateText),
  children: z.array(childSchema),
  options: z.array(optionSchema),
  /** Everyone in the options, by id. */
  people: z.record(z.string(), personSchema),
  /** The labels of strategies whose best plan an earlier option has already. */
  same: z.array(z.string()),
  /** The labels of strategies for which time ran out. */
  unfinished: z.array(z.string()),
  /** The sessions that stay as they are, and why. */
  left_out: z.array(
    z.object({
      date: dateText,
      time: z.string(),
      child: z.string(),
      why: z.string(),
      why_code: z.enum(['planned', 'told', 'partly', 'early-or-late']),
    }),
  ),
});
export type StandingReply = z.infer<typeof standingReplySchema>;

const bodySchema = z.object({
  location: locationSchema,
  /** The id of the therapist who is away. */
  therapist: textSchema(64),
  from: dateSchema,
  /** Left out when the sessions are handed over for good: as far as they are on the calendar, a year at most. */
  until: z.optional(dateSchema),
  /** The weekdays on which they are away, from Sunday 0; left out for all. */
  weekdays: z.optional(z.array(z.int().check(z.gte(0), z.lte(6))).check(z.minLength(1), z.maxLength(7))),
  /** The time of day in which they are away; the whole day when left out. */
  start: z.optional(timeSchema),
  end: z.optional(timeSchema),
  /** Whether to plan again what a day’s plan decided, and what families were told. */
  replan: z.optional(z.boolean()),
});
export type StandingBody = z.infer<typeof bodySchema>;

export const standingCommitSchema = z.object({
  commit: z.string(),
  /** How many sessions have a therapist now, on how many dates, how many people must be told, and how many meetings are booked. */
  sessions: z.number(),
  dates: z.number(),
  people: z.number(),
  meetings: z.number(),
});
export type StandingCommit = z.infer<typeof standingCommitSchema>;

/** What an absence would cost, with the best standing replacement that can be found for it. */
const priceSchema = z.object({
  from: dateText,
  until: dateText,
  /** What would be lost if nobody took the therapist’s sessions. */
  sessions: z.number(),
  minutes: z.number(),
  /** What stays without a therapist with the replacement, and how much of it authorizations would have paid. */
  open: z.object({ sessions: z.number(), minutes: z.number(), authorized: z.number() }),
  /** The people who would be new to a child. */
  faces: z.array(z.object({ child: z.string(), names: z.array(z.string()) })),
  /** The RBTs who would get too little supervision in a month because of the absence. */
  supervision: z.array(
    z.object({
      name: z.string(),
      month: z.string(),
      minutes: z.number(),
      needed: z.number(),
      contacts: z.number(),
      contacts_needed: z.number(),
    }),
  ),
  /** Whether no replacement is better. */
  proven: z.boolean(),
});
export type StandingPrice = z.infer<typeof priceSchema>;

export const standingEndpoints = {
  priceAbsence: endpoint('POST', '/standing/price', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'leave.checked',
    writes: false,
    summary: 'What an absence of a therapist would cost, whether it is recorded or not',
    body: bodySchema,
    reply: priceSchema,
    refusals: ['not-found', 'solver-failed'],
  }),
  offerReplacement: endpoint('POST', '/standing', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Options for who takes the sessions of a therapist who is away for weeks',
    body: bodySchema,
    reply: standingReplySchema,
    refusals: ['not-found', 'solver-failed'],
  }),
  commit: endpoint('POST', '/standing/commit', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Write a standing replacement to the calendar, for all its dates',
    body: z.object({
      proposal: textSchema(64),
      choice: standingChoiceSchema,
      /** The meetings before the leave that are booked with it, as administrative time; see `planMeetings`. */
      meetings: z.optional(z.array(joinSchema).check(z.maxLength(MOST_JOINS))),
    }),
    reply: standingCommitSchema,
    refusals: ['not-found', 'already-committed'],
  }),
};
