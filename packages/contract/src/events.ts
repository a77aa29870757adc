import * as z from 'zod/mini';
import { dateText, locationSchema } from './wire.ts';

/** An event in the stream. It contains no client data: pages that may see the day load the day again. */
export const clinicEventSchema = z.object({
  /** `resync`: events may have been lost, so load everything again. */
  kind: z.enum([
    'absences',
    'commit',
    'undo',
    'appointments',
    'profiles',
    'import',
    'calls',
    'presence',
    'locations',
    'resync',
  ]),
  /** Left out when the event concerns every location. */
  location: z.optional(locationSchema),
  /** The dates that have changed; empty when any date may have changed. */
  dates: z.array(dateText),
  /** The id of the account that acted. */
  by: z.optional(z.string()),
});
export type ClinicEvent = z.infer<typeof clinicEventSchema>;
