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
  /** Why the person is away, for all of their absence on that date; when left out, the recorded reason stays. */
  loss: z.optional(lossBodySchema),
};

/**
 * One person who is away for one window. `replaces`: the windows in this request replace all that is stored for the
 * person and date.
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
   * Agrees that sessions which a commit gave to others go back when an absence gets shorter; without it the reply is
   * a 409 that counts them (`returned`).
   */
  take_back: z.optional(z.boolean()),
});
export type ProcessBody = z.infer<typeof processBodySchema>;

/** Someone whose absence was removed or made shorter, which took sessions back from those to whom a commit had given them. */
const withdrawalSchema = z.object({
  name: z.string(),
  type: personKindSchema,
  /** They are still away for a part of the time. */
  shortened: z.boolean(),
  /** How many sessions it took back. */
  sessions: z.number(),
  /** Why undoing it would be refused; null when it can be undone. */
  cannot_undo: z.nullable(z.string()),
});
export type Withdrawal = z.infer<typeof withdrawalSchema>;

export const absencesEndpoints = {
  /** The doubled /api is in the specification. */
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
   * Used while absences are being marked: the server solves the day as it would be, so that the options are ready
   * when the absences are saved. It stores and returns nothing, and stops when the page closes the connection.
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
   * Withdraws a stored absence. Its time needs cover again, and the therapist's own sessions come back to them. If a
   * commit gave that time to others, the reply is a 409 that counts the sessions (`returned`), unless `take_back` is
   * set.
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
   * Lists the withdrawals that can still matter: a session that one of them took back is still as the withdrawal left
   * it.
   */
  withdrawals: endpoint({
    method: 'GET',
    path: '/absences/withdrawals',
    access: 'signed-in',
    summary: 'Which removed absences took sessions back, and whether that can be undone',
    query: z.object({ location: locationSchema, date: dateSchema }),
    reply: z.array(withdrawalSchema),
  }),
  /**
   * Undoes the newest withdrawal of someone's absence on a date, whole or in part: the absence, and the sessions that
   * were taken back from those to whom a commit had given them, are as before it. Refused (409, with `conflicts`) when something later
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
