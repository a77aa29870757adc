import * as z from 'zod/mini';
import { dateSchema } from '../wire.ts';

// These schemas have a file of their own, so that saving absences does not load the endpoints of absences over several dates.

/** The days of the week, each once; 0 is Sunday. */
export const weekdaysSchema = z
  .array(z.int().check(z.minimum(0), z.maximum(6)))
  .check(z.minLength(1, 'choose at least one weekday'), z.maxLength(7, 'not more than seven weekdays'));

/** The dates of a leave that begins on the absence's own date. */
export const leaveFromSchema = z.object({
  /** The last date; null for until further notice. */
  until: z.nullable(dateSchema),
  weekdays: weekdaysSchema,
});
export type LeaveFrom = z.infer<typeof leaveFromSchema>;
