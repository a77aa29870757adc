import * as z from 'zod/mini';
import { dateText, personKindSchema, textSchema } from '../wire.ts';

/** The most further dates that are said with one line, and answered with it. */
export const MOST_DATES = 60;

/** A line as a page shows it: its version, and its newest result. */
export const shownShape = {
  version: textSchema(64),
  last_shown: z.optional(z.string().check(z.maxLength(20), z.regex(/^\d*$/))),
};

/** A line that says the same on several dates. */
export const sameLineSchema = z.object({
  kind: personKindSchema,
  id: z.string(),
  /** The version of the line on the asked date. */
  version: z.string(),
  /** The further dates on which the line says the same, each as it is shown there. */
  dates: z.array(z.object({ date: dateText, version: z.string(), last_shown: z.string() })),
  /** What to say of all dates: `From December 7 until January 29, Mondays: Bo is with Kai 8:30 to 11:30`. */
  say: z.array(z.string()),
  /** The same in Spanish. */
  say_es: z.optional(z.array(z.string())),
});
export type SameLine = z.infer<typeof sameLineSchema>;
