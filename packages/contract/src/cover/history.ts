import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { instantText } from '../wire.ts';

export const sessionHistorySchema = z.object({
  /** What happened to the session, oldest first: booked, moved, covered, told, cancelled. */
  lines: z.array(
    z.object({
      at: instantText,
      /** Empty: no account; the clinic's data was imported or made. */
      by: z.string(),
      words: z.string(),
      reason: z.nullable(z.string()),
    }),
  ),
  /** Set while a commit has given it to another therapist, or to none: who decided that, and whom it concerns. */
  cover: z.nullable(
    z.object({
      booked_with: z.string(),
      by: z.string(),
      at: instantText,
      /** Of the therapist and the families: whether they have been told; no one is listed of whom there is nothing to tell. */
      told: z.array(z.object({ who: z.string(), told: z.boolean() })),
    }),
  ),
});
export type SessionHistory = z.infer<typeof sessionHistorySchema>;

export const historyEndpoints = {
  sessionHistory: endpoint({
    method: 'GET',
    path: '/appointments/:key/history',
    access: 'signed-in',
    summary: 'What happened to a session, by whom and when',
    params: z.object({ key: z.uuid() }),
    reply: sessionHistorySchema,
  }),
};
