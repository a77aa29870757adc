import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, locationSchema, personNameSchema, personKindSchema, timeSchema } from '../wire.ts';
import { storedAbsenceSchema } from '../calendar.ts';
import { lossBodySchema } from '../causes.ts';
import { proposalReplySchema } from './proposals.ts';

const windowShape = {
  date: dateSchema,
  begin: timeSchema,
  end: timeSchema,
  location: locationSchema,
  /** Why, for all of the person's absence on that date; left out: as recorded. */
  loss: z.optional(lossBodySchema),
};

/**
 * One person away for one window. `replaces`: this request's queries replace everything stored for that person and
 * date.
 */
export const absenceQuerySchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('therapist_cancel'),
    ...windowShape,
    therapist: personNameSchema,
    replaces: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal('client_cancel'),
    ...windowShape,
    client: personNameSchema,
    replaces: z.optional(z.boolean()),
  }),
]);
export type AbsenceQuery = z.infer<typeof absenceQuerySchema>;

export const processBodySchema = z.object({
  queries: z
    .array(absenceQuerySchema)
    .check(z.minLength(1, 'No absences to save'), z.maxLength(200, 'more than 200 absences in one request')),
  date: dateSchema,
  location: locationSchema,
  /**
   * Confirms that shortening the absence takes back sessions that a commit gave to others; without it, 409 with
   * `returned`.
   */
  take_back: z.optional(z.boolean()),
});
export type ProcessBody = z.infer<typeof processBodySchema>;

export const absencesEndpoints = {
  /** The specification writes /api twice here. */
  process: endpoint({
    method: 'POST',
    path: '/api/scheduler/process',
    access: 'signed-in',
    summary: 'Store absences and propose cover',
    body: processBodySchema,
    reply: proposalReplySchema,
    refusals: ['takes-back', 'pins-conflict', 'solver-failed'],
  }),
  /**
   * While absences are being marked: the server solves the day as it would be after saving them, so that saving finds
   * its options solved. Stores and returns nothing; hanging up drops it.
   */
  solveAhead: endpoint({
    method: 'POST',
    path: '/absences/solve-ahead',
    access: 'signed-in',
    summary: 'Solve ahead what saving these absences will ask for',
    body: z.omit(processBodySchema, { take_back: true }),
    status: 204,
    refusals: ['solver-failed'],
  }),
  /**
   * Withdraws a stored absence. Its time needs cover again, first by its own therapist. If a commit gave that time to
   * others, refused with 409 (`returned`: how many sessions) unless `take_back`.
   */
  withdraw: endpoint({
    method: 'POST',
    path: '/absences/withdraw',
    access: 'signed-in',
    summary: 'Withdraw a stored absence',
    body: z.object({
      location: locationSchema,
      date: dateSchema,
      type: personKindSchema,
      name: personNameSchema,
      take_back: z.optional(z.boolean()),
    }),
    refusals: ['not-found', 'takes-back'],
    reply: z.object({ absences: z.array(storedAbsenceSchema) }),
  }),
  /**
   * Undoes the newest withdrawal of someone's absence on a date: the absence, and the sessions that were taken back from
   * those to whom a commit had given them, are as before it. Refused (409, with `conflicts`) when something later
   * depends on the withdrawal.
   */
  restore: endpoint({
    method: 'POST',
    path: '/absences/restore',
    access: 'signed-in',
    summary: 'Undo the withdrawal of an absence',
    body: z.object({ location: locationSchema, date: dateSchema, type: personKindSchema, name: personNameSchema }),
    refusals: ['not-found', 'conflict'],
    reply: z.object({ absences: z.array(storedAbsenceSchema) }),
  }),
};
