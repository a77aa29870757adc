import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateText, instantText, personKindSchema, textSchema } from '../wire.ts';

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

/** A therapist whom a client met of late, or a client whom a therapist met. */
const metSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** A therapist's credential; null for a client. */
  credential: z.nullable(z.string()),
  /** Whether the therapist is on the client's team. */
  team: z.boolean(),
  /** Whether they met for the first time in these four weeks: not in the 90 days before the date, until then. */
  is_new: z.boolean(),
  /** The time that they had together in these four weeks, by date. */
  days: z.array(z.object({ date: dateText, minutes: z.number() })),
  /** The last date on which they met. */
  last: dateText,
});
export type Met = z.infer<typeof metSchema>;

const personHistorySchema = z.object({
  /** The first and the last of the 28 days before today. */
  from: dateText,
  until: dateText,
  /** How many people they met in these days, and the time with them; `team` is the part with the team, in minutes. */
  continuity: z.object({ people: z.number(), minutes: z.number(), team: z.number() }),
  /** Everyone met in the last 90 days, those with the most time in the four weeks first. */
  met: z.array(metSchema),
  /** What happened to the person's sessions of late, newest first. */
  lines: z.array(z.object({ at: instantText, by: z.string(), words: z.string() })),
});
export type PersonHistory = z.infer<typeof personHistorySchema>;

export const historyEndpoints = {
  personHistory: endpoint('GET', '/people/:type/:id/history', {
    access: 'signed-in',
    at: 'found',
    audit: 'history.read',
    summary: 'Whom a client or a therapist met in the last four weeks, and what happened to their sessions',
    params: z.object({ type: personKindSchema, id: textSchema(64) }),
    reply: personHistorySchema,
  }),
  sessionHistory: endpoint('GET', '/appointments/:key/history', {
    access: 'signed-in',
    at: 'found',
    audit: 'history.read',
    summary: 'What happened to a session, by whom and when',
    params: z.object({ key: z.uuid() }),
    reply: sessionHistorySchema,
  }),
};
