import * as z from 'zod/mini';
import { dateText, locationSchema } from './wire.ts';

/** An event of the stream. It never contains a name: pages that may see the day load it again. */
export const clinicEventSchema = z.object({
  kind: z.enum(['absences', 'commit', 'undo', 'appointments', 'profiles', 'import', 'calls', 'presence']),
  /** Left out when the event concerns every location. */
  location: z.optional(locationSchema),
  dates: z.array(dateText),
  /** The account that acted, so that its own page shows no notice. */
  by: z.optional(z.string()),
});
export type ClinicEvent = z.infer<typeof clinicEventSchema>;
