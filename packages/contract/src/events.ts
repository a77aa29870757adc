import * as z from 'zod/mini';
import { locationSchema } from './wire.ts';

/** What the event stream tells. Never a name: a page that may see the day loads it anew. */
export const clinicEventSchema = z.object({
  kind: z.enum(['absences', 'commit', 'undo', 'appointments', 'profiles', 'import']),
  /** Left out where every location is concerned. */
  location: z.optional(locationSchema),
  dates: z.array(z.string()),
  /** The account whose act it was, so that a page need not tell its own user. */
  by: z.optional(z.string()),
});
export type ClinicEvent = z.infer<typeof clinicEventSchema>;
