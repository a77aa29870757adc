import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, locationSchema, personNameSchema, personKindSchema, timeSchema } from '../wire.ts';
import { storedAbsenceSchema } from '../calendar.ts';
import { absenceLossBodySchema } from '../causes.ts';
import { leaveFromSchema } from '../weeks/leave-range.ts';
import { proposalReplySchema } from './proposals.ts';

const windowShape = {
  date: dateSchema,
  begin: timeSchema,
  end: timeSchema,
  location: locationSchema,
  /** The recorded window that this one continues: it keeps that window's reason. */
  id: z.optional(z.uuid()),
  /** Why the person is away in this window; if left out, the recorded reason stays. */
  loss: z.optional(absenceLossBodySchema),
  /** The person is away in this window on further dates too: until a date, on these weekdays. */
  leave: z.optional(leaveFromSchema),
};

/**
 * One person who is away for one window of time. Each window is stored by itself, also beside another one; where two of
 * a request overlap, the earlier one has the time. Times are rounded to quarter hours, except those of a window that is
 * recorded already. `replaces`: the request's windows for this person and date replace the windows stored for them;
 * without it, they only add to these.
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
   * Allows a shorter absence to give the person back sessions that a commit took from them. Without this field, such a
   * change is refused with a 409 that counts the sessions (`returned`).
   */
  take_back: z.optional(z.boolean()),
  /** Returns only Option 1, with `more` in the metadata, if all options would take longer. */
  wait_for: z.optional(z.literal('first')),
});
export type ProcessBody = z.infer<typeof processBodySchema>;

/** An absence that was removed or shortened. The person got back sessions that a commit had taken from them. */
const withdrawalSchema = z.object({
  name: z.string(),
  type: personKindSchema,
  /** When the absence was removed or shortened. Names this withdrawal in a request to undo it. */
  withdrawn_at: z.string(),
  /** Whether the person is still away for part of the time. */
  shortened: z.boolean(),
  /** How many sessions went back to the person. */
  sessions: z.number(),
  /** Why the withdrawal cannot be undone; null when it can be. */
  cannot_undo: z.nullable(z.string()),
});
export type Withdrawal = z.infer<typeof withdrawalSchema>;

export const absencesEndpoints = {
  /** The path really is /api/api/…: the specification has /api twice. */
  process: endpoint('POST', '/api/scheduler/process', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Store absences and propose cover',
    body: processBodySchema,
    reply: proposalReplySchema,
    shape: { data: {} },
    refusals: ['takes-back', 'pins-conflict', 'solver-failed'],
  }),
  /**
   * Withdraws a person's stored absence on a date, so that their own sessions come back to them; with `id`, only that
   * window of it. If a commit gave any of those
   * sessions to others or cancelled them, the reply is a 409 that counts them (`returned`), unless `take_back` is set.
   */
  withdraw: endpoint('POST', '/absences/withdraw', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Withdraw a stored absence',
    body: z.object({
      location: locationSchema,
      date: dateSchema,
      type: personKindSchema,
      name: personNameSchema,
      id: z.optional(z.uuid()),
      take_back: z.optional(z.boolean()),
    }),
    refusals: ['not-found', 'takes-back'],
    /** `withdrawn_at` names this withdrawal in a request to undo it; null if there is nothing to undo. */
    reply: z.object({ absences: z.array(storedAbsenceSchema), withdrawn_at: z.nullable(z.string()) }),
  }),
  /**
   * Lists the withdrawals that still matter: at least one of the sessions that the withdrawal gave back has not changed
   * since.
   */
  withdrawals: endpoint('GET', '/absences/withdrawals', {
    access: 'signed-in',
    at: 'query.location',
    audit: 'withdrawals.read',
    summary: 'Which removed absences took sessions back, and whether that can be undone',
    query: z.object({ location: locationSchema, date: dateSchema }),
    reply: z.array(withdrawalSchema),
  }),
  /**
   * Undoes the newest withdrawal of a person's absence on a date, whether the absence was removed or made shorter. The
   * absence is stored again as before, and the sessions that went back to the person return to the therapists who
   * covered them. Refused (409, with `conflicts`) when something later depends on the withdrawal. With `withdrawn_at`,
   * undoes only that withdrawal, so that a request sent again does not undo the one before it as well.
   */
  restore: endpoint('POST', '/absences/restore', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    summary: 'Undo the withdrawal of an absence',
    body: z.object({
      location: locationSchema,
      date: dateSchema,
      type: personKindSchema,
      name: personNameSchema,
      withdrawn_at: z.optional(z.iso.datetime()),
    }),
    refusals: ['not-found', 'conflict'],
    reply: z.object({ absences: z.array(storedAbsenceSchema) }),
  }),
};
