import * as z from 'zod/mini';
import { dateText, instantText, locationSchema, timeText } from '../wire.ts';

const sheetStretchSchema = z.object({
  start: timeText,
  end: timeText,
  service: z.enum(['direct', 'supervision', 'parent-training', 'admin']),
  /** The clients' names: more than one in a group session, none in administrative time. */
  clients: z.array(z.string()),
  /** Set if something is wrong with the session, or if it waits for someone’s yes, so that it is not settled yet. */
  unsettled: z.optional(z.boolean()),
});

/** A location's day as a sheet to print and hand out. It shows full names. */
export const daySheetReplySchema = z.object({
  location: locationSchema,
  date: dateText,
  /** When the sheet was last recorded as sent. */
  sent: z.nullable(z.object({ at: instantText, by: z.string() })),
  /** How many things are wrong on that day; not sent if there are none. */
  wrong: z.optional(z.number()),
  /** The sessions without a therapist. */
  open: z.array(sheetStretchSchema),
  /** Everyone with a session or an absence that day, sorted by name. */
  therapists: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      credential: z.string(),
      away: z.array(z.object({ start: timeText, end: timeText })),
      sessions: z.array(sheetStretchSchema),
    }),
  ),
});
export type DaySheetReply = z.infer<typeof daySheetReplySchema>;
