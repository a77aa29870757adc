import * as z from 'zod/mini';
import { absenceLossBodySchema, lossSchema } from '../causes.ts';
import { endpoint } from '../endpoint.ts';
import {
  dateSchema,
  dateText,
  instantText,
  locationSchema,
  personKindSchema,
  personNameSchema,
  timeSchema,
  timeText,
} from '../wire.ts';
import { leaveRangeSchema } from '../calendar.ts';
import { weekdaysSchema } from './leave-range.ts';

const termsShape = {
  first_date: dateSchema,
  /** Null for until further notice. */
  last_date: z.nullable(dateSchema),
  weekdays: weekdaysSchema,
  begin: timeSchema,
  end: timeSchema,
};
const personShape = { location: locationSchema, type: personKindSchema, name: personNameSchema };

/** An absence over several dates, as one fact. */
const leaveSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: personKindSchema,
  ...leaveRangeSchema.shape,
  begin: timeText,
  end: timeText,
  loss: z.optional(lossSchema),
  untold: z.optional(z.boolean()),
  /** The dates whose absence was changed by itself; what is changed on all dates leaves them as they are. */
  exceptions: z.array(dateText),
});
export type StoredLeave = z.infer<typeof leaveSchema>;

/** Whose absence over several dates it is, where and when. */
const leavePlaceSchema = z.object({
  location: locationSchema,
  type: personKindSchema,
  person: z.string(),
  ...leaveRangeSchema.shape,
  begin: timeText,
  end: timeText,
});

/** What an absence over several dates would touch. */
const leaveEffectSchema = z.object({
  /** The weeks of the range, each by its Monday, with its number of sessions. */
  weeks: z.array(z.object({ monday: dateText, sessions: z.number() })),
  sessions: z.number(),
  minutes: z.number(),
  /** For a therapist, the children; for a client, the therapists. */
  people: z.number(),
  series: z.number(),
  /** The last date that was counted: the last one of the range, or the last one that can be booked. */
  counted_until: dateText,
  /** The last date up to which the calendar is filled as usual; null if that is all of these dates. */
  filled_until: z.nullable(dateText),
  /** The dates on which the person is recorded as away already; these absences stay as they are. */
  away: z.array(dateText),
  /** The dates in the range on which the location is closed, with their names. */
  closed: z.array(z.object({ date: dateText, name: z.string() })),
});
export type LeaveEffect = z.infer<typeof leaveEffectSchema>;

const leaveSessionSchema = z.object({
  date: dateText,
  time: z.string(),
  client: z.string(),
  /** Who has the session now; null for no therapist. */
  therapist: z.nullable(z.string()),
});

/** What a change to a leave did, or would do. */
const leaveOutcomeSchema = z.object({
  /** The leave that stands now; null if it was ended. */
  id: z.nullable(z.string()),
  /** Names this act in a request to undo it. */
  changed_at: instantText,
  /** On how many dates the person is there again, or is there for longer. */
  dates: z.number(),
  /** How many sessions are the person's own again without any change to them. */
  own: z.number(),
  /** The sessions that come back: their cover ends, or they take place again. */
  back: z.array(leaveSessionSchema),
  /** Whose day changes because the sessions of a therapist come back, in words. */
  to_tell: z.array(z.string()),
  /** The sessions that stay with others, moved or cancelled, each with the reason. */
  stays: z.array(z.object({ ...leaveSessionSchema.shape, why: z.string() })),
});
export type LeaveOutcome = z.infer<typeof leaveOutcomeSchema>;

const idParams = z.object({ id: z.uuid() });
/**
 * What happens to sessions that submitted changes gave to others: `give-back` opens them again for the person who is
 * back, `keep-told` leaves those of which somebody was told, and `keep` leaves all as they are. Without it, such a change is refused with a 409 that counts them (`returned`).
 */
const coverSchema = z.optional(z.enum(['give-back', 'keep-told', 'keep']));
const endBody = z.object({
  location: locationSchema,
  /** `date`: only this date. `from`: this date and all later ones. `all`: every date. */
  scope: z.enum(['date', 'from', 'all']),
  date: dateSchema,
  cover: coverSchema,
});

export const leaveEndpoints = {
  readLeave: endpoint('GET', '/leave/:id', {
    access: 'signed-in',
    at: 'found',
    audit: 'leave.read',
    summary: 'Whose absence over several dates it is, where and when',
    params: idParams,
    reply: leavePlaceSchema,
    refusals: ['not-found'],
  }),
  listLeave: endpoint('GET', '/leave', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'leave.read',
    summary: 'The absences over several dates at a location that last until a date or later',
    query: z.object({ location: locationSchema, date: dateSchema }),
    reply: z.array(leaveSchema),
  }),
  previewLeave: endpoint('POST', '/leave-preview', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'leave.checked',
    writes: false,
    summary: 'What an absence over several dates would touch',
    body: z.object({ ...personShape, ...termsShape }),
    reply: leaveEffectSchema,
    refusals: ['not-found'],
  }),
  recordLeave: endpoint('POST', '/leave', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Record an absence over several dates',
    body: z.object({ ...personShape, ...termsShape, loss: z.optional(absenceLossBodySchema) }),
    reply: leaveOutcomeSchema,
    refusals: ['not-found'],
  }),
  /** Changes all dates, or with `from` this date and later ones. Dates that were changed by themselves stay. */
  changeLeave: endpoint('PUT', '/leave/:id', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Change an absence over several dates',
    params: idParams,
    body: z.object({
      location: locationSchema,
      scope: z.enum(['from', 'all']),
      date: dateSchema,
      ...termsShape,
      loss: z.optional(absenceLossBodySchema),
      cover: coverSchema,
    }),
    reply: leaveOutcomeSchema,
    refusals: ['takes-back'],
  }),
  endLeave: endpoint('POST', '/leave/:id/end', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'End an absence over several dates, or take one date out of it',
    params: idParams,
    body: endBody,
    reply: leaveOutcomeSchema,
    refusals: ['takes-back'],
  }),
  previewLeaveEnd: endpoint('POST', '/leave/:id/end-preview', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'leave.checked',
    writes: false,
    summary: 'What the end of an absence over several dates would bring back, and what stays',
    params: idParams,
    body: endBody,
    reply: leaveOutcomeSchema,
  }),
  undoLeave: endpoint('POST', '/leave/:id/undo', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Undo the newest change to an absence over several dates',
    params: idParams,
    body: z.object({ location: locationSchema, changed_at: z.iso.datetime() }),
    reply: leaveOutcomeSchema,
    refusals: ['conflict'],
  }),
};
