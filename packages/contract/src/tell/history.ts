import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { instantText } from '../wire.ts';

export const sessionHistorySchema = z.object({
  /** What happened to the session, oldest first: booked, moved, covered, people told, cancelled. */
  lines: z.array(
    z.object({
      at: instantText,
      /** The name of the account that acted; empty for clinic data that was imported or generated. */
      by: z.string(),
      words: z.string(),
      reason: z.nullable(z.string()),
    }),
  ),
  /** Set after a commit gave the session to another therapist or to no one: who committed it, and whom it affects. */
  cover: z.nullable(
    z.object({
      booked_with: z.nullable(z.string()),
      by: z.string(),
      at: instantText,
      /** Whether the therapist and the families have been told; people who need not be told are left out. */
      told: z.array(z.object({ who: z.string(), told: z.boolean() })),
    }),
  ),
});
export type SessionHistory = z.infer<typeof sessionHistorySchema>;

export const historyEndpoints = {
  sessionHistory: endpoint('GET', '/appointments/:key/history', {
    access: 'signed-in',
    at: 'found',
    audit: 'history.read',
    summary: 'What happened to a session, by whom and when',
    params: z.object({ key: z.uuid() }),
    reply: sessionHistorySchema,
  }),
};
