import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { wireAppointmentSchema } from './calendar.ts';
import { lossBodySchema } from './causes.ts';
import { dateSchema, dateText, locationSchema, noteSchema, personNameSchema, timeSchema } from './wire.ts';

/** The maximum number of characters in a session's subject. */
export const LONGEST_SUBJECT = 200;

export const appointmentBodySchema = z.object({
  location: locationSchema,
  /** The client's name; the name of the administrative client makes the appointment administrative time. */
  client: personNameSchema,
  /** The therapist's name; null when no therapist is assigned yet. */
  therapist: z.nullable(personNameSchema),
  date: dateSchema,
  start: timeSchema,
  end: timeSchema,
  subject: noteSchema(LONGEST_SUBJECT),
  status: z.optional(z.enum(['Scheduled', 'Confirmed', 'Completed', 'Cancelled', 'No Show'])),
  /** Repeats the session every week, on the same day of the week, up to this date. */
  weekly_until: z.optional(z.nullable(dateSchema)),
  version: z.optional(z.int()),
  /** Why the session does not take place; allowed only with the status Cancelled or No Show. */
  loss: z.optional(lossBodySchema),
  /**
   * Books the therapist even if this breaks a rule that may be overridden, such as no sessions before the first day of
   * employment. The audit trail records the override.
   */
  anyway: z.optional(z.boolean()),
  /** Asks the therapist to stay up to an hour late, or come up to an hour early, for this session if needed. */
  ask: z.optional(z.boolean()),
});
export type AppointmentBody = z.infer<typeof appointmentBodySchema>;

/**
 * `one`: only this session. `following`: also later sessions in the weekly series that still match this session. `all`:
 * also those before it that are still to come.
 */
const scopeSchema = z.optional(z.enum(['one', 'following', 'all']));
const keyParams = z.object({ key: z.uuid() });

/**
 * What a change with `following` would affect. `dates`: the dates of the later sessions that change. `apart`: how many
 * later sessions stay as they are, because they differ from this session. `earlier`: the dates before this one that
 * `all` would change, too. `goes_on`: whether the series has no end.
 */
export const seriesReplySchema = z.object({
  dates: z.array(dateText),
  apart: z.number(),
  earlier: z.optional(z.array(dateText)),
  goes_on: z.optional(z.boolean()),
});
export type SeriesReply = z.infer<typeof seriesReplySchema>;

const swapsSchema = z.object({
  /** The version of the session that is asked about. */
  version: z.number(),
  /** The other sessions of its day that have a therapist; `why` says why it cannot have that one, null if it can. */
  swaps: z.array(
    z.object({
      key: z.string(),
      version: z.number(),
      client: z.string(),
      therapist: z.string(),
      time: z.string(),
      why: z.nullable(z.string()),
    }),
  ),
});
export type Swaps = z.infer<typeof swapsSchema>;

const swapBodySchema = z.object({
  /** The other session. */
  with: z.uuid(),
  version: z.int(),
  with_version: z.int(),
  /** Swaps even if this breaks a rule that may be overridden. */
  anyway: z.optional(z.boolean()),
});
export type SwapBody = z.infer<typeof swapBodySchema>;

export const appointmentsEndpoints = {
  create: endpoint('POST', '/appointments', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Book a session, or a weekly series',
    body: appointmentBodySchema,
    reply: z.array(wireAppointmentSchema),
    status: 201,
  }),
  update: endpoint('PUT', '/appointments/:key', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Move or change a session, alone or with the later sessions of its series',
    params: keyParams,
    body: z.extend(appointmentBodySchema, { scope: scopeSchema }),
    reply: wireAppointmentSchema,
    refusals: ['stale-version'],
  }),
  series: endpoint('GET', '/appointments/:key/series', {
    access: 'signed-in',
    at: 'found',
    audit: 'series.read',
    summary: 'The later sessions in a session’s weekly series; empty if it is not in a series',
    params: keyParams,
    reply: seriesReplySchema,
  }),
  swaps: endpoint('GET', '/appointments/:key/swaps', {
    access: 'signed-in',
    at: 'found',
    audit: 'appointment.read',
    summary: 'The sessions of a session’s day with which it could exchange its therapist, and why not',
    params: keyParams,
    reply: swapsSchema,
  }),
  /** Asked again with the versions in the reply, it puts both therapists back. */
  swap: endpoint('POST', '/appointments/:key/swap', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Exchange the therapists of two sessions of a day, both or neither',
    params: keyParams,
    body: swapBodySchema,
    reply: z.array(wireAppointmentSchema),
    refusals: ['stale-version'],
  }),
  cancel: endpoint('POST', '/appointments/:key/cancel', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Cancel a session, alone or with the later sessions of its series',
    params: keyParams,
    body: z.object({
      reason: z.optional(noteSchema(400)),
      loss: z.optional(lossBodySchema),
      family_told: z.optional(z.boolean()),
      scope: scopeSchema,
      version: z.optional(z.int()),
    }),
    reply: wireAppointmentSchema,
    refusals: ['stale-version'],
  }),
  takeBack: endpoint('POST', '/appointments/:key/take-back', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    summary: 'Take back a booking of one’s own that nobody has changed since; no time counts as lost',
    params: keyParams,
    /** `also`: further sessions, each with the later ones of its series, taken back with it or not at all. */
    body: z.object({ scope: scopeSchema, also: z.optional(z.array(z.uuid()).check(z.maxLength(100))) }),
    status: 204,
  }),
};
